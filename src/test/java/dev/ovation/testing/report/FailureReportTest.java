package dev.ovation.testing.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that a failure in any part of a class has a report. Isolated: another lane could write
 * more lines than a report keeps.
 */
@Isolated
class FailureReportTest {

    @Test
    void aFailedTestNamesItsSeedAndShowsTheLastOutput() {
        String printed = print(failure(FailsInATest.class));
        assertThat(printed)
                .startsWith("java.lang.AssertionError: on purpose")
                .contains("Report of FailsInATest#fails")
                .contains("-Dseed.of.this.test=377")
                .contains("a line of the service's log");
    }

    @Test
    void aFailedSetUpIsReportedToo() {
        assertThat(print(failure(FailsBefore.class))).contains("Report of FailsBefore");
    }

    @Test
    void aFailedCleanUpIsReportedToo() {
        assertThat(print(failure(FailsAfter.class))).contains("Report of FailsAfter");
    }

    @Test
    void aCallbackOfAnExtensionIsReportedToo() {
        assertThat(print(failure(FailsInACallback.class)))
                .containsOnlyOnce("Report of FailsInACallback#passes");
    }

    @Test
    void anExtensionThatFailsBeforeTheTestsIsReportedInTheOutput() {
        var printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(print(failure(FailsBeforeAll.class))).doesNotContain("Report of");
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("Report of FailsBeforeAll");
    }

    @Test
    void theOutputOfOtherProcessesIsShown(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("child.log"), "the child says why\n");
        Recent.addFile(file);
        assertThat(print(failure(FailsInATest.class))).contains("the child says why");
    }

    @Test
    void anAbortedTestIsNoFailure() {
        assertThat(print(failure(Aborts.class))).doesNotContain("Report of");
    }

    @Test
    void aFailedWaitNamesItsConditionAndTheLastValue() {
        assertThatThrownBy(
                        () ->
                                Wait.until(
                                        "the count is 3",
                                        Duration.ofMillis(20),
                                        () -> 2,
                                        count -> count == 3))
                .hasMessageContaining("the count is 3")
                .hasMessageContaining("last seen: 2");
    }

    @Test
    void aWaitThatOnlyMetExceptionsShowsTheLastOne() {
        assertThatThrownBy(
                        () ->
                                Wait.until(
                                        "it answers",
                                        Duration.ofMillis(20),
                                        () -> {
                                            throw new IllegalStateException("refused");
                                        }))
                .hasMessageContaining("last seen: java.lang.IllegalStateException: refused")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void theLastLinesStayAndARepeatedOneIsCounted() {
        var recent = new Recent(2, 7);
        List.of("one", "two", "two", "two", "a long line").forEach(recent::add);
        assertThat(recent.lines())
                .satisfiesExactly(
                        two -> assertThat(two).endsWith(" two (3 times)"),
                        cut -> assertThat(cut).endsWith(" a long …"));
    }

    private static Throwable failure(Class<?> tests) {
        var failures = new ArrayList<Throwable>();
        var listener =
                new TestExecutionListener() {
                    @Override
                    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                        result.getThrowable().ifPresent(failures::add);
                    }
                };
        var request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build();
        LauncherFactory.create().execute(request, listener);
        assertThat(failures).hasSize(1);
        return failures.getFirst();
    }

    private static String print(Throwable failure) {
        var text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    static final class FailsInATest {
        private static final long SEED = Seed.from("seed.of.this.test", 377);

        @Test
        void fails() {
            System.out.println("a line of the service's log");
            throw new AssertionError("on purpose");
        }

        @Test
        void passes() {
            assertThat(SEED).isEqualTo(377);
        }
    }

    static final class FailsBefore {
        @BeforeAll
        static void fail() {
            throw new AssertionError("on purpose");
        }

        @Test
        void isNotRun() {}
    }

    static final class FailsAfter {
        @AfterAll
        static void fail() {
            throw new AssertionError("on purpose");
        }

        @Test
        void passes() {}
    }

    @ExtendWith(Callback.class)
    static final class FailsInACallback {
        @Test
        void passes() {}
    }

    static final class Callback implements AfterEachCallback {
        @Override
        public void afterEach(ExtensionContext context) {
            throw new AssertionError("on purpose");
        }
    }

    @ExtendWith(Early.class)
    static final class FailsBeforeAll {
        @Test
        void isNotRun() {}
    }

    static final class Early implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            throw new AssertionError("on purpose");
        }
    }

    static final class Aborts {
        @Test
        void aborts() {
            Assumptions.abort("on purpose");
        }
    }
}
