package dev.ovation.testing.lanes;

import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * Runs a test class several times in this JVM, for {@code .ci/stress}: the first argument is how
 * often, the second the class. Prints a line for each run, and what failed; ends with 1 if any did.
 * Without arguments prints the names of all classes that start a server of their own.
 */
final class Repeat {

    private Repeat() {}

    public static void main(String[] args) {
        if (args.length == 0) {
            new ServerTests().starting().forEach(System.out::println);
            return;
        }
        PrintStream out = System.out;
        int times = Integer.parseInt(args[0]);
        int failed = 0;
        for (int run = 1; run <= times; run++) {
            TestExecutionSummary summary = run(args[1]);
            boolean green = summary.getTotalFailureCount() == 0 && summary.getTestsFoundCount() > 0;
            failed += green ? 0 : 1;
            out.printf(
                    "STRESS %s run %d of %d: %d tests, %d failures, %.1f s%n",
                    args[1],
                    run,
                    times,
                    summary.getTestsFoundCount(),
                    summary.getTotalFailureCount(),
                    (summary.getTimeFinished() - summary.getTimeStarted()) / 1e3);
            summary.printFailuresTo(new PrintWriter(out, true), Integer.MAX_VALUE);
        }
        System.exit(failed == 0 ? 0 : 1); // whatever threads the tests left
    }

    private static TestExecutionSummary run(String test) {
        var listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(test))
                                .build(),
                        listener);
        return listener.getSummary();
    }
}
