package dev.ovation.audit;

import static dev.ovation.audit.Difference.DriftKind.COUNT;
import static dev.ovation.audit.Difference.DriftKind.OUTBOX;
import static dev.ovation.audit.Difference.DriftKind.PEOPLE;
import static dev.ovation.audit.Difference.DriftKind.TIMES;
import static dev.ovation.audit.Difference.DriftKind.TTL;
import static dev.ovation.audit.Difference.DriftKind.USER;
import static dev.ovation.audit.Difference.DriftKind.VERSION;
import static dev.ovation.audit.Difference.Store.POSTGRES;
import static dev.ovation.audit.Difference.Store.REDIS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ovation.audit.Difference.DriftKind;
import dev.ovation.audit.tally.EntityTally;
import dev.ovation.audit.tally.EntityTally.CountedRows;
import dev.ovation.audit.tally.EntityTally.PartitionPosition;
import dev.ovation.audit.tally.EntityTally.Rows;
import dev.ovation.audit.tally.EntityTally.TallyHead;
import dev.ovation.entity.Counter;
import dev.ovation.hot.script.InspectScript;
import dev.ovation.hot.state.RedisSchema;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Two users like an entity, one of them also has a heart; the test changes one place. */
class ComparisonTest {

    private static final long EPOCH = 7;

    /** The last event that Redis knows to be committed. */
    private static final long ACKED = 20;

    private static final long AN_HOUR = 3_600_000;

    @Nullable private TallyHead head = new TallyHead(11, "op", 60, 2);

    private final Map<String, Counter> counters =
            new HashMap<>(
                    Map.of(
                            "like", new Counter("like", 2, 40, 60),
                            "heart", new Counter("heart", 1, 50, 50)));
    private final Map<String, Rows> rows =
            new HashMap<>(Map.of("like", new Rows(2, 40, 60), "heart", new Rows(1, 50, 50)));
    private final Map<String, Set<String>> users =
            new HashMap<>(Map.of("ann", Set.of("like", "heart"), "ben", Set.of("like")));

    private final Map<String, String> hotCounts =
            new HashMap<>(
                    Map.of(
                            "epoch",
                            "" + EPOCH,
                            "since",
                            "0",
                            "version",
                            "11",
                            "op",
                            "op",
                            "seq",
                            "" + ACKED,
                            "at",
                            "60",
                            "people",
                            "2",
                            "r:like",
                            list("2", "40", "60"),
                            "r:heart",
                            list("1", "50", "50")));
    private final Map<String, String> hotUsers =
            new HashMap<>(
                    Map.of(
                            "epoch",
                            "" + EPOCH,
                            "since",
                            "0",
                            "complete",
                            "1",
                            "u:ann",
                            list("18", "like", "heart"),
                            "u:ben",
                            list("" + ACKED, "like")));
    private String waiting = "";
    private long countsTtl = AN_HOUR;
    private long usersTtl = AN_HOUR;

    @Nested
    class Postgres {

        @Test
        void isSoundWhenTheCountersAreThoseOfTheRows() {
            assertThat(postgres()).isEmpty();
        }

        @Test
        void countsAnotherNumberOfPeople() {
            head = new TallyHead(11, "op", 60, 1);
            assertThat(postgres()).containsExactly(inPostgres(PEOPLE, "", "2", "1"));
        }

        @Test
        void hasACounterThatIsTooHigh() {
            counters.put("like", new Counter("like", 3, 40, 60));
            assertThat(postgres()).containsExactly(inPostgres(COUNT, "like", "2", "3"));
        }

        @Test
        void lacksACounter() {
            counters.remove("like");
            assertThat(postgres()).containsExactly(inPostgres(COUNT, "like", "2", "no counter"));
        }

        @Test
        void hasACounterWithoutRows() {
            rows.remove("heart");
            assertThat(postgres()).containsExactly(inPostgres(COUNT, "heart", "0", "1"));
        }

        /** A removal leaves the times of a counter, which then are around those of the rows. */
        @Test
        void mayHaveTimesAroundThoseOfTheRows() {
            counters.put("like", new Counter("like", 2, 39, 61));
            assertThat(postgres()).isEmpty();
        }

