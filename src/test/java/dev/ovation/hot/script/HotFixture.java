package dev.ovation.hot.script;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.store.snapshot.EntitySnapshot;
import dev.ovation.testing.RedisProcess;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * One partition of a real Redis, emptied and opened at epoch 1, with small limits. Short methods
 * replace the rest of the program before a test's own step.
 */
final class HotFixture {

    static final int P = 7;
    static final String ODD = "/ \\ ; % .. | { } : * ? [a] 'q' \" 🏳️‍🌈";
    static final EntityKey POST = new EntityKey("posts", "post " + ODD);
    static final String ANN = "ann " + ODD;
    static final String BEN = "ben " + ODD;
    static final String CAT = "cat";
    static final String LIKE = "👍🏽";
    static final String DISLIKE = "👎 " + ODD;
    static final String HEART = "❤️";
    static final String RETIRED = "retired";

    /** Version of the rules of the proposals. */
    static final long CONFIG = 3;

    /** Time after which a filter that is not complete counts as abandoned. */
    static final Duration PATIENCE = Duration.ofMillis(100);

    static final HotSettings SETTINGS =
            new HotSettings(
                    Duration.ofHours(1),
                    Duration.ofMinutes(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    4,
                    8,
                    10,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(1));

    private static final RedisProcess SERVER = RedisProcess.start("--appendonly", "no");
    private static final StatefulRedisConnection<String, String> CONNECTION =
            RedisClient.create(SERVER.uri()).connect();

    final RedisCommands<String, String> redis = CONNECTION.sync();
    final RedisAsyncCommands<String, String> async = CONNECTION.async();
    final Fence fence;

    private final ReactScript react =
            new ReactScript(SETTINGS, new FilterMetrics(new SimpleMeterRegistry()));
    private final ReadScript read =
            new ReadScript(SETTINGS, new FilterMetrics(new SimpleMeterRegistry()));
    private final InstallScript install = new InstallScript(SETTINGS);
    private final InstallUsersScript installUsers = new InstallUsersScript(SETTINGS);
    private final AckScript ack = new AckScript(SETTINGS);
    private final OpenScript open = new OpenScript();
    private final FillFilterScript fillFilter = new FillFilterScript(PATIENCE);
    private final SweepScript sweep = new SweepScript();
    private final ReleaseScript release = new ReleaseScript();
    private int ops;

    HotFixture() {
        endMemory();
        redis.replicaofNoOne();
        redis.flushall();
        fence = new Fence(1, incarnation());
        open(fence);
    }

    /** The replication id of the server, from its INFO. */
    String incarnation() {
        return redis.info("replication")
                .lines()
                .filter(line -> line.startsWith("master_replid:"))
                .map(line -> line.substring("master_replid:".length()))
                .findFirst()
                .orElseThrow();
    }

    /** Makes the server a replica of an unreachable master. */
    void demote() {
        redis.replicaof("127.0.0.1", 1);
    }

    /** Makes the server refuse new data, as if it were full of dirty entities. */
    void fill() {
        redis.configSet("maxmemory-policy", "noeviction");
        redis.configSet("maxmemory", "1");
    }

    /** Makes the server full with the eviction policy of production: it evicts clean entities. */
    void squeeze() {
        redis.configSet("maxmemory", "1");
    }

    void endMemory() {
        redis.configSet("maxmemory", "0");
        redis.configSet("maxmemory-policy", "volatile-lru");
    }

    OpenScript.Reply open(Fence fence) {
        return open(fence, 0);
    }

    OpenScript.Reply open(Fence fence, long config) {
        return open.execute(async, P, fence, config).join();
    }

    /** Opens the next epoch, on the same server. */
    Fence reopen() {
        var next = new Fence(fence.epoch() + 1, fence.incarnation());
        open(next);
        return next;
    }

    ReadScript.Reply read(@Nullable String viewer, String token) {
        return read(fence, viewer, token, "");
    }

    ReadScript.Reply read(Fence fence, @Nullable String viewer, String token, String stale) {
        return read(new ReadScript.ReadItem(P, fence, POST, viewer, token, stale, "")).getFirst();
    }

    /** Reads in one run. */
    List<ReadScript.Reply> read(ReadScript.ReadItem... items) {
        return read.execute(async, List.of(items)).join();
    }

    /** Reads an entity that must be in Redis. */
    ReadScript.Reply.Hit hit(@Nullable String viewer) {
        return (ReadScript.Reply.Hit) read(viewer, "nobody");
    }

    /** Takes the lease and installs an entity like a loader. */
    void load(EntitySnapshot snapshot) {
        load(fence, snapshot);
    }

    void load(Fence fence, EntitySnapshot snapshot) {
        read(fence, ANN, "loader", "");
        InstallScript.Reply reply = install(fence, snapshot, "loader");
        if (reply != InstallScript.Reply.INSTALLED) {
            throw new AssertionError(reply);
        }
    }

    InstallScript.Reply install(Fence fence, EntitySnapshot snapshot, String token) {
        return install.execute(async, P, fence, POST, snapshot, token).join();
    }

    /** An entity without any change. */
    static EntitySnapshot untouched() {
        return new EntitySnapshot(1, 0, "", 0, 0, List.of(), true, Map.of());
    }

    /** An entity with all its reactors; counts and times as in the design. */
    static EntitySnapshot complete(List<Counter> counters, Map<String, List<String>> users) {
        long people = users.values().stream().filter(own -> !own.isEmpty()).count();
        return new EntitySnapshot(1, 10, "before", 1000, people, counters, true, users);
    }

    /** A locked entity with all its reactors; the lock lets the given reactions pass. */
    static EntitySnapshot locked(
            List<Counter> counters, Map<String, List<String>> users, String... passing) {
        String lock = RedisSchema.PART + String.join(RedisSchema.PART, passing) + RedisSchema.PART;
        long people = users.values().stream().filter(own -> !own.isEmpty()).count();
        return new EntitySnapshot(
                1, 10, "before", 1000, people, counters, true, users, lock, Map.of());
    }

    /** A high-cardinality entity with some of its reactors, all of whom have one reaction. */
    static EntitySnapshot partial(List<Counter> counters, Map<String, List<String>> users) {
        long people = counters.stream().mapToLong(Counter::count).sum();
        return new EntitySnapshot(1, 10, "before", 1000, people, counters, false, users);
    }

    /** Looks a user of a partial entity up. */
    void lookUp(String user, String... reactions) {
        read(user, "lookup");
        if (installUsers(fence, new InstallUsersScript.Looked(user, "lookup", List.of(reactions)))
                != 1) {
            throw new AssertionError("not installed: " + user);
        }
    }

    /** Installs users that were looked up at the version of {@link #partial}. */
    int installUsers(Fence fence, InstallUsersScript.Looked... users) {
        return installUsersOf(10, fence, users);
    }

    /** Installs users that were looked up at a version of the entity. */
    int installUsersOf(long version, Fence fence, InstallUsersScript.Looked... users) {
        return installUsers.execute(async, P, fence, POST, version, List.of(users)).join();
    }

    /** Takes a step of the filter named {@code id}, at {@code now} of the caller's clock. */
    FillFilterScript.Reply fillFilter(
            Fence fence, String id, long now, FillFilterScript.Step step, String... users) {
        return fillFilter.execute(async, P, fence, POST, id, now, step, List.of(users)).join();
    }

    FillFilterScript.Reply fillFilter(String id, FillFilterScript.Step step, String... users) {
        return fillFilter(fence, id, 1000, step, users);
    }

    /** Fills a filter of a partial entity without waiting changes, with all these users. */
    void completeFilter(String... users) {
        var begun = fillFilter("filled", FillFilterScript.Step.BEGIN);
        var done = fillFilter("filled", FillFilterScript.Step.LAST, users);
        if (begun != FillFilterScript.Reply.READ || done != FillFilterScript.Reply.COMPLETE) {
            throw new AssertionError(begun + ", " + done);
        }
    }

    /** A proposal to add; its op is op1, op2, … in the order of calls, its time 5000. */
    Wish add(String user, String reaction) {
        return wish(user, ChangeKind.ADD, reaction);
    }

    /** A proposal to remove. */
    Wish remove(String user, String reaction) {
        return wish(user, ChangeKind.REMOVE, reaction);
    }

    /** A proposal to replace the user's reactions by these. */
    Wish put(String user, String... reactions) {
        return wish(user, ChangeKind.PUT, reactions);
    }

    private Wish wish(String user, ChangeKind kind, String... reactions) {
        return new Wish(this, "op" + ++ops, user, kind, List.of(reactions));
    }

    CompletableFuture<ReactScript.Reply> send(Wish wish, Fence fence, String token, String stale) {
        return run(item(wish, fence, token, stale)).thenApply(answers -> reply(answers.getFirst()));
    }

    /** Sends proposals in one run. */
    CompletableFuture<List<ReactScript.ReactReply>> run(ReactScript.ReactItem... items) {
        return react.execute(async, List.of(items));
    }

    static ReactScript.ReactItem item(Wish wish, Fence fence, String token, String stale) {
        return new ReactScript.ReactItem(P, fence, wish.proposal(), token, stale);
    }

    private static ReactScript.Reply reply(ReactScript.ReactReply answer) {
        return switch (answer) {
            case ReactScript.Reply reply -> reply;
            case ReactScript.ReactFailure failed ->
                    throw new RedisCommandExecutionException(failed.error());
            case ReactScript.Later _ -> throw new AssertionError("the first is never for later");
        };
    }

    boolean ack(long applied, AckScript.Fate... fates) {
        return ack(fence, applied, fates);
    }

    boolean ack(Fence fence, long applied, AckScript.Fate... fates) {
        return ack(new AckScript.AckItem(P, fence, 0, applied, List.of(fates)))
                .getFirst()
                .equals(new AckScript.Reply.Acknowledged());
    }

    /** Acknowledges in one run. */
    List<AckScript.Reply> ack(AckScript.AckItem... items) {
        return ack.execute(async, List.of(items)).join();
    }

    static AckScript.Fate committed(String op, long seq) {
        return new AckScript.Fate(POST, op, seq, 0);
    }

    static AckScript.Fate rejected(long seq) {
        return new AckScript.Fate(POST, "", 0, seq);
    }

    int sweep(String... keys) {
        return sweep.execute(async, P, List.of(keys)).join();
    }

    boolean release(String token) {
        return release.execute(async, P, POST, token).join();
    }

    static String counts() {
        return RedisSchema.counts(P, POST);
    }

    static String users() {
        return RedisSchema.users(P, POST);
    }

    static String lease() {
        return RedisSchema.lease(P, POST);
    }

    static String filter() {
        return RedisSchema.filter(P, POST);
    }

    String meta(String field) {
        return redis.hget(RedisSchema.meta(P), field);
    }

    boolean dirty(String key) {
        return redis.pttl(key) == -1;
    }

    boolean clean(String key) {
        return redis.pttl(key) > 0;
    }

    /** The user's field in the user hash: seq and reactions. */
    @Nullable String userField(String user) {
        return redis.hget(users(), "u:" + user);
    }

    /** Ids of the entries in the outbox. */
    List<String> outboxIds() {
        return outbox().stream().map(StreamMessage::getId).toList();
    }

    List<Event> events() {
        return outbox().stream()
                .map(
                        entry ->
                                Event.read(
                                        Long.parseLong(entry.getId().split("-")[1]),
                                        Event.members(entry.getBody())))
                .toList();
    }

    /** The text of an event of the fixture's epoch, in the outbox. */
    String event(long seq) {
        String id = fence.epoch() + "-" + seq;
        return redis.xrange(RedisSchema.outbox(P), Range.create(id, id))
                .getFirst()
                .getBody()
                .get(Event.FIELD);
    }

    List<StreamMessage<String, String>> outbox() {
        return redis.xrange(RedisSchema.outbox(P), Range.unbounded());
    }

    /** All data in Redis, and whether each key has a TTL, for comparisons. */
    Map<String, String> everything() {
        var all = new TreeMap<String, String>();
        for (String key : redis.keys("*")) {
            String value =
                    switch (redis.type(key)) {
                        case "hash" -> new TreeMap<>(redis.hgetall(key)).toString();
                        case "stream" -> redis.xrange(key, Range.unbounded()).toString();
                        default -> redis.get(key);
                    };
            all.put(key, (dirty(key) ? "dirty " : "clean ") + value);
        }
        return all;
    }

    /** A map with a fixed order, like users in a snapshot. */
    static Map<String, List<String>> people(int count, String reaction) {
        var people = new LinkedHashMap<String, List<String>>();
        for (int i = 1; i <= count; i++) {
            people.put("user" + i, List.of(reaction));
        }
        return people;
    }
}
