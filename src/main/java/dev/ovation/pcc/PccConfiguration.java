package dev.ovation.pcc;

import dev.ovation.crowd.ReactorLists;
import dev.ovation.reaction.ReactionCalls;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.shard.Shards;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Creates the beans of the contest when {@code ovation.pcc.enabled} is true. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("ovation.pcc.enabled")
class PccConfiguration {

    @Bean
    Pcc pcc(
            ReactionCalls reactions,
            ReactorLists lists,
            JdbcTemplate jdbc,
            PostgresBulkhead gate,
            Shards shards) {
        return new Pcc(reactions, new LikeLists(lists, new Ranks(jdbc, gate, shards)));
    }
}
