package dev.ovation.broken;

import dev.ovation.testing.ChildJvm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Results of tests on an altered program.
 *
 * @param passed number of tests that passed
 * @param failures the tests that failed, and their reasons
 * @param unfit why the run is invalid or incomplete; empty for a complete run
 * @param took from start to end
 */
record Trial(int passed, List<Failure> failures, String unfit, Duration took) {

    static final String PASSED = "PASSED";
    static final String FAILED = "FAILED";
    static final String UNFIT = "UNFIT";
    static final String END = "END";

    private static final Duration FAREWELL = Duration.ofSeconds(30);

    /** A test that failed. */
    record Failure(String test, String why) {}

    /** Only a failed test detects a broken rule, not a failed set-up or a hang. */
    boolean isCaught() {
        return !failures.isEmpty();
    }

    /**
     * Runs tests with {@code folder}/classes before everything else on the class path.
     *
     * @param bound after which they are stopped; a test that failed before still counts
     */
    static Trial run(Path folder, List<TestName> tests, Duration bound) throws Exception {
        Path results = folder.resolve("results.txt");
        Files.deleteIfExists(results);
        var command =
                new ArrayList<>(
                        List.of(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "-Xmx1g",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "--enable-native-access=ALL-UNNAMED",
                                migrations(folder.resolve("classes")),
                                "-cp",
                                folder.resolve("classes")
                                        + File.pathSeparator
                                        + ChildJvm.classPath(),
                                TrialMain.class.getName(),
                                results.toString()));
        tests.forEach(test -> command.add(test.toString()));
        long start = System.nanoTime();
        boolean ended = run(new ProcessBuilder(command), folder.resolve("output.log"), bound);
        List<String> lines = Files.exists(results) ? Files.readAllLines(results) : List.of();
        return of(lines, ended, Duration.ofNanos(System.nanoTime() - start));
    }

    /** Returns the setting that names the migrations. */
    private static String migrations(Path classes) {
        Path altered = classes.resolve(Workshop.MIGRATIONS);
        return "-Dmigrations="
                + (Files.exists(altered) ? "filesystem:" + altered : "classpath:db/migration");
    }

    private static boolean run(ProcessBuilder builder, Path output, Duration bound)
            throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        var hook = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return process.waitFor(bound.toSeconds(), TimeUnit.SECONDS);
        } finally {
            process.destroy(); // gently, so that it stops its servers
            if (!process.waitFor(FAREWELL.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private static Trial of(List<String> lines, boolean ended, Duration took) {
        int passed = 0;
        boolean whole = false;
        var failures = new ArrayList<Failure>();
        var unfit = new ArrayList<String>();
        for (String line : lines) {
            String[] part = line.split("\t", -1);
            switch (part[0]) {
                case PASSED -> passed++;
                case FAILED -> failures.add(new Failure(part[1], part[2]));
                case UNFIT -> unfit.add(part[1] + ": " + part[2]);
                default -> whole = true;
            }
        }
        if (!ended) {
            unfit.add("still running at the bound");
        } else if (!whole) {
            unfit.add("the run broke off");
        } else if (unfit.isEmpty() && passed + failures.size() == 0) {
            unfit.add("no test ran");
        }
        return new Trial(passed, failures, String.join("; ", unfit), took);
    }
}