        @Test
        void hasATimeWithinThoseOfTheRows() {
            counters.put("like", new Counter("like", 2, 41, 60));
            assertThat(postgres()).extracting(Difference::what).containsExactly("postgres times");

            counters.put("like", new Counter("like", 2, 40, 59));
            assertThat(postgres()).extracting(Difference::what).containsExactly("postgres times");
        }

        @Test
        void lacksTheRowOfAnEntityWithReactions() {
            head = null;
            assertThat(postgres()).extracting(Difference::what).containsExactly("postgres version");
        }

        @Test
        void needsNoRowOfAnEntityWithoutAnything() {
            head = null;
            counters.clear();
            rows.clear();
            assertThat(postgres()).isEmpty();
        }

        @Test
        void mayHaveSeveralDifferences() {
            counters.clear();
            head = null;
            assertThat(postgres())
                    .extracting(Difference::kind, Difference::name)
                    .containsExactlyInAnyOrder(
                            tuple(COUNT, "heart"), tuple(COUNT, "like"), tuple(VERSION, ""));
        }

        private List<Difference> postgres() {
            return Comparison.postgres(tally());
        }
    }

    @Nested
    class RedisAlone {

        @Test
        void isSoundWhenACleanEntityHasTimesToLive() {
            assertThat(redisAlone()).isEmpty();
        }

        @Test
        void lacksTheTimeToLiveOfACleanHash() {
            countsTtl = InspectScript.NO_TTL;
            assertThat(redisAlone()).extracting(Difference::kind).containsExactly(TTL);

            countsTtl = AN_HOUR;
            usersTtl = InspectScript.NO_TTL;
            assertThat(redisAlone()).extracting(Difference::kind).containsExactly(TTL);
        }

        @Test
        void isSoundWhileTheEventOfADirtyEntityWaits() {
            change();
            assertThat(redisAlone()).isEmpty();
        }

        @Test
        void mayEvictNothingOfADirtyEntity() {
            change();
            countsTtl = AN_HOUR;
            assertThat(redisAlone()).extracting(Difference::kind).containsExactly(TTL);

            countsTtl = InspectScript.NO_TTL;
            usersTtl = AN_HOUR;
            assertThat(redisAlone()).extracting(Difference::kind).containsExactly(TTL);
        }

        @Test
        void lacksTheEventOfADirtyEntity() {
            change();
            waiting = "";
            assertThat(redisAlone()).extracting(Difference::kind).containsExactly(OUTBOX);

            waiting = "another op";
            assertThat(redisAlone()).extracting(Difference::kind).containsExactly(OUTBOX);
        }

        @Test
        void knowsByAUserAloneThatAChangeWaits() {
            hotCounts.clear();
            hotUsers.put("u:ben", list("" + (ACKED + 1)));
            usersTtl = AN_HOUR;
            assertThat(redisAlone()).extracting(Difference::kind).containsExactly(TTL);

            usersTtl = InspectScript.NO_TTL;
            assertThat(redisAlone()).isEmpty();
        }

        @Test
        void holdsNothingOfAnotherEpoch() {
            hotCounts.put("epoch", "6");
            hotUsers.put("epoch", "6");
            countsTtl = InspectScript.NO_TTL;
            assertThat(redisAlone()).isEmpty();
        }

        /** Ben's reaction is removed by an event that waits. */
        private void change() {
            hotCounts.putAll(Map.of("seq", "" + (ACKED + 1), "op", "newer"));
            hotUsers.put("u:ben", list("" + (ACKED + 1)));
            waiting = "newer";
            countsTtl = InspectScript.NO_TTL;
            usersTtl = InspectScript.NO_TTL;
        }

        private List<Difference> redisAlone() {
            return Comparison.redisAlone(hot());
        }
    }

    @Nested
    class TheState {

        @Test
        void isTheSameByVersionAndOp() {
            assertThat(isSame()).isTrue();

            hotCounts.put("version", "12");
            assertThat(isSame()).isFalse();

            hotCounts.putAll(Map.of("version", "11", "op", "another"));
            assertThat(isSame()).isFalse();
        }

        @Test
        void ofAnEntityWithoutARowIsVersion0WithoutAnOp() {
            head = null;
            assertThat(isSame()).isFalse();

            hotCounts.putAll(Map.of("version", "0", "op", ""));
            assertThat(isSame()).isTrue();
        }

