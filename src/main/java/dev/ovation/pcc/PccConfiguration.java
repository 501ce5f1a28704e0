package dev.ovation.pcc;

import dev.ovation.crowd.ReactorLists;
import dev.ovation.reaction.SingleReactions;
import dev.ovation.store.PostgresGate;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Puts the actions together when {@code ovation.pcc.enabled} says so. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("ovation.pcc.enabled")
class PccConfiguration {

    @Bean
    Pcc pcc(SingleReactions reactions, ReactorLists lists, JdbcTemplate jdbc, PostgresGate gate) {
        return new Pcc(reactions, new LikeLists(lists, new Ranks(jdbc, gate)));
    }
}
