package dev.ovation.protocol;

import dev.ovation.entity.EntityKey;
import dev.ovation.protocol.Redis.Part;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** External faults of servers and instances. */
final class Disasters {

    private static final List<Fault> KINDS =
            List.of(
                    Fault.EVICTION,
                    Fault.KEY_LOST,
                    Fault.LEASE_ENDS,
                    Fault.FLUSH,
                    Fault.RESTART,
                    Fault.PROMOTION,
                    Fault.FAIL_OVER,
                    Fault.OUT_OF_MEMORY,
                    Fault.CRASH,
                    Fault.SESSION_KILLED,
                    Fault.POSTGRES_LOSES);

    private static final List<List<Part>> LOSABLE =
            List.of(
                    List.of(Part.COUNTS, Part.USERS),
                    List.of(Part.COUNTS),
                    List.of(Part.USERS),
                    List.of(Part.OUTBOX),
                    List.of(Part.META));

    private final World world;
    private final Choices choices;
    private @Nullable Object saved;

    Disasters(World world, Choices choices) {
        this.world = world;
        this.choices = choices;
    }

    /** Causes one fault, or lets two seconds pass. */
    void happen() {
        var possible = new ArrayList<Runnable>();
        possible.add(() -> cause("two seconds pass", world.servers()::secondsPass));
        possible.add(() -> cause("Redis saves", () -> saved = world.master().save()));
        KINDS.stream()
                .filter(world::has)
                .forEach(kind -> possible.add(() -> cause(kind.toString(), () -> happen(kind))));
        choices.of(possible).run();
    }

    private void cause(String what, Runnable action) {
        world.note(() -> "* " + what);
        action.run();
    }

    private void happen(Fault kind) {
        var redis = world.master();
        EntityKey key = choices.of(world.entities());
        int p = world.partitionOf(key);
        switch (kind) {
            case EVICTION -> redis.lose(p, key, choices.of(List.of(Part.COUNTS, Part.USERS)), true);
            case KEY_LOST -> {
                world.checker().keysAreRemoved();
                choices.of(LOSABLE).forEach(part -> redis.lose(p, key, part, false));
            }
            case LEASE_ENDS ->
                    redis.lose(p, key, choices.of(List.of(Part.LEASE, Part.IN_HAND)), false);
            case FLUSH -> {
                world.checker().somethingIsLost();
                redis.flush();
            }
            case RESTART -> {
                world.checker().somethingIsLost();
                if (saved == null) {
                    redis.flush();
                } else {
                    redis.restore(saved);
                }
                redis.renew(world.name("redis"));
            }
            case PROMOTION -> redis.renew(world.name("redis"));
            case FAIL_OVER -> {
                world.checker().somethingIsLost();
                world.servers().failOver(saved == null || choices.oneIn(2) ? redis.save() : saved);
            }
            case OUT_OF_MEMORY -> redis.full(!world.servers().isFull());
            case CRASH -> world.replace(choices.of(world.instances()));
            case SESSION_KILLED -> world.killSessions();
            case POSTGRES_LOSES -> losePostgres();
            default -> throw new IllegalArgumentException(kind.toString());
        }
    }

    private void losePostgres() {
        int commits = world.postgres().commits();
        if (commits > 0) {
            world.servers().losePostgres(1 + choices.below(Math.min(4, commits)));
            world.checker().postgresLost();
        }
    }
}
