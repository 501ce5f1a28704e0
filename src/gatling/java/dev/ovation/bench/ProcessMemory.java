package dev.ovation.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Memory of a process, in KB; Linux only.
 *
 * @param resident resident memory
 * @param heap heap of a JVM after a collection, its classes included; 0 for other programs
 */
record ProcessMemory(long resident, long heap) {

    private static final Pattern USED = Pattern.compile("used (\\d+)K");

    static ProcessMemory of(long pid) throws IOException, InterruptedException {
        boolean isJvm = Files.readString(Path.of("/proc/" + pid + "/comm")).startsWith("java");
        if (isJvm) {
            jcmd(pid, "GC.run");
        }
        long heap = isJvm ? sum(USED, jcmd(pid, "GC.heap_info")) : 0;
        return new ProcessMemory(resident(pid), heap);
    }

    ProcessMemory minus(ProcessMemory other) {
        return new ProcessMemory(resident - other.resident, heap - other.heap);
    }

    /** Prints the measures for each of a number of things. */
    void print(String name, int number) {
        System.out.printf("%s_kb\t%.1f%n", name, (double) resident / number);
        if (heap != 0) {
            System.out.printf("%s_heap_kb\t%.1f%n", name, (double) heap / number);
        }
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process =
                new ProcessBuilder(program, Long.toString(pid), command)
                        .redirectErrorStream(true)
                        .start();
        try (var out = process.getInputStream()) {
            String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(text);
            }
            return text;
        }
    }

    private static long sum(Pattern number, String text) {
        return number.matcher(text)
                .results()
                .mapToLong(each -> Long.parseLong(each.group(1)))
                .sum();
    }

    private static long resident(long pid) throws IOException {
        return Files.readString(Path.of("/proc/" + pid + "/status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
