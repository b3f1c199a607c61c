package com.example.orders;

import java.util.HashMap;
import java.util.Map;
import org.redisson.api.RedissonClient;
import org.redisson.spring.cache.CacheConfig;
import org.redisson.spring.cache.RedissonSpringCacheManager;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.session.data.redis.RedisSessionRepository;

/** Spring Cache on Redisson's maps; Spring Session as it is configured by default. */
@Configuration
@EnableCaching
class SpringMaps {
    @Bean
    CacheManager cacheManager(RedissonClient redisson) {
        Map<String, CacheConfig> configuration = new HashMap<>();
        configuration.put("limits", new CacheConfig(3_600_000, 0));
        return new RedissonSpringCacheManager(redisson, configuration);
    }

    @Bean
    RedisSessionRepository sessions(RedisConnectionFactory connections) {
        RedisTemplate<String, Object> template = new RedisTemplate<>();
        template.setKeySerializer(RedisSerializer.string());
        template.setHashKeySerializer(RedisSerializer.string());
        template.setConnectionFactory(connections);
        template.afterPropertiesSet();
        return new RedisSessionRepository(template);
    }
}