        @Test
        void isNamedOnBothSides() {
            hotCounts.put("version", "12");
            assertThat(Comparison.otherState(tally().place(), hot()))
                    .isEqualTo(inRedis(VERSION, "", "11/op", "12/op"));
        }

        private boolean isSame() {
            return Comparison.isSameState(tally().place(), hot());
        }
    }

    @Nested
    class Redis {

        @Test
        void redisIsConsistentWhenItEqualsPostgres() {
            assertThat(redis()).isEmpty();
        }

        @Test
        void hasAnotherCount() {
            hotCounts.put("r:like", list("3", "40", "60"));
            assertThat(redis()).containsExactly(inRedis(COUNT, "like", "2", "3"));
        }

        @Test
        void lacksACounterOrHasOneTooMany() {
            hotCounts.put("r:smile", hotCounts.remove("r:heart"));
            assertThat(redis())
                    .containsExactlyInAnyOrder(
                            inRedis(COUNT, "heart", "1", "0"), inRedis(COUNT, "smile", "0", "1"));
        }

        @Test
        void hasACounterThatIsNoNumber() {
            hotCounts.put("r:like", "many");
            assertThat(redis())
                    .extracting(Difference::kind, Difference::name)
                    .containsExactly(tuple(COUNT, "like"));
        }

        @Test
        void hasOtherTimesThanTheCounter() {
            hotCounts.put("r:like", list("2", "41", "60"));
            assertThat(redis()).containsExactly(inRedis(TIMES, "like", "40/60", "41/60"));
        }

        @Test
        void hasAnotherTimeOfTheLastChange() {
            hotCounts.put("at", "61");
            assertThat(redis()).containsExactly(inRedis(TIMES, "", "60", "61"));
        }

        @Test
        void hasOtherReactionsOfAUser() {
            hotUsers.put("u:ann", list("18", "like"));
            assertThat(redis()).containsExactly(inRedis(USER, "ann", "[heart, like]", "[like]"));
        }

        @Test
        void hasAUserWithoutReactionsInPostgres() {
            hotUsers.put("u:cat", list("19", "like"));
            assertThat(redis()).containsExactly(inRedis(USER, "cat", "[]", "[like]"));
        }

        @Test
        void redisMayHoldAUserWithoutReactions() {
            hotUsers.put("u:cat", list("19"));
            assertThat(redis()).isEmpty();
        }

        @Test
        void lacksAUserOfACompleteHash() {
            hotUsers.remove("u:ben");
            assertThat(redis()).containsExactly(inRedis(USER, "", "3 in all", "2 in all"));
        }

        @Test
        void countsAnotherNumberOfPeople() {
            hotCounts.put("people", "3");
            assertThat(redis()).containsExactly(inRedis(PEOPLE, "", "2", "3"));
        }

        @Test
        void lacksTheNumberOfPeople() {
            hotCounts.remove("people");
            assertThat(redis()).containsExactly(inRedis(PEOPLE, "", "2", "-1"));
        }

        @Test
        void mayLackUsersOfAPartialHash() {
            hotUsers.remove("u:ben");
            hotUsers.put("complete", "0");
            assertThat(redis()).isEmpty();
        }

        @Test
        void mayLackTheUserHash() {
            hotUsers.clear();
            assertThat(redis()).isEmpty();
        }

        @Test
        void mayHoldUsersOfAnotherEpoch() {
            hotUsers.put("epoch", "6");
            assertThat(redis()).isEmpty();
        }

        private List<Difference> redis() {
            return Comparison.redis(tally(), hot());
        }
    }

    private EntityTally tally() {
        var counted = new CountedRows(rows, rows.isEmpty() ? 0 : 2);
        return new EntityTally(new PartitionPosition(EPOCH, ACKED, head), counters, counted, users);
    }

    private HotCopy hot() {
        return new HotCopy(
                EPOCH,
                new InspectScript.Reply.InspectedState(
                        ACKED, waiting, countsTtl, usersTtl, hotCounts, hotUsers));
    }

    private static Difference inPostgres(
            DriftKind kind, String name, String expected, String found) {
        return new Difference(POSTGRES, kind, name, expected, found);
    }

    private static Difference inRedis(DriftKind kind, String name, String expected, String found) {
        return new Difference(REDIS, kind, name, expected, found);
    }

    private static String list(String... items) {
        return RedisSchema.join(List.of(items));
    }
}
