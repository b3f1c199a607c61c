package com.example.orders;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;

/** Methods whose results Spring caches. */
@Service
public class Prices {
    @Cacheable("prices")
    public String price(String item) {
        return item + " costs 7";
    }

    @Cacheable("prices")
    public String price(String item, int year) {
        return item + " cost " + (year - 2000);
    }

    @Cacheable("prices")
    public String all() {
        return "many";
    }

    @Cacheable("prices")
    public String missing(String item) {
        return null;
    }

    @Cacheable("limits")
    public Integer limit(String customer) {
        return customer.length();
    }
}
