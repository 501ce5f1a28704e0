package dev.ovation.outbox.batch;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Fence;
import dev.ovation.store.EntityTable.EntityHead;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Slices of outboxes in which most events continue the state that the proposer knows, and some have
 * a wrong base, are malformed or cannot be stored. Now and then a slice is of another epoch, has
 * another anchor, a gap, or events that are applied already.
 */
final class RandomBatches {

    /** Partition, epoch, watermark and its op, of each partition in order. */
    static final String WATERMARKS =
            "select p, epoch, applied_seq, applied_op from partition order by p";

    /** Entity, version and op of each entity. */
    static final String HEADS = "select entity, version, last_op from entity";

    private static final int ENTITIES = 5;

    private final Random random;
    private final Map<EntityKey, EntityHead> heads = new HashMap<>();
    private final Set<String> rows = new HashSet<>();
    private int ops;

    RandomBatches(long seed) {
        random = new Random(seed);
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    private String any(String... of) {
        return of[random.nextInt(of.length)];
    }

    /** Returns a change by another writer, or an empty text. */
    String interference() {
        if (!oneIn(15)) {
            return "";
        }
        return any(
                "update entity set version = version + 3 where no = 1",
                "update entity set last_op = 'imported' where no = 2",
                "update partition set logged = not logged",
                "update partition set logged = false",
                "update partition set epoch = epoch + 1, applied_seq = 0, applied_op = '' where p = 1",
                "delete from user_reaction where user_id = 'u1'; delete from counter c where not exists"
                        + " (select from user_reaction r where r.p = c.p and r.entity_no = c.entity_no"
                        + " and r.reaction = c.reaction)");
    }

    /**
     * Lets the proposer know the states of all entities, and the reactions of all users as entity,
     * user and reaction.
     */
    void know(List<String> entities, List<String> reactions) {
        rows.clear();
        rows.addAll(reactions);
        heads.clear();
        for (String entity : entities) {
            String[] head = entity.split(" ", -1);
            heads.put(
                    new EntityKey("posts", head[0]),
                    new EntityHead(Long.parseLong(head[1]), head[2]));
        }
    }

    /** Returns slices of some partitions with these watermarks. */
    List<OutboxSlice> next(List<String> watermarks) {
        var slices = new ArrayList<OutboxSlice>();
        for (String row : watermarks) {
            if (slices.isEmpty() || oneIn(2)) {
                slices.add(slice(row.split(" ", -1)));
            }
        }
        return slices;
    }

    private OutboxSlice slice(String[] row) {
        int p = Integer.parseInt(row[0]);
        long epoch = Long.parseLong(row[1]) + (oneIn(30) ? 1 : 0);
        long applied = Long.parseLong(row[2]);
        var entries = new ArrayList<TestEvent>();
        if (applied > 0) {
            entries.add(TestEvent.event(applied, oneIn(30) ? "another" : row[3]));
        }
        int events = random.nextInt(6);
        for (int n = 1; n <= events; n++) {
            entries.add(event(p, applied + n + (oneIn(80) ? 1 : 0)));
        }
        long known = applied > 0 && oneIn(12) ? applied - 1 : applied;
        var all = entries.toArray(TestEvent[]::new);
        return new OutboxSlice(
                p, new Fence(epoch, "id"), known, known, 0, TestEvent.entries(all), oneIn(2));
    }

    private TestEvent event(int p, long seq) {
        var key = new EntityKey("posts", p + "-" + random.nextInt(ENTITIES));
        String user = "u" + random.nextInt(4);
        var event = TestEvent.event(seq, "op" + ++ops);
        event.on(key, base(key)).by(user);
        switch (random.nextInt(6)) {
            case 0, 1, 2 -> {
                String reaction = any("👍", "👎");
                if (!added(event, user, reaction)) {
                    remove(event, user, reaction);
                }
            }
            case 3 -> remove(event, user, "👍");
            case 4 -> {
                remove(event, user, "👍");
                added(event, user, "👎");
            }
            default -> {
                remove(event, user, "👎");
                added(event, user, oneIn(4) ? "new" + random.nextInt(9) : "🔥");
            }
        }
        if (oneIn(8)) {
            event.keyed("k" + random.nextInt(12));
        }
        heads.put(key, new EntityHead(event.event().version(), event.event().op()));
        if (oneIn(60)) {
            event.by("nul\0");
        } else if (oneIn(60)) {
            event.without("at");
        } else if (oneIn(60)) {
            event.with("cnt", "");
        }
        return event;
    }

    private void remove(TestEvent event, String user, String reaction) {
        rows.remove(row(event, user, reaction));
        event.remove(reaction);
    }

    /** Adds a reaction, now and then also one that the user has; returns whether it did. */
    private boolean added(TestEvent event, String user, String reaction) {
        boolean adds = rows.add(row(event, user, reaction)) || oneIn(20);
        if (adds) {
            event.add(reaction);
        }
        return adds;
    }

    private static String row(TestEvent event, String user, String reaction) {
        return event.event().key().entity() + " " + user + " " + reaction;
    }

    private EntityHead base(EntityKey key) {
        var head = heads.getOrDefault(key, EntityHead.NONE);
        return switch (random.nextInt(60)) {
            case 0 -> new EntityHead(head.version() + 1, head.op());
            case 1 -> new EntityHead(head.version(), head.op() + "x");
            case 2 -> EntityHead.NONE;
            case 3 -> new EntityHead(head.version() + 1, "");
            default -> head;
        };
    }
}
