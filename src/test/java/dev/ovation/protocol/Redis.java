package dev.ovation.protocol;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.Fence;
import dev.ovation.hot.Proposal;
import dev.ovation.hot.script.AckScript.Fate;
import dev.ovation.hot.script.InstallScript;
import dev.ovation.hot.script.OpenScript;
import dev.ovation.hot.script.ReactScript;
import dev.ovation.hot.script.ReadScript;
import dev.ovation.store.EntitySnapshot;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** A Redis server: what instances ask of it, and what may happen to it. */
public interface Redis {

    /** The server refuses, at maxmemory, before anything is changed. */
    final class OutOfMemory extends RuntimeException {
        OutOfMemory() {
            super("OOM", null, false, false);
        }
    }

    /** What is read of a partition's {@code meta}; epoch 0 when nothing is there. */
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

    boolean ack(int p, Fence fence, long applied, List<Fate> fates);

    OpenScript.Reply open(int p, Fence fence);

    int sweep(int p, List<EntityKey> entities);

    /** What can be lost one by one. */
    enum Part {
        COUNTS,
        USERS,
        LEASE,
        IN_HAND,
        META,
        OUTBOX
    }

    /** Removes a part if it is there and, when {@code onlyClean}, carries a TTL. */
    void lose(int p, @Nullable EntityKey key, Part part, boolean onlyClean);

    /** FLUSHALL. */
    void flush();

    /** From now on nothing new has room, or it has again. */
    void full(boolean full);

    /** Becomes another incarnation, as at every start and every promotion. */
    void renew(String incarnation);

    /** Everything it holds, to be given to {@link #restore} of a server of the same kind. */
    Object save();

    /** Holds what was saved, and nothing else. */
    void restore(Object saved);

    /** Everything it holds, readable and in an order, to compare two of them. */
    Map<String, String> contents();
}
