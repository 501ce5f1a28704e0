package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.PATIENCE;
import static dev.ovation.hot.script.HotFixture.SETTINGS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.hot.script.FillFilterScript.Step;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.store.snapshot.EntitySnapshot;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Random changes, commits, acknowledgements, imports, look-ups, evictions of one key, changes of
 * the epoch, constraints that need times of users, and fills that race all of these or stop midway.
 * In no state may Redis answer for a user otherwise than by the reactions that the user has: a
 * filter that lacks a user would.
 */
class FilterPropertyTest {

    private static final int SEQUENCES = Integer.getInteger("sequences", 40);
    private static final int STEPS = 300;
    private static final long SEED = Long.getLong("seed", 17);
    private static final int PAGE = 7;

    /** The program of a constraint that every change fulfils. */
    private static final String TRUE = "-\u001ft";

    private static final List<String> USERS =
            IntStream.range(0, 41).mapToObj(n -> "user" + n).toList();

    @Test
    void redisNeverDeniesAReactionThatAUserHas() {
        int avoided = 0;
        int filled = 0;
        int grown = 0;
        int untimed = 0;
        int awaited = 0;
        for (int i = 0; i < SEQUENCES; i++) {
            var world = new World(SEED + i);
            for (int step = 0; step < STEPS; step++) {
                world.step();
            }
            avoided += world.unseen;
            filled += world.filled;
            grown += world.grown;
            untimed += world.untimed;
            awaited += world.awaited;
        }
        assertThat(filled).as("filters filled").isGreaterThan(SEQUENCES);
        assertThat(grown).as("changes of entities that turned partial").isGreaterThan(SEQUENCES);
        assertThat(untimed).as("users looked up for their time").isGreaterThan(SEQUENCES);
        assertThat(awaited).as("changes awaited before a look-up").isGreaterThan(SEQUENCES);
        assertThat(avoided).as("users whom only a filter answered for").isGreaterThan(SEQUENCES);
    }

    /** A fill by one instance; several run at the same time. */
    private static final class Fill {
        final String id;
        boolean reading;
        String after = "";

        Fill(String id) {
            this.id = id;
        }
    }

    /** A look-up whose result was read from Postgres and is not installed yet. */
    private record Late(
            String user, String token, long version, List<String> reactions, @Nullable Long time) {}

    /** One entity, with Postgres as a map, and all that its users do. */
    private static final class World {
        private final HotFixture hot = new HotFixture();
        private final String seed;
        private final SplittableRandom random;
        private final Map<String, List<String>> committed = new TreeMap<>();
        private final Map<String, List<String>> proposed = new HashMap<>();
        private final List<Fill> fills = new ArrayList<>();
        private final List<Late> late = new ArrayList<>();
        private Fence fence = hot.fence;
        private long version;
        private String op = "";
        private long applied;
        private long acked;
        private long now = 1000;
        private int names;
        private int unseen;
        private int filled;
        private int grown;
        private int untimed;
        private int awaited;

        World(long seed) {
            this.seed = "seed " + seed;
            random = new SplittableRandom(seed);
            int crowd = random.nextInt(2 * SETTINGS.completeLimit());
            USERS.subList(0, crowd).forEach(user -> committed.put(user, List.of(LIKE)));
            proposed.putAll(committed);
        }

        void step() {
            now++;
            switch (random.nextInt(25)) {
                case 0, 1, 2, 3, 4, 5 -> change();
                case 6, 7, 8 -> look();
                case 9, 10 -> commit();
                case 11, 12 -> acknowledge();
                case 13, 14, 15, 16, 17 -> fill();
                case 18 -> beginFill();
                case 19 -> lookUpLate();
                case 20 -> installLate();
                case 21 -> forget();
                case 22 -> evict();
                case 23 -> rarely(this::importRows);
                default -> rarely(this::changeEpoch);
            }
        }

        private void rarely(Runnable step) {
            if (random.nextInt(6) == 0) {
                step.run();
            }
        }

        private String user() {
            return USERS.get(random.nextInt(1 + random.nextInt(USERS.size())));
        }

        private List<String> own(String user) {
            return proposed.getOrDefault(user, List.of());
        }

