package dev.ovation.protocol;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.script.InstallScript;
import dev.ovation.hot.script.OpenScript;
import dev.ovation.hot.script.ReactScript;
import dev.ovation.hot.script.ReadScript;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Proposal;
import dev.ovation.store.snapshot.EntitySnapshot;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** A Redis server: its commands, and its faults. */
public interface Redis {

    /** The server refuses a write, at maxmemory, before any change. */
    final class OutOfMemory extends RuntimeException {
        OutOfMemory() {
            super("OOM", null, false, false);
        }
    }

    /** Fields of a partition's {@code meta}; epoch 0 if the key is missing. */
    record Meta(long epoch, String incarnation, long seq, long acked) {}

    /** An entry of an outbox. */
    record Entry(long epoch, long seq, Map<String, String> fields) {}

    /** The replication id. */
    String incarnation();

    Meta meta(int p);

    /** The first entries of an outbox. */
    List<Entry> outbox(int p, int count);

    ReactScript.Reply react(int p, Fence fence, Proposal proposal, String token, String stale);

    ReadScript.Reply read(
            int p, Fence fence, EntityKey key, String viewer, String token, String stale);

    InstallScript.Reply install(
            int p, Fence fence, EntityKey key, EntitySnapshot snapshot, String token);

    boolean ack(int p, Fence fence, long after, long applied, List<Fate> fates);

    OpenScript.Reply open(int p, Fence fence);

    int sweep(int p, List<EntityKey> entities);

    /** Parts that can be lost one by one. */
    enum Part {
        COUNTS,
        USERS,
        LEASE,
        IN_HAND,
        META,
        OUTBOX
    }

    /** Removes a part if it exists and, with {@code onlyClean}, has a TTL. */
    void lose(int p, @Nullable EntityKey key, Part part, boolean onlyClean);

    /** FLUSHALL. */
    void flush();

    /** Sets whether new data is refused for lack of memory. */
    void full(boolean full);

    /** Becomes another incarnation, as at every start and every promotion. */
    void renew(String incarnation);

    /** Returns all data, for {@link #restore} of a server of the same kind. */
    Object save();

    /** Replaces all data by saved data. */
    void restore(Object saved);

    /** All data, readable and sorted, for the comparison of two servers. */
    Map<String, String> contents();
}
