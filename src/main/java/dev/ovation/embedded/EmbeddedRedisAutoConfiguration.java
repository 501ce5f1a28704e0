package dev.ovation.embedded;

import dev.ovation.embedded.server.DataFolder;
import dev.ovation.embedded.server.EmbeddedRedis;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import java.io.IOException;

/** Contributes the address of an embedded Redis unless Spring's settings give one. */
@AutoConfiguration(
        after = EmbeddedAutoConfiguration.class,
        before = DataRedisAutoConfiguration.class)
@Conditional(Embeddable.Redis.class)
@ConditionalOnMissingBean({RedisConnectionFactory.class, DataRedisConnectionDetails.class})
class EmbeddedRedisAutoConfiguration {

    @Bean(initMethod = "start")
    EmbeddedRedis embeddedRedis(DataFolder folder, EmbeddedProperties properties)
            throws IOException {
        return new EmbeddedRedis(folder, properties.redisPort());
    }

    @Bean
    DataRedisConnectionDetails embeddedRedisDetails(EmbeddedRedis server) {
        return new Details(
                DataRedisConnectionDetails.Standalone.of("127.0.0.1", server.port()),
                server.password());
    }

    private record Details(Standalone standalone, String password)
            implements DataRedisConnectionDetails {

        @Override
        public Standalone getStandalone() {
            return standalone;
        }

        @Override
        public String getPassword() {
            return password;
        }

        /** Without the password, which a record would show. */
        @Override
        public String toString() {
            return standalone.getHost() + ":" + standalone.getPort();
        }
    }
}
