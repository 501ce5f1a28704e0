package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.P;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import org.junit.jupiter.api.Test;

import java.util.OptionalLong;

class ConfigureScriptTest {

    private final HotFixture hot = new HotFixture();
    private final ConfigureScript configure = new ConfigureScript();

    @Test
    void theOpenEpochIsReturned() {
        hot.open(new Fence(12, hot.incarnation()));

        assertThat(execute(4)).hasValue(12);
        assertThat(hot.meta("config")).isEqualTo("4");
    }

    @Test
    void neverGoesBack() {
        execute(10);

        assertThat(execute(9)).hasValue(1);
        assertThat(hot.meta("config")).isEqualTo("10");
    }

    @Test
    void writesNothingWhereNoEpochIsOpen() {
        hot.redis.flushall();

        assertThat(execute(4)).isEmpty();
        assertThat(hot.everything()).isEmpty();
    }

    /** Instances at that server may still write in the epoch, by older rules. */
    @Test
    void writesNothingInAnEpochOfAnotherServer() {
        execute(4);
        hot.redis.hset(RedisSchema.meta(P), "incarnation", "of another server");

        assertThat(execute(5)).isEmpty();
        assertThat(hot.meta("config")).isEqualTo("4");
    }

    @Test
    void theConfigurationVersionIsWrittenAtMaxmemory() {
        hot.fill();

        assertThat(execute(4)).hasValue(1);
        assertThat(hot.meta("config")).isEqualTo("4");
    }

    private OptionalLong execute(long config) {
        return configure.execute(hot.async, P, config).join();
    }
}
