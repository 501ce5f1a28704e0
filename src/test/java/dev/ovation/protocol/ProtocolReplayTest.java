package dev.ovation.protocol;

import dev.ovation.testing.Beside;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The same schedules with real servers beside the modelled ones; their answers must be equal. */
@Beside
@Order(1)
@QuietOutbox
class ProtocolReplayTest {

    private static final long SEED = Seed.from("seed", 1);
    private static final int SCHEDULES = Integer.getInteger("replays", 300);

    /** One schedule waits for its servers while the other computes. */
    private static final int AT_ONCE = 2;

    private final AtomicLong next = new AtomicLong(SEED);

    @Test
    void realServersAnswerAsTheModelDoes() {
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            Stream.generate(() -> CompletableFuture.runAsync(this::replay, threads))
                    .limit(AT_ONCE)
                    .toList()
                    .forEach(CompletableFuture::join);
        }
    }

    private void replay() {
        try (var servers = new RealServers()) {
            for (long seed = next.getAndIncrement();
                    seed < SEED + SCHEDULES;
                    seed = next.getAndIncrement()) {
                Search.replay(seed, servers);
            }
        }
    }
}
