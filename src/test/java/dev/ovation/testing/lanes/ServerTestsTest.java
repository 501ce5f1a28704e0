package dev.ovation.testing.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;

/** Checks that byte code shows which classes start a server. */
class ServerTestsTest {

    private static final ServerTests TESTS = new ServerTests();

    @Test
    void aClassThatNamesAFixtureOfServersNeedsOne() {
        assertThat(TESTS.needsServer(TestPostgres.class)).isTrue();
        assertThat(TESTS.needsServer(RedisProcess.class)).isTrue();
    }

    @Test
    void theNeedIsFoundThroughOtherClasses() throws ClassNotFoundException {
        var throughStage = Class.forName("dev.ovation.faults.redis.FlushAllTest");
        assertThat(TESTS.needsServer(throughStage)).isTrue();
        assertThat(TESTS.startingOrBreaking()).contains(throughStage.getName());
    }

    @Test
    void anHttpClientAloneNeedsNone() {
        assertThat(TESTS.needsServer(Instance.class)).isFalse();
        assertThat(TESTS.needsServer(Wait.class)).isFalse();
    }

    @Test
    void aClassThatEmptiesASharedServerBreaksIt() {
        assertThat(TESTS.startingOrBreaking())
                .contains("dev.ovation.api.HealthApiTest", "dev.ovation.api.MetricsApiTest");
    }

    @Test
    void aClassOnServersThatAllTestsShareStartsNone() {
        assertThat(TESTS.startingOrBreaking())
                .isNotEmpty()
                .doesNotContain("dev.ovation.api.ReactionsApiTest", "dev.ovation.api.PutApiTest");
    }
}
