package dev.ovation.reaction;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.hot.HotEntities;
import dev.ovation.hot.state.Fences;
import dev.ovation.limit.CallerBulkhead;
import dev.ovation.moderation.Bans;
import dev.ovation.outbox.CommitWaiter;
import dev.ovation.reaction.people.PeopleReader;
import dev.ovation.reaction.people.PeopleTable;
import dev.ovation.reaction.read.EntityStates;
import dev.ovation.reaction.read.NearCache;
import dev.ovation.reaction.read.NearCacheSettings;
import dev.ovation.reaction.read.NewestReactorReader;
import dev.ovation.reaction.read.NewestReactors;
import dev.ovation.reaction.read.ReactionReader;
import dev.ovation.reaction.write.WriteService;
import dev.ovation.store.EntityTable;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.ReactionNames;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.snapshot.Snapshots;
import dev.ovation.store.snapshot.UserStates;
import dev.ovation.web.guard.Bulkhead;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Predicate;

/** Creates the beans of the reaction use cases. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({
    RequestSettings.class,
    RequestSettings.RequestConstants.class,
    NearCacheSettings.class
})
class ReactionConfiguration {

    /** Before all other beans, so that the start does not wait for a server first. */
    @Bean
    static BeanFactoryPostProcessor nestedTimeouts(Environment environment) {
        return _ -> TimeoutCheck.check(environment);
    }

    @Bean
    PeopleReader people(CurrentRules rules, PeopleTable table, PostgresBulkhead gate) {
        return new PeopleReader(rules::current, table, gate);
    }

    @Bean
    ReactionService reactions(
            CurrentRules rules,
            Fences fences,
            HotEntities hot,
            CommitWaiter commits,
            Snapshots snapshots,
            NewestReactors newest,
            PeopleReader people,
            IdempotencyTable idempotency,
            ReactionNames names,
            Bans bans,
            PostgresBulkhead gate,
            RequestSettings settings,
            RequestSettings.RequestConstants internal,
            NearCacheSettings nearSettings,
            ObjectProvider<Clock> clock,
            MeterRegistry registry) {
        var partitions = fences.partitions();
        var readPermits = permits("reads", settings.reads(), registry);
        var writePermits = permits("writes", settings.writes(), registry);
        var near = new NearCache(nearSettings, registry);
        var states = new EntityStates(partitions, hot, snapshots, gate);
        var reader = new ReactionReader(rules, near, states, readPermits);
        var reactors = new NewestReactorReader(rules, newest, gate);
        var writer =
                new WriteService(
                        rules,
                        fences,
                        hot,
                        commits,
                        idempotency,
                        gate,
                        new FreeTexts(names, gate),
                        bans::check,
                        writePermits,
                        settings.deadline(),
                        internal.attach(),
                        clock.getIfUnique(Clock::systemUTC));
        Predicate<String> known = namespace -> rules.current().namespace(namespace) != null;
        hot.labels(known);
        return new ReactionService(
                reader, reactors, writer, near, people, new WriteCounters(registry, known));
    }

    /** For all handlers that write. */
    @Bean
    CallerBulkhead writesOfCallers(RequestSettings settings) {
        return CallerBulkhead.share("writes", settings.writes());
    }

    @Bean
    CommittedViews committedViews(
            CurrentRules rules,
            Fences fences,
            Snapshots snapshots,
            UserStates states,
            EntityTable entities,
            PostgresBulkhead gate,
            PlatformTransactionManager manager) {
        var instant = new TransactionTemplate(manager);
        instant.setReadOnly(true);
        instant.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        var partitions = fences.partitions();
        return new CommittedViews(rules, partitions, snapshots, states, entities, gate, instant);
    }

    private static Bulkhead permits(String what, int limit, MeterRegistry registry) {
        var permits = new Bulkhead(what, limit, Duration.ofSeconds(1));
        Gauge.builder("ovation.requests.active", permits, Bulkhead::taken)
                .description("Requests under way that are bounded by permits")
                .tag("kind", what)
                .register(registry);
        Gauge.builder("ovation.requests.limit", () -> limit)
                .description("Most requests that permits allow at the same time")
                .tag("kind", what)
                .register(registry);
        return permits;
    }
}
