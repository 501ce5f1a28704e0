package dev.ovation.testing.lanes;

import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * Runs a test class several times in this JVM, for {@code .ci/stress}: the first argument is the
 * number of runs, the second the class. Prints a line for each run, and the failures; ends with 1
 * if there was any. Without arguments prints the names of all classes that start or break a server.
 */
final class Repeat {

    private Repeat() {}

    public static void main(String[] args) {
        if (args.length == 0) {
            new ServerTests()
                    .startingOrBreaking().stream()
                            .filter(Repeat::hasTests)
                            .forEach(System.out::println);
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
        System.exit(failed == 0 ? 0 : 1); // also ends threads that the tests left
    }

    private static boolean hasTests(String test) {
        return LauncherFactory.create().discover(request(test)).containsTests();
    }

    private static TestExecutionSummary run(String test) {
        var listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request(test), listener);
        return listener.getSummary();
    }

    /** Excludes the long runs of the nemesis. */
    private static LauncherDiscoveryRequest request(String test) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(test))
                .filters(TagFilter.excludeTags("chaos"))
                .build();
    }
}
