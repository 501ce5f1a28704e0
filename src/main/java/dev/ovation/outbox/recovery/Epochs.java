package dev.ovation.outbox.recovery;

import dev.ovation.entity.Micros;
import dev.ovation.hot.link.RedisErrors;
import dev.ovation.hot.link.RedisLink;
import dev.ovation.hot.script.OpenScript;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.store.ConfigurationTable;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable;
import dev.ovation.store.PartitionTable.Succession;
import dev.ovation.store.shard.Shards;

import io.lettuce.core.KeyValue;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionOperations;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The epochs of partitions: taken in Postgres, then opened in Redis. An epoch is opened at most
 * once: by the instance that took it, with one send. An instance that is not certain of the open
 * takes another epoch.
 */
public final class Epochs {

    /** The instance that took an epoch this young may still be opening it. */
    private static final long OPENING_MILLIS = 1000;

    private final PartitionTable partitions;
    private final ConfigurationTable configurations;
    private final TransactionOperations transactions;
    private final Shards shards;
    private final ScriptTimes times;
    private final OpenScript openScript = new OpenScript();
    private final long timeoutMillis;

    public Epochs(
            PartitionTable partitions,
            ConfigurationTable configurations,
            TransactionOperations transactions,
            Shards shards,
            ScriptTimes times,
            long timeoutMillis) {
        this.partitions = partitions;
        this.configurations = configurations;
        this.transactions = transactions;
        this.shards = shards;
        this.times = times;
        this.timeoutMillis = timeoutMillis;
    }

    /** A partition's meta in Redis; epoch 0 when Redis has none. */
    public record Meta(long epoch, String incarnation, long config, long acked) {
        private static final Meta NONE = new Meta(0, "", 0, 0);
    }

    /**
     * The partitions in Postgres and Redis. The epochs in Postgres are read first. The watermarks
     * are read again after Redis, so that they are not behind any acknowledged event.
     */
    public static final class OpenedEpoch {
        private final String incarnation;
        private long newestConfig;
        private @Nullable Exception refusal;
        private final Map<Integer, PartitionRow> rows = new HashMap<>();
        private final Map<Integer, Meta> metas = new HashMap<>();

        public OpenedEpoch(String incarnation) {
            this.incarnation = incarnation;
        }

        /** Adds the state of one partition in both. */
        public void add(PartitionRow row, Meta meta) {
            rows.put(row.p(), row);
            metas.put(row.p(), meta);
        }

        /** Updates the watermark of a partition. */
        private void add(PartitionRow later) {
            rows.computeIfPresent(
                    later.p(), (_, row) -> row.epoch() == later.epoch() ? later : row);
        }

        /**
         * Fails when the server does not serve the slot of a partition; that one has no row here.
         */
        void requireAll() throws Exception {
            if (refusal != null) {
                throw refusal;
            }
        }

        /** Returns the rows, as they were read last within the epoch that was read first. */
        List<PartitionRow> rows() {
            return List.copyOf(rows.values());
        }

        /**
         * Returns whether the row's epoch is the one that is open on this server. The answer is
         * false when Redis is ahead of Postgres: then Postgres was restored.
         */
        public boolean isOpen(PartitionRow row) {
            var meta = meta(row.p());
            return row.epoch() > 0
                    && row.incarnation().equals(incarnation)
                    && meta.incarnation().equals(incarnation)
                    && meta.epoch() == row.epoch()
                    && meta.config() <= newestConfig
                    && meta.acked() <= row.appliedSeq();
        }

        private Meta meta(int p) {
            return metas.getOrDefault(p, Meta.NONE);
        }

        /**
         * An instance that took an epoch since may have opened it too: then the meta is out of
         * date.
         */
        private boolean isStillSo(PartitionRow row) {
            var before = rows.get(row.p());
            return before != null && before.epoch() == row.epoch();
        }
    }

