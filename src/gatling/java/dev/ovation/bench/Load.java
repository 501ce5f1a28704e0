package dev.ovation.bench;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A constant rate of requests and its cost: {@code --ports=… --connections=… --rate=… --seconds=…
 * [--cpu=<name>:<pid>,…] <request>…}, with requests as {@link Template}s; a rate of 0 only waits.
 * With {@code --slices} in place of {@code --seconds} it reads the seconds of a slice from each
 * line of the standard input, and prints {@code end} after the measures of the slice: so one warm
 * process measures all of them. First it warms itself up by {@code GET /ping}. Prints a measure a
 * line, with a tabulator between name and value: the answers a second, and as a share of the rate;
 * latencies in milliseconds. For each name it prints the processor time of its processes in
 * microseconds a request (a second if there are none), and for the first name the mean number of
 * processors in use and its coefficient of variation.
 */
final class Load {

    private static final Template PING = Template.of("GET /ping");
    private static final int WARM_UP_RATE = 2000;
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration SAMPLE = Duration.ofMillis(200);

    private final List<Integer> ports;
    private final int connections;
    private final int rate;
    private final List<Template> templates;
    private final Map<String, List<Long>> processes;

    private Load(ApplicationArguments options) {
        ports = Arrays.stream(option(options, "ports").split(",")).map(Integer::valueOf).toList();
        connections = Integer.parseInt(option(options, "connections"));
        rate = Integer.parseInt(option(options, "rate"));
        templates = options.getNonOptionArgs().stream().map(Template::of).toList();
        processes = processes(options.getOptionValues("cpu"));
    }

    public static void main(String... arguments) throws InterruptedException, IOException {
        var options = new DefaultApplicationArguments(arguments);
        var load = new Load(options);
        load.warmUp();
        if (options.containsOption("slices")) {
            load.slices(new BufferedReader(new InputStreamReader(System.in)));
        } else {
            load.measure(seconds(option(options, "seconds")));
        }
    }

    /** Otherwise the slowest requests would be those of the start of this process. */
    private void warmUp() {
        if (rate > 0) {
            new ConstantRate(ports, connections, WARM_UP_RATE, List.of(PING)).run(WARM_UP);
        }
    }

    private void slices(BufferedReader lines) throws InterruptedException, IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            measure(seconds(line));
            IO.println("end");
        }
    }

    private void measure(Duration time) throws InterruptedException {
        Map<String, Double> before = times(processes);
        var use = new ArrayList<Double>();
        Thread sampler =
                processes.isEmpty()
                        ? null
                        : sample(
                                processes.values().iterator().next(),
                                rate == 0 ? Duration.ZERO : ConstantRate.lead(connections),
                                use);
        long answers = 0;
        if (rate == 0) {
            Thread.sleep(time);
        } else {
            var load = new ConstantRate(ports, connections, rate, templates).run(time);
            answers = load.answers();
            print("requests_per_s", load.reached());
            print("rate_reached", load.reached() / rate);
            print("p50_ms", load.percentile(50));
            print("p99_ms", load.percentile(99));
            print("errors", load.errors());
        }
        Map<String, Double> after = times(processes);
        if (sampler != null) {
            sampler.interrupt();
            sampler.join();
            print("cpu_mean", Statistics.mean(use));
            print("cpu_cv", Statistics.variation(use));
        }
        for (String name : processes.keySet()) {
            double used = (after.get(name) - before.get(name)) * 1e6;
            print(name + "_us", used / (rate == 0 ? time.toSeconds() : answers));
        }
    }

    private static Duration seconds(String number) {
        return Duration.ofSeconds(Long.parseLong(number));
    }

    private static String option(ApplicationArguments options, String name) {
        return options.getOptionValues(name).getFirst();
    }

    private static void print(String measure, double value) {
        IO.println(measure + "\t" + value);
    }

    private static Map<String, List<Long>> processes(List<String> lists) {
        var processes = new LinkedHashMap<String, List<Long>>();
        for (String each : lists == null ? new String[0] : lists.getFirst().split(",")) {
            String[] parts = each.split(":");
            processes.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(Long.valueOf(parts[1]));
        }
        return processes;
    }

    private static Map<String, Double> times(Map<String, List<Long>> processes) {
        var times = new LinkedHashMap<String, Double>();
        processes.forEach((name, pids) -> times.put(name, ProcessTime.seconds(pids)));
        return times;
    }

    /** Records repeatedly, after a delay, the number of processors used since the last record. */
    private static Thread sample(List<Long> pids, Duration lead, List<Double> use) {
        return Thread.ofPlatform()
                .start(
                        () -> {
                            pause(lead);
                            double used = ProcessTime.seconds(pids);
                            long at = System.nanoTime();
                            while (pause(SAMPLE)) {
                                double usedNow = ProcessTime.seconds(pids);
                                long now = System.nanoTime();
                                use.add((usedNow - used) / ((now - at) / 1e9));
                                used = usedNow;
                                at = now;
                            }
                        });
    }

    private static boolean pause(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException _) {
            return false;
        }
    }
}
