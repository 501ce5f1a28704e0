package dev.ovation.configuration.season;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.web.http.HttpAnswer;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The reactions that an audience can add now, from the memory of the process. Answers are kept by
 * their normal query until the next edge of a season of their set, or the next version of the
 * rules. Their size is bounded.
 */
@Component
final class AvailableReactions {

    /** Greatest size of all answers together, in bytes. */
    private static final long MOST_BYTES = 32 << 20;

    /** Bytes of an answer beside its JSON. */
    private static final int OVERHEAD = 300;

    /** Time before an edge at which the answers after it are prepared. */
    private static final Duration AHEAD = Duration.ofSeconds(3);

    private static final int WARMED = 2_000;

    /**
     * The answer to a request.
     *
     * @param until time from which it may be another answer; {@link Instant#MAX} for none
     */
    record Offer(Answer answer, Instant until) {
        byte[] json() {
            return answer.json;
        }

        String tag() {
            return answer.tag;
        }
    }

    private record Key(SeasonIndex index, SeasonIndex.NormalQuery query) {}

    /** An answer, and one of the queries that have it. */
    static final class Answer {
        private final byte[] json;
        private final String tag;
        private final AudienceQuery query;

        private Answer(byte[] json, AudienceQuery query) {
            this.json = json;
            this.tag = HttpAnswer.entityTag(json);
            this.query = query;
        }
    }

    /** The indexes of one version of the rules, by reaction set. */
    private record Indexes(
            RulesInForce rules, Map<String, SeasonIndex> current, Map<String, SeasonIndex> next) {
        Indexes(RulesInForce rules) {
            this(rules, new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
        }
    }

    private final Clock clock;
    private final Supplier<RulesInForce> currentRules;
    private final Cache<Key, Answer> answers =
            Caffeine.newBuilder()
                    .maximumWeight(MOST_BYTES)
                    .weigher((Key _, Answer answer) -> answer.json.length + OVERHEAD)
                    .build();
    private volatile Indexes indexes;

    @Autowired
    AvailableReactions(CurrentRules rules, ObjectProvider<Clock> clock) {
        this(rules::current, clock.getIfUnique(Clock::systemUTC));
    }

    AvailableReactions(Supplier<RulesInForce> rules, Clock clock) {
        this.currentRules = rules;
        this.clock = clock;
        this.indexes = new Indexes(rules.get());
    }

    /** Returns the time by which seasons are judged. */
    Instant now() {
        return clock.instant();
    }

    /** Returns what an audience can add at an instant, in a namespace of these rules. */
    Offer find(RulesInForce rules, NamespaceRules namespace, AudienceQuery query, Instant now) {
        Indexes of = indexes;
        if (of.rules.configuration() != rules.configuration()) {
            of = replaced(rules);
        }
        SeasonIndex index = index(of, namespace, now);
        Answer answer = answer(index, query);
        return new Offer(answer, index.until());
    }

    private Indexes replaced(RulesInForce rules) {
        Indexes newer = new Indexes(rules);
        indexes = newer;
        answers.invalidateAll();
        return newer;
    }

    private SeasonIndex index(Indexes of, NamespaceRules namespace, Instant now) {
        String set = namespace.namespace().reactionSetId();
        SeasonIndex index = of.current.get(set);
        return index != null && index.covers(now)
                ? index
                : Objects.requireNonNull(
                        of.current.compute(set, (_, older) -> renewed(of, namespace, older, now)));
    }

    private SeasonIndex renewed(
            Indexes of, NamespaceRules namespace, @Nullable SeasonIndex older, Instant now) {
        if (older != null && older.covers(now)) {
            return older;
        }
        SeasonIndex prepared = of.next.remove(namespace.namespace().reactionSetId());
        return prepared != null && prepared.covers(now) ? prepared : SeasonIndex.of(namespace, now);
    }

    private Answer answer(SeasonIndex index, AudienceQuery query) {
        SeasonIndex.NormalQuery normal = index.normal(query);
        return answers.get(
                new Key(index, normal),
                key -> {
                    byte[] json = key.index.answer(key.query);
                    return new Answer(json, query);
                });
    }

    /** Prepares the answers after an edge that is near, and drops those before the last one. */
    @Scheduled(fixedDelay = 1000)
    void prepare() {
        Indexes of = indexes;
        if (of.rules.configuration() != currentRules.get().configuration()) {
            return; // the next request replaces them
        }
        Instant now = now();
        for (var namespace : of.rules.configuration().namespaces()) {
            String set = namespace.reactionSetId();
            SeasonIndex index = of.current.get(set);
            NamespaceRules rules = of.rules.namespace(namespace.id());
            if (index != null && rules != null && !of.next.containsKey(set)) {
                Instant edge = index.until();
                if (edge.isAfter(now) && edge.isBefore(now.plus(AHEAD))) {
                    SeasonIndex next = SeasonIndex.of(rules, edge);
                    warm(index, next);
                    of.next.put(set, next);
                }
            }
        }
        answers.asMap()
                .keySet()
                .removeIf(
                        key ->
                                !of.current.containsValue(key.index)
                                        && !of.next.containsValue(key.index));
    }

    /** Returns the number of answers that are kept. */
    long size() {
        answers.cleanUp();
        return answers.estimatedSize();
    }

    private void warm(SeasonIndex index, SeasonIndex next) {
        var hottest = answers.policy().eviction().orElseThrow().hottest(WARMED);
        hottest.forEach(
                (key, answer) -> {
                    if (key.index == index) {
                        var _ = answer(next, answer.query);
                    }
                });
    }
}
