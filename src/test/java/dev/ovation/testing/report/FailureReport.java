package dev.ovation.testing.report;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

import java.util.List;

/**
 * Adds a report to the exception of each test and each set-up or clean-up method that fails, as a
 * suppressed one, so that it stands below the stack trace wherever that is printed. Registered for
 * all tests by {@code META-INF/services}.
 */
public final class FailureReport
        implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {

    static {
        OutputTee.install();
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

    private static Throwable reported(ExtensionContext test, Throwable failure) {
        if (!(failure instanceof TestAbortedException)) {
            failure.addSuppressed(new Report(text(test)));
        }
        return failure;
    }

    private static String text(ExtensionContext test) {
        return test.getRequiredTestClass().getSimpleName()
                + test.getTestMethod().map(method -> "#" + method.getName()).orElse("")
                + section("seed", Seed.of(test.getRequiredTestClass()))
                + section("last requests of this JVM", Recent.REQUESTS.lines())
                + section("last output of this JVM", Recent.OUTPUT.lines());
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
            return "Report of " + getMessage();
        }
    }
}