        private void change() {
            String user = user();
            String reaction = random.nextBoolean() ? LIKE : HEART;
            var wish =
                    switch (random.nextInt(5)) {
                        case 0, 1 -> hot.remove(user, reaction);
                        case 2 -> hot.put(user, reaction);
                        case 3 -> hot.add(user, reaction).existingIsFine().keyed("k" + now, "r");
                        default -> hot.add(user, reaction);
                    };
            wish.op("op" + now + "-" + ++names);
            boolean withTimes = random.nextInt(3) == 0;
            if (withTimes) {
                wish.constraints(TRUE).timesOfUsers();
            }
            String stale = "";
            for (int tries = 0; tries < 20; tries++) {
                String token = "token" + ++names;
                boolean isKnown = hot.userField(user) != null;
                switch (hot.send(wish, fence, token, stale).join()) {
                    case ReactScript.Reply.Accepted accepted -> {
                        assertThat(accepted.own())
                                .as(seed + ": " + wish.proposal())
                                .containsExactlyInAnyOrderElementsOf(expected(wish, user));
                        proposed.put(user, accepted.own());
                        @Nullable String filter = hot.redis.hget(HotFixture.users(), "filter");
                        grown += filter != null && filter.startsWith("s") ? 1 : 0;
                        return;
                    }
                    case ReactScript.Reply.Refused refused -> {
                        assertThat(own(user)).as(seed + ": " + refused).contains(reaction);
                        return;
                    }
                    case ReactScript.Reply.Miss miss -> {
                        stale = miss.holder();
                        if (stale.equals(token)) {
                            load(token, withTimes);
                        }
                    }
                    case ReactScript.Reply.UserMiss miss when isSeq(miss.holder()) -> {
                        awaited++;
                        commit();
                        acknowledge();
                    }
                    case ReactScript.Reply.UserMiss miss -> {
                        stale = miss.holder();
                        if (stale.equals(token)) {
                            untimed += isKnown ? 1 : 0;
                            var looked = looked(user, token, withTimes);
                            if (random.nextInt(4) == 0) { // the caller gives up meanwhile
                                late.add(looked);
                                return;
                            }
                            install(looked);
                        }
                    }
                    case ReactScript.Reply.Full _ -> {
                        commit();
                        acknowledge();
                    }
                    case ReactScript.Reply other -> throw new AssertionError(seed + ": " + other);
                }
            }
            throw new AssertionError(seed + ": no answer to " + wish.proposal());
        }

        private static boolean isSeq(String holder) {
            return Character.isDigit(holder.charAt(0));
        }

        private Late looked(String user, String token, boolean withTime) {
            List<String> reactions = committed.getOrDefault(user, List.of());
            @Nullable Long time = withTime && !reactions.isEmpty() ? 1L : null;
            return new Late(user, token, version, reactions, time);
        }

        private List<String> expected(Wish wish, String user) {
            var reactions = new ArrayList<>(own(user));
            var wanted = wish.proposal().reactions();
            switch (wish.proposal().kind()) {
                case ADD ->
                        wanted.stream().filter(r -> !reactions.contains(r)).forEach(reactions::add);
                case REMOVE -> reactions.removeAll(wanted);
                case PUT -> {
                    reactions.clear();
                    reactions.addAll(wanted);
                }
            }
            return reactions;
        }

        private void look() {
            String user = user();
            if (hot.read(fence, user, "", "") instanceof ReadScript.Reply.Hit hit) {
                assertThat(hit.own())
                        .as(seed + ": " + user)
                        .containsExactlyInAnyOrderElementsOf(own(user));
                if (hot.userField(user) == null
                        && "0".equals(hot.redis.hget(HotFixture.users(), "complete"))) {
                    unseen++;
                }
            }
        }

        private void load(String token, boolean withTimes) {
            var counters =
                    Stream.of(LIKE, HEART)
                            .map(r -> new Counter(r, count(r), 1, 2))
                            .filter(counter -> counter.count() > 0)
                            .toList();
            boolean complete = committed.size() <= SETTINGS.completeLimit();
            var users = complete ? new TreeMap<>(committed) : Map.<String, List<String>>of();
            var times = new HashMap<String, Long>();
            if (withTimes) {
                users.keySet().forEach(user -> times.put(user, 1L));
            }
            var snapshot =
                    new EntitySnapshot(
                            fence.epoch(),
                            version,
                            op,
                            1000,
                            people(),
                            counters,
                            complete,
                            users,
                            null,
                            times);
            if (hot.install(fence, snapshot, token) == InstallScript.Reply.DIRTY) {
                drain();
            }
        }

        private long people() {
            return committed.values().stream().filter(all -> !all.isEmpty()).count();
        }

