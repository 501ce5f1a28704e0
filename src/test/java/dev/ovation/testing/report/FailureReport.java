package dev.ovation.testing.report;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.opentest4j.TestAbortedException;

import java.util.Arrays;
import java.util.List;

/**
 * Adds a report to the exception of each test and each set-up or clean-up method that fails. The
 * report is a suppressed exception, so that it stands below each printed stack trace. It is made
 * where the exception is thrown; for callbacks of extensions when the test has ended. Registered
 * for all tests by {@code META-INF/services}.
 */
public final class FailureReport
        implements TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler,
                TestWatcher {

    static {
        OutputTee.install();
        Standstills.watch();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure)
            throws Throwable {
        throw reported(test, failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext test, Throwable failure)
            throws Throwable {
        throw reported(test, failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext test, Throwable failure)
            throws Throwable {
        throw reported(test, failure);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext test, Throwable failure)
            throws Throwable {
        throw reported(test, failure);
    }

    @Override
    public void handleAfterAllMethodExecutionException(ExtensionContext test, Throwable failure)
            throws Throwable {
        throw reported(test, failure);
    }

    @Override
    public void testFailed(ExtensionContext test, Throwable failure) {
        var _ = reported(test, failure);
    }

    private static Throwable reported(ExtensionContext test, Throwable failure) {
        if (!(failure instanceof TestAbortedException) && !hasReport(failure)) {
            Class<?> type = test.getRequiredTestClass();
            String method = test.getTestMethod().map(each -> "#" + each.getName()).orElse("");
            failure.addSuppressed(new Report(text(type, type.getSimpleName() + method)));
        }
        return failure;
    }

    private static boolean hasReport(Throwable failure) {
        return Arrays.stream(failure.getSuppressed()).anyMatch(Report.class::isInstance);
    }

    private static String text(Class<?> type, String test) {
        return "Report of "
                + test
                + section("seed", Seed.of(type))
                + section("last standstills of this JVM", Recent.STANDSTILLS.lines())
                + section("last requests of this JVM", Recent.REQUESTS.lines())
                + section("last output of this JVM", Recent.OUTPUT.lines())
                + section("last output of other processes", Recent.fileLines());
    }

    private static String section(String title, List<String> lines) {
        return lines.isEmpty() ? "" : "\n  " + title + "\n    " + String.join("\n    ", lines);
    }

    /** A text that is printed with the exception. */
    private static final class Report extends Throwable {

        private Report(String text) {
            super(text, null, false, false);
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }

    /**
     * Prints the report of a class whose extension fails before its tests. In this case there is no
     * exception that an extension could extend.
     */
    public static final class OfClasses implements TestExecutionListener {

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isContainer()
                    && result.getThrowable().filter(failure -> !hasReport(failure)).isPresent()
                    && test.getSource().orElse(null) instanceof ClassSource source) {
                Class<?> type = source.getJavaClass();
                System.out.println(text(type, type.getSimpleName()));
            }
        }
    }
}
