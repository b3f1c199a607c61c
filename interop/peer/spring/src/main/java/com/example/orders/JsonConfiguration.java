package com.example.orders;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import org.redisson.codec.JsonJacksonCodec;
import org.redisson.spring.starter.RedissonAutoConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** With the profile "json": the codec that teams choose to see what is in Redis. */
@Configuration
@Profile("json")
class JsonConfiguration {
    @Bean
    RedissonAutoConfigurationCustomizer jsonCodec() {
        ObjectMapper mapper = new ObjectMapper().registerModule(new JavaTimeModule());
        return config -> config.setCodec(new JsonJacksonCodec(mapper));
    }
}
