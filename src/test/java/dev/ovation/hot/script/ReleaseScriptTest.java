package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.lease;
import static dev.ovation.hot.script.HotFixture.untouched;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReleaseScriptTest {

    private final HotFixture hot = new HotFixture();

    @Test
    void aReleasedLeaseGoesToTheNextMiss() {
        hot.read(ANN, "first");

        assertThat(hot.release("first")).isTrue();
        assertThat(hot.read(ANN, "second")).isEqualTo(new ReadScript.Reply.Miss("second"));
    }

    @Test
    void leavesTheLeaseOfAnother() {
        hot.read(ANN, "first");

        assertThat(hot.release("second")).isFalse();
        assertThat(hot.redis.get(lease())).isEqualTo("first");
    }

    @Test
    void aReleasedLeaseInstallsNothing() {
        hot.read(ANN, "first");
        hot.release("first");

        assertThat(hot.install(hot.fence, untouched(), "first"))
                .isEqualTo(InstallScript.Reply.LOST);
    }

    @Test
    void findsNothingToGiveBack() {
        assertThat(hot.release("first")).isFalse();
        assertThat(hot.redis.exists(lease())).isZero();
    }
}
