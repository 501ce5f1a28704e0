package dev.ovation.broken;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Runs tests in a JVM of their own and writes the result of each as a line into a file: its first
 * argument. The others are the tests.
 */
final class TrialMain implements TestExecutionListener {

    private final Path file;

    private TrialMain(Path file) {
        this.file = file;
    }

    public static void main(String[] args) {
        var selectors =
                Arrays.stream(args).skip(1).map(TestName::of).map(TestName::selector).toList();
        var request = LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
        var listener = new TrialMain(Path.of(args[0]));
        LauncherFactory.create().execute(request, listener);
        listener.write(Trial.END, "", "");
        System.exit(0); // also ends threads that the tests left
    }

    /**
     * A program whose classes cannot be loaded does not show that a test detects the broken rule.
     */
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        var thrown = result.getThrowable().orElse(null);
        String why = String.valueOf(thrown);
        boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
        if (test.isTest() && !(thrown instanceof LinkageError)) {
            write(failed ? Trial.FAILED : Trial.PASSED, name(test), why);
        } else if (failed) {
            write(Trial.UNFIT, test.getDisplayName(), why);
        }
    }

    private static String name(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(
                        of ->
                                of.getClassName().replaceAll("^.*\\.|\\$.*", "")
                                        + "#"
                                        + of.getMethodName())
                .orElse(test.getDisplayName());
    }

    private void write(String kind, String name, String why) {
        String line = String.join("\t", kind, name, why.replaceAll("\\s+", " ")) + "\n";
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
