package dev.ovation.store.shard;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Partitions;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;

/**
 * The shards of the partitions. On a Postgres that Citus divides over several nodes, the rows of
 * some partitions are a shard, which is on one node. Work on partitions is done there shard by
 * shard, so that a transaction is of one node. An undivided Postgres does all work at once.
 */
@Component
public class Shards {

    private static final int LOOKS = 100;
    private static final long PAUSE_MILLIS = 20;

    private final @Nullable CitusStatements citus;
    private volatile Division division = Division.NONE;

    /** Creates shards that are not known before {@link #read}. */
    public Shards(@Nullable JdbcTemplate jdbc) {
        this.citus = jdbc == null ? null : new CitusStatements(jdbc);
    }

    /** Returns the one shard of an undivided Postgres. */
    public static Shards undivided() {
        return new Shards(null);
    }

    /** Returns shards by their number for each partition; for tests. */
    public static Shards of(long... ids) {
        var shards = new Shards(null);
        shards.division = new Division(ids);
        return shards;
    }

    /**
     * Reads the shards of the partitions from Postgres. A split shard is known after the next read.
     *
     * @param count number of partitions
     */
    public void read(int count) {
        CitusStatements statements = citus();
        if (!division.exists()) {
            if (!statements.hasDivided()) {
                return;
            }
            statements.demandOwner();
        }
        division = statements.division(count);
    }

    private CitusStatements citus() {
        return Objects.requireNonNull(citus, "Postgres is not known");
    }

    /** Returns whether Postgres is divided. */
    public boolean areMany() {
        return division.exists();
    }

    /** Returns the partitions of each shard; none if Postgres is undivided. */
    public Collection<List<Integer>> all() {
        return division.partitions().values();
    }

    /** Returns the number of the shard of a partition; 0 if Postgres is undivided. */
    public long of(int p) {
        Division now = division;
        return now.exists() ? now.of(p) : 0;
    }

    /** Returns the partition of an entity; 0 if Postgres is undivided, where it does not matter. */
    public int partition(EntityKey key) {
        Division now = division;
        return now.exists() ? new Partitions(now.count()).of(key) : 0;
    }

    /** Does work whose statements are about partitions of one shard. */
    public <R, X extends Throwable> R within(
            Collection<Integer> partitions, ScopedValue.CallableOp<R, X> work) throws X {
        return division.exists() ? Narrowed.to(partitions, work) : work.call();
    }

    /** Does work whose statements are about one entity. */
    public <R, X extends Throwable> R within(EntityKey key, ScopedValue.CallableOp<R, X> work)
            throws X {
        return division.exists() ? Narrowed.to(List.of(partition(key)), work) : work.call();
    }

    /**
     * Does work for items, those of each shard together.
     *
     * @param p partition of an item
     */
    public <T> void each(
            Collection<T> items, ToIntFunction<T> p, Consumer<? super Collection<T>> work) {
        if (!division.exists()) {
            work.accept(items);
            return;
        }
        for (List<T> part : split(items, p)) {
            within(
                    part.stream().map(p::applyAsInt).toList(),
                    () -> {
                        work.accept(part);
                        return true;
                    });
        }
    }

    /** Does work for entities, those of each shard together. */
    public void each(Collection<EntityKey> keys, Consumer<? super Collection<EntityKey>> work) {
        each(keys, this::partition, work);
    }

    /** Does work on all partitions, those of each shard together, and returns the sum. */
    public int sum(IntSupplier work) {
        int[] sum = {0};
        each(() -> sum[0] += work.getAsInt());
        return sum[0];
    }

    /** Does work on all partitions, those of each shard together. */
    public void each(Runnable work) {
        if (!division.exists()) {
            work.run();
            return;
        }
        for (List<Integer> partitions : division.partitions().values()) {
            within(
                    partitions,
                    () -> {
                        work.run();
                        return true;
                    });
        }
    }

    /**
     * Does work on some shard.
     *
     * @param work takes the partitions of one
     * @throws DataAccessException when it fails on all
     */
    public void anywhere(Consumer<List<Integer>> work) {
        List<List<Integer>> parts = new ArrayList<>(division.partitions().values());
        Collections.shuffle(parts);
        DataAccessException failure = null;
        for (List<Integer> partitions : parts) {
            try {
                work.accept(partitions);
                return;
            } catch (DataAccessException e) {
                failure = e;
            }
        }
        throw Objects.requireNonNull(failure, "there are no shards");
    }

    /**
     * Returns a statement that all shards execute at the same time, each for its rows: Citus does
     * not divide a query with an {@code offset 0}, which only guides the planner.
     */
    public String together(String statement) {
        return division.exists() ? statement.replaceAll("\\boffset +0\\b", "") : statement;
    }

    /**
     * Makes all changes of the present transaction on a node by one connection: so they commit
     * together there.
     */
    public void commitTogether() {
        if (division.exists()) {
            citus().oneConnectionToANode();
        }
    }

    /** Makes a setting of the present transaction one of the nodes, too. */
    public void setLocal(String setting) {
        if (division.exists()) {
            citus().setLocal(setting);
        }
    }

    /**
     * Returns the transactions that nodes have prepared and not ended. One whose commit is decided
     * may be among them: its rows are not visible yet.
     */
    public Set<String> prepared() {
        return division.exists() ? citus().prepared() : Set.of();
    }

    /**
     * Waits until each commit that was decided by now is visible on all nodes.
     *
     * @return false if one is not yet
     */
    public boolean awaitCommits() throws InterruptedException {
        Set<String> pending = prepared();
        for (int i = 0; i < LOOKS && !pending.isEmpty(); i++) {
            Thread.sleep(PAUSE_MILLIS);
            pending.retainAll(prepared());
        }
        return pending.isEmpty();
    }

    /** Returns about how many rows a table has in all shards, by the statistics of Postgres. */
    public long estimatedRows(String table) {
        return citus().estimatedRows(table);
    }

    /**
     * Keeps the shard of these partitions on its node until the transaction ends. Citus itself
     * locks shards only for statements that write.
     */
    public void pin(Collection<Integer> partitions) {
        if (division.exists() && !partitions.isEmpty()) {
            citus().pin(partitions.iterator().next());
        }
    }

    /**
     * Asks about items, those of each shard together.
     *
     * @param p partition of an item
     * @param question returns an answer for each item, in their order
     */
    public <T, R> List<R> ask(
            List<T> items, ToIntFunction<T> p, Function<List<T>, List<R>> question) {
        if (!division.exists()) {
            return question.apply(items);
        }
        var answers = new HashMap<T, R>();
        each(
                items,
                p,
                part -> {
                    List<T> asked = List.copyOf(part);
                    List<R> answered = question.apply(asked);
                    for (int i = 0; i < asked.size(); i++) {
                        answers.put(asked.get(i), answered.get(i));
                    }
                });
        return items.stream().map(item -> Objects.requireNonNull(answers.get(item))).toList();
    }

    /** Returns items by the shard of their partition; all in one list if Postgres is undivided. */
    public <T> Collection<List<T>> split(Collection<T> items, ToIntFunction<T> p) {
        var parts = new LinkedHashMap<Long, List<T>>();
        for (T item : items) {
            parts.computeIfAbsent(of(p.applyAsInt(item)), _ -> new ArrayList<>()).add(item);
        }
        return parts.values();
    }
}