    /** Reads the meta of these partitions of one server, as far as it serves their slots. */
    OpenedEpoch look(RedisLink link, List<PartitionRow> rows, String incarnation) throws Exception {
        var pending =
                new LinkedHashMap<
                        PartitionRow, CompletableFuture<List<KeyValue<String, String>>>>();
        var seen = new OpenedEpoch(incarnation);
        for (PartitionRow row : rows) {
            pending.put(
                    row,
                    link.relay()
                            .hmget(
                                    RedisSchema.meta(row.p()),
                                    "epoch",
                                    "incarnation",
                                    "config",
                                    "acked")
                            .toCompletableFuture());
        }
        for (var one : pending.entrySet()) {
            List<KeyValue<String, String>> values;
            try {
                values = one.getValue().get(timeoutMillis, TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                if (!RedisErrors.isOfASlot(e.getCause())) {
                    throw e;
                }
                seen.refusal = e;
                continue;
            }
            seen.add(
                    one.getKey(),
                    new Meta(
                            number(values.get(0)),
                            values.get(1).getValueOrElse(""),
                            number(values.get(2)),
                            number(values.get(3))));
        }
        partitions.all().forEach(seen::add);
        // After the read from Redis: a version is stored in Postgres before it is written to a
        // partition.
        seen.newestConfig = configurations.newestVersion();
        return seen;
    }

    private static long number(KeyValue<String, String> value) {
        return Long.parseLong(value.getValueOrElse("0"));
    }

    /**
     * Takes and opens new epochs for these partitions of one server, if their locked rows still
     * need one.
     *
     * @param wanted at least one
     * @param mustEnd whether the epoch of a row must end although it may be open
     * @return the rows of the epochs that this call opened
     */
    List<PartitionRow> renew(
            RedisLink link,
            Collection<Integer> wanted,
            OpenedEpoch seen,
            Predicate<PartitionRow> mustEnd)
            throws Exception {
        proveWritable(link, wanted.iterator().next());
        long seconds = TimeUnit.MICROSECONDS.toSeconds(Micros.now());
        var opened = new ArrayList<PartitionRow>();
        for (List<Integer> some : shards.split(wanted, Integer::intValue)) {
            List<Succession> taken =
                    shards.within(
                            some,
                            () ->
                                    transactions.execute(
                                            _ -> take(partitions, some, seen, mustEnd, seconds)));
            if (taken != null) {
                opened.addAll(open(link, taken));
            }
        }
        return opened;
    }

    /**
     * Decides under the locks, within a transaction, and writes the decision.
     *
     * @param seconds the clock
     */
    public static List<Succession> take(
            PartitionTable partitions,
            Collection<Integer> wanted,
            OpenedEpoch seen,
            Predicate<PartitionRow> mustEnd,
            long seconds) {
        List<Succession> successions =
                partitions.lock(wanted).stream()
                        .filter(seen::isStillSo)
                        .filter(row -> mustEnd.test(row) || ends(row, seen))
                        .map(row -> succession(row, seen, seconds))
                        .toList();
        if (!successions.isEmpty()) {
            partitions.succeed(successions);
        }
        return successions;
    }

    /**
     * Runs before an epoch is taken: a replica, or a server that may not write, refuses the
     * command.
     *
     * @param p a partition of the server
     */
    private void proveWritable(RedisLink link, int p) throws Exception {
        link.relay()
                .unlink(RedisSchema.meta(p) + ":probe")
                .toCompletableFuture()
                .get(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    private static boolean ends(PartitionRow row, OpenedEpoch seen) {
        boolean beingOpened = row.epoch() > 0 && Math.abs(row.ageMillis()) < OPENING_MILLIS;
        return !beingOpened && !seen.isOpen(row);
    }

    /**
     * The new epoch is not below the clock in seconds. A Postgres that was restored to an older
     * copy does not know which epochs it handed out since, and an empty Redis does not know them
     * either.
     */
    private static Succession succession(PartitionRow row, OpenedEpoch seen, long seconds) {
        long known = Math.max(row.epoch(), seen.meta(row.p()).epoch());
        long next = Math.max(known + 1, seconds);
        return new Succession(row.p(), row.epoch(), row.appliedSeq(), next, seen.incarnation);
    }

    private List<PartitionRow> open(RedisLink link, List<Succession> taken) throws Exception {
        // After the epoch is committed: a later configuration waits for this epoch.
        long config = configurations.newestVersion();
        var replies = new LinkedHashMap<Succession, CompletableFuture<OpenScript.Reply>>();
        for (Succession next : taken) {
            var fence = new Fence(next.newEpoch(), next.newIncarnation());
            var reply = openScript.execute(link.relay(), next.p(), fence, config);
            replies.put(next, times.timed("open", reply));
        }
        var opened = new ArrayList<PartitionRow>();
        for (var reply : replies.entrySet()) {
            var next = reply.getKey();
            if (reply.getValue().get(timeoutMillis, TimeUnit.MILLISECONDS)
                    == OpenScript.Reply.OPENED) {
                opened.add(
                        new PartitionRow(
                                next.p(), next.newEpoch(), next.newIncarnation(), 0, 0, ""));
            }
        }
        return opened;
    }
}
