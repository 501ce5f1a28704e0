package dev.ovation.protocol;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.function.Consumer;
import java.util.function.Function;

/** A modelled Redis and a real one; their answers and data must be equal. */
final class TwinRedis implements Redis {

    private final Redis model;
    private final Redis real;

    TwinRedis(Redis model, Redis real) {
        this.model = model;
        this.real = real;
        both(redis -> redis.full(false));
        both(Redis::flush);
        real.renew(model.incarnation());
    }

    private record Saved(Object model, Object real) {}

    private <T> T same(String what, Function<Redis, T> question) {
        Object expected = outcome(question, model);
        assertThat(outcome(question, real)).as(what).isEqualTo(expected);
        if (expected == OutOfMemory.class) {
            throw new OutOfMemory();
        }
        @SuppressWarnings("unchecked")
        T answer = (T) expected;
        return answer;
    }

    private static Object outcome(Function<Redis, ?> question, Redis redis) {
        try {
            return question.apply(redis);
        } catch (OutOfMemory e) {
            return OutOfMemory.class;
        }
    }

    private void both(Consumer<Redis> action) {
        action.accept(model);
        action.accept(real);
    }

    @Override
    public String incarnation() {
        return same("incarnation", Redis::incarnation);
    }

    @Override
    public Meta meta(int p) {
        return same("meta", redis -> redis.meta(p));
    }

    @Override
    public List<Entry> outbox(int p, int count) {
        return same("outbox", redis -> redis.outbox(p, count));
    }

    @Override
    public ReactScript.Reply react(
            int p, Fence fence, Proposal proposal, String token, String stale) {
        return same("react.lua", redis -> redis.react(p, fence, proposal, token, stale));
    }

    @Override
    public ReadScript.Reply read(
            int p, Fence fence, EntityKey key, String viewer, String token, String stale) {
        return same("read.lua", redis -> redis.read(p, fence, key, viewer, token, stale));
    }

    @Override
    public InstallScript.Reply install(
            int p, Fence fence, EntityKey key, EntitySnapshot snapshot, String token) {
        return same("install.lua", redis -> redis.install(p, fence, key, snapshot, token));
    }

    @Override
    public boolean ack(int p, Fence fence, long after, long applied, List<Fate> fates) {
        boolean held = same("ack.lua", redis -> redis.ack(p, fence, after, applied, fates));
        contents();
        return held;
    }

    @Override
    public OpenScript.Reply open(int p, Fence fence) {
        return same("open.lua", redis -> redis.open(p, fence));
    }

    @Override
    public int sweep(int p, List<EntityKey> entities) {
        return same("sweep.lua", redis -> redis.sweep(p, entities));
    }

    @Override
    public void lose(int p, @Nullable EntityKey key, Part part, boolean onlyClean) {
        both(redis -> redis.lose(p, key, part, onlyClean));
        contents();
    }

    @Override
    public void flush() {
        both(Redis::flush);
    }

    @Override
    public void full(boolean full) {
        both(redis -> redis.full(full));
    }

    @Override
    public void renew(String incarnation) {
        both(redis -> redis.renew(incarnation));
    }

    @Override
    public Object save() {
        return new Saved(model.save(), real.save());
    }

    @Override
    public void restore(Object saved) {
        model.restore(((Saved) saved).model());
        real.restore(((Saved) saved).real());
        contents();
    }

    @Override
    public Map<String, String> contents() {
        return same("everything in Redis", Redis::contents);
    }
}
