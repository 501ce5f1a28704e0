package dev.ovation.reaction;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;
import dev.ovation.hot.Fences;
import dev.ovation.hot.HotEntities;
import dev.ovation.outbox.Commits;
import dev.ovation.reaction.read.NearCache;
import dev.ovation.reaction.read.NearCacheSettings;
import dev.ovation.reaction.read.Reactors;
import dev.ovation.reaction.read.Reader;
import dev.ovation.reaction.read.States;
import dev.ovation.reaction.view.EntityQuery;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.reaction.view.Reactor;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.Outcome;
import dev.ovation.reaction.write.WriteResult;
import dev.ovation.reaction.write.Writer;
import dev.ovation.store.IdempotencyTable;
import dev.ovation.store.NewestReactors;
import dev.ovation.store.PostgresGate;
import dev.ovation.store.Snapshots;
import dev.ovation.web.guard.Bulkhead;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Puts the use cases together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({RequestSettings.class, NearCacheSettings.class})
class ReactionConfiguration {

    @Bean
    Reactions reactions(
            CurrentRules rules,
            Fences fences,
            HotEntities hot,
            Commits commits,
            Snapshots snapshots,
            NewestReactors newest,
            IdempotencyTable idempotency,
            PostgresGate gate,
            RequestSettings settings,
            NearCacheSettings nearSettings,
            MeterRegistry registry) {
        var partitions = new Partitions(fences.partitions());
        var readPermits = permits("reads", settings.reads(), registry);
        var writePermits = permits("writes", settings.writes(), registry);
        var near = new NearCache(nearSettings, registry);
        var states = new States(partitions, hot, snapshots, gate);
        var reader = new Reader(rules, near, states, readPermits);
        var reactors = new Reactors(rules, newest, gate);
        var tools =
                new Writer.Tools(
                        rules,
                        partitions,
                        fences,
                        hot,
                        commits,
                        idempotency,
                        gate,
                        settings.deadline(),
                        settings.attach());
        var writer = new Writer(tools, writePermits);
        hot.labels(namespace -> rules.current().namespace(namespace) != null);
        return new Reactions() {
            @Override
            public EntityView read(String namespace, String entity, @Nullable String user) {
                return reader.read(namespace, entity, user);
            }

            @Override
            public List<EntityView> read(EntityQuery query) {
                return reader.read(query);
            }

            @Override
            public WriteResult write(Command command, boolean withState) {
                try {
                    return writer.write(command, withState);
                } finally {
                    near.forget(command.entityKey());
                }
            }

            @Override
            public List<Outcome> write(List<Command> commands) {
                try {
                    return writer.write(commands);
                } finally {
                    commands.forEach(command -> near.forget(command.entityKey()));
                }
            }

            @Override
            public Map<EntityKey, Reactor.Newest> newestReactors(
                    Collection<EntityKey> keys, int most) {
                return reactors.newest(keys, most);
            }
        };
    }

    private static Bulkhead permits(String what, int limit, MeterRegistry registry) {
        var permits = new Bulkhead(what, limit, Duration.ofSeconds(1));
        Gauge.builder("ovation.requests.active", permits, Bulkhead::taken)
                .description("Requests under way that are bounded by permits")
                .tag("kind", what)
                .register(registry);
        return permits;
    }
}
