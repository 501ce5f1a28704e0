package dev.ovation.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.ApiDocument.Operation;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Requests without a credential, generated from the document, valid and broken: only public ones
 * are granted, and none causes an error. {@code -Dstrangers=100000} sends more of them than the
 * build.
 */
@Beside
class AnonymousCallersTest {

    private static final long SEED = Seed.from("seed", 377);
    private static final long REQUESTS = Long.getLong("strangers", 2_000);
    private static final int AT_ONCE = 4;
    private static final int MOST_CHARS = 500;

    private static final Set<String> PUBLIC =
            Set.of(
                    "/",
                    "/ping",
                    "/livez",
                    "/readyz",
                    "/actuator/health/liveness",
                    "/actuator/health/readiness");

    /** Paths that are not in the document. */
    private static final List<String> OTHERS =
            List.of(
                    "/v3/api-docs",
                    "/swagger-ui.html",
                    "/swagger-ui/index.html",
                    "/actuator/env",
                    "/actuator/heapdump",
                    "/actuator/shutdown",
                    "/actuator/health/redis",
                    "/error",
                    "/favicon.ico",
                    "/..;/reactions",
                    "/ping/..;/users",
                    "/livez/../exports");

    @TempDir Path folder;

    /**
     * One exchange.
     *
     * @param text of both, abridged
     */
    private record Sent(String method, String path, int status, String text) {

        static Sent of(Request request, Answer answer) {
            String text = "%s -> %d %s".formatted(request, answer.status(), answer.body());
            return new Sent(
                    request.method(),
                    request.path(),
                    answer.status(),
                    text.substring(0, Math.min(text.length(), MOST_CHARS)));
        }

        /** Whether its resolved path is public, and its method changes nothing. */
        boolean isPublic() {
            String resolved = path.replaceFirst(";[^/]*$", "").replaceFirst("(?<=.)/$", "");
            return Set.of("GET", "HEAD").contains(method) && PUBLIC.contains(resolved);
        }

        boolean isGranted() {
            return status < 400;
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void onlyPublicRequestsAreGranted() throws Exception {
        try (var guarded = new Guarded(folder)) {
            Instance service = guarded.start();
            ApiDocument document = ApiDocument.of(service, guarded.asOperator());
            service.attached(guarded.asOperator());
            Map<String, String> before = guarded.stored.settled();

            List<Sent> sent = send(document, service.port());

            assertThat(sent).hasSize((int) REQUESTS);
            assertThat(sent).filteredOn(each -> each.status() >= 500).isEmpty();
            assertThat(sent).filteredOn(each -> each.isGranted() && !each.isPublic()).isEmpty();
            assertThat(sent).filteredOn(Sent::isGranted).isNotEmpty();
            assertThat(sent).filteredOn(each -> each.status() == 401).isNotEmpty();
            guarded.stored.assertNothingWritten(before);
        }
    }

    private static List<Sent> send(ApiDocument document, int port) throws Exception {
        List<Operation> operations =
                Stream.concat(
                                document.operations().stream(),
                                OTHERS.stream().map(path -> AccessTable.undocumented("GET", path)))
                        .toList();
        var next = new AtomicLong();
        var sent = new ConcurrentLinkedQueue<Sent>();
        Callable<Void> sender =
                () -> {
                    for (long n = next.getAndIncrement();
                            n < REQUESTS;
                            n = next.getAndIncrement()) {
                        sent.add(send(document, operations, SEED + n, port));
                    }
                    return null;
                };
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Future<Void> each : threads.invokeAll(Collections.nCopies(AT_ONCE, sender))) {
                each.get();
            }
        }
        return List.copyOf(sent);
    }

    /** Sends a valid request in one of three cases, and a broken one otherwise. */
    private static Sent send(
            ApiDocument document, List<Operation> operations, long seed, int port) {
        var random = new SplittableRandom(seed);
        Operation operation = operations.get(random.nextInt(operations.size()));
        Request request = new Requests(document, seed).valid(operation);
        if (random.nextInt(3) > 0) {
            Breakage breakage = Breakage.values()[random.nextInt(Breakage.values().length)];
            request = breakage.spoil(request, new Oddities(seed));
        }
        return Sent.of(request, request.sendTo(port).answer());
    }
}
