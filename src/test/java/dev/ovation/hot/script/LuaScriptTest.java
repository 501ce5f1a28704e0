package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.P;
import static dev.ovation.hot.script.HotFixture.untouched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.RedisCalls;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CompletionException;

class LuaScriptTest {

    private final HotFixture hot = new HotFixture();
    private final LuaScript script = new LuaScript("configure", ScriptOutputType.VALUE);

    @Test
    void aMissingFileFailsWhenTheProgramStarts() {
        assertThatThrownBy(() -> new LuaScript("nothing", ScriptOutputType.VALUE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nothing.lua");
    }

    @Test
    void isSentWholeToAServerThatDoesNotKnowIt() {
        hot.redis.scriptFlush();
        hot.redis.configResetstat();

        assertThat(execute()).isEqualTo("1");
        assertThat(RedisCalls.count(hot.redis, "eval")).isEqualTo(1);
    }

    @Test
    void isSentByItsShaToAServerThatKnowsIt() {
        hot.redis.scriptFlush();
        execute();
        hot.redis.configResetstat();

        assertThat(hot.redis.scriptExists(script.sha())).containsExactly(true);
        assertThat(execute()).isEqualTo("1");
        assertThat(RedisCalls.count(hot.redis, "evalsha")).isEqualTo(1);
        assertThat(RedisCalls.count(hot.redis, "eval")).isZero();
    }

    @Test
    void anyOtherErrorIsTheAnswer() {
        execute();
        hot.redis.del(RedisSchema.meta(P));
        hot.redis.set(RedisSchema.meta(P), "not a hash");
        hot.redis.configResetstat();

        assertThatThrownBy(this::execute)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(RedisCommandExecutionException.class)
                .hasMessageContaining("WRONGTYPE");
        assertThat(RedisCalls.count(hot.redis, "evalsha")).isEqualTo(1);
        assertThat(RedisCalls.count(hot.redis, "eval")).isZero();
    }

    @Test
    void aWriteSentWholeIsAppliedOnce() {
        hot.load(untouched());
        hot.redis.scriptFlush();

        assertThat(hot.add(ANN, LIKE).accepted().seq()).isEqualTo(1);
        assertThat(hot.outboxIds()).containsExactly("1-1");
    }

    private String execute() {
        return script.string(hot.async, new String[] {RedisSchema.meta(P)}, "4").join();
    }
}
