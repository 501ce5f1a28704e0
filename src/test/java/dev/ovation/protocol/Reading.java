package dev.ovation.protocol;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.script.ReadScript.Reply;
import dev.ovation.hot.state.Fence;
import dev.ovation.outbox.InstanceModel;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** One request to read an entity with the user's own reactions; models HotEntities and Reader. */
final class Reading {

    private static final int MOST_TRIES = 4;

    private final World world;
    private final String user;
    private final InstanceModel instance;
    private final EntityKey key;
    private final Runnable ended;
    private final int p;
    private @Nullable Fence fence;
    private String token;
    private String stale = "";
    private int tries;

    Reading(World world, String user, InstanceModel instance, EntityKey key, Runnable ended) {
        this.world = world;
        this.user = user;
        this.instance = instance;
        this.key = key;
        this.ended = ended;
        this.p = world.partitionOf(key);
        this.token = world.name("token");
    }

    InstanceModel instance() {
        return instance;
    }

    void begin() {
        world.note(() -> "  " + user + " reads " + key.entity() + " through " + instance);
        fence = instance.fence(p);
        if (fence == null) {
            fromPostgres();
        } else {
            send();
        }
    }

    private void send() {
        var with = token;
        var instead = stale;
        world.send(
                instance,
                "read.lua " + key.entity() + " for " + user,
                redis -> redis.read(p, fence, key, user, with, instead),
                this::answered,
                _ -> fromPostgres());
    }

    private void answered(Reply reply) {
        switch (reply) {
            case Reply.Hit hit -> end(hit.own());
            case Reply.Miss miss -> missed(miss.holder());
            default -> {
                instance.lost(p, fence);
                fromPostgres();
            }
        }
    }

    private void missed(String holder) {
        if (holder.isEmpty() || ++tries > MOST_TRIES) {
            fromPostgres();
        } else if (!holder.equals(token)) {
            stale = tries == MOST_TRIES ? holder : "";
            world.later(instance, user + " waits for the one who loads", this::send);
        } else {
            world.ask(
                    instance,
                    user + " loads " + key.entity(),
                    () -> world.database().snapshot(p, key, user),
                    snapshot -> {
                        Writing.install(world, instance, fence, user, p, key, snapshot, token);
                        end(snapshot.users().getOrDefault(user, List.of()));
                    },
                    ended);
        }
    }

    private void fromPostgres() {
        world.ask(
                instance,
                user + " reads from Postgres",
                () -> world.database().snapshot(p, key, user),
                snapshot -> end(snapshot.users().getOrDefault(user, List.of())),
                ended);
    }

    private void end(List<String> own) {
        // An instance on an old Redis may read an older state, until it detects the change.
        boolean leftBehind = fence != null && fence.epoch() != world.postgres().committed(p).epoch;
        if (!leftBehind) {
            world.checker().read(user, key, own);
        }
        ended.run();
    }
}