        private long count(String reaction) {
            return committed.values().stream().filter(all -> all.contains(reaction)).count();
        }

        private void install(Late looked) {
            hot.installUsersOf(
                    looked.version(),
                    fence,
                    new InstallUsersScript.Looked(
                            looked.user(), looked.token(), looked.reactions(), looked.time()));
        }

        private void lookUpLate() {
            String user = user();
            String token = "late" + ++names;
            if (hot.read(fence, user, token, "").equals(new ReadScript.Reply.UserMiss(token))) {
                late.add(looked(user, token, random.nextBoolean()));
            }
        }

        private void installLate() {
            if (!late.isEmpty()) {
                install(late.remove(random.nextInt(late.size())));
            }
        }

        /** Commits some of the events that wait. */
        private void commit() {
            var events = hot.events().stream().filter(event -> event.seq() > applied).toList();
            int many = events.isEmpty() ? 0 : 1 + random.nextInt(events.size());
            for (Event event : events.subList(0, many)) {
                var reactions = new ArrayList<>(committed.getOrDefault(event.user(), List.of()));
                reactions.removeAll(event.removed());
                reactions.addAll(event.added());
                if (reactions.isEmpty()) {
                    committed.remove(event.user());
                } else {
                    committed.put(event.user(), reactions);
                }
                applied = event.seq();
                version = event.version();
                op = event.op();
            }
        }

        private void acknowledge() {
            if (applied > acked) {
                assertThat(hot.ack(fence, applied, HotFixture.committed(op, applied))).isTrue();
                acked = applied;
            }
        }

        private void drain() {
            while (hot.events().stream().anyMatch(event -> event.seq() > applied)) {
                commit();
            }
            acknowledge();
        }

        private void beginFill() {
            if (fills.size() < 3) {
                fills.add(new Fill("fill" + ++names));
            }
        }

        private void fill() {
            if (fills.isEmpty()) {
                return;
            }
            var fill = fills.get(random.nextInt(fills.size()));
            if (random.nextInt(25) == 0) { // its instance dies, and is missed
                fills.remove(fill);
                now += random.nextInt(2 * (int) PATIENCE.toMillis());
                return;
            }
            switch (fill.reading ? addPage(fill) : begin(fill)) {
                case WAIT -> acknowledge();
                case READ -> fill.reading = true;
                case COMPLETE -> {
                    filled++;
                    fills.remove(fill);
                }
                default -> fills.remove(fill);
            }
        }

        private FillFilterScript.Reply begin(Fill fill) {
            return hot.fillFilter(fence, fill.id, now, Step.BEGIN);
        }

        private FillFilterScript.Reply addPage(Fill fill) {
            List<String> page =
                    committed.keySet().stream()
                            .filter(user -> user.compareTo(fill.after) > 0)
                            .limit(PAGE)
                            .toList();
            Step step = page.size() < PAGE ? Step.LAST : Step.ADD;
            fill.after = page.isEmpty() ? fill.after : page.getLast();
            return hot.fillFilter(fence, fill.id, now, step, page.toArray(String[]::new));
        }

        /** A trim may drop any user without an unacknowledged change from a partial hash. */
        private void forget() {
            for (String user : USERS) {
                @Nullable String field = hot.userField(user);
                if (field != null
                        && random.nextInt(3) > 0
                        && "0".equals(hot.redis.hget(HotFixture.users(), "complete"))
                        && Long.parseLong(field.split("[\u001c\u001f]", 2)[0]) <= acked) {
                    hot.redis.hdel(HotFixture.users(), "u:" + user);
                }
            }
        }

        private void evict() {
            var keys = List.of(HotFixture.counts(), HotFixture.users(), HotFixture.filter());
            String key = keys.get(random.nextInt(keys.size()));
            if (hot.clean(key)) {
                hot.redis.unlink(key);
            }
        }

        /** Adds rows past the outbox, as imports do, and acknowledges that change. */
        private void importRows() {
            drain();
            String user = user();
            committed.put(user, List.of(HEART));
            proposed.put(user, List.of(HEART));
            version += 1000;
            op = "import" + ++names;
            assertThat(hot.ack(fence, applied, HotFixture.committed(op, applied))).isTrue();
        }

        /** Loses each change that is not committed. */
        private void changeEpoch() {
            fence = new Fence(fence.epoch() + 1, fence.incarnation());
            hot.open(fence);
            proposed.clear();
            proposed.putAll(committed);
            applied = 0;
            acked = 0;
        }
    }
}
