package dev.ovation.limit;

import io.github.bucket4j.TimeMeter;

import java.time.Duration;

/** A clock that stops until a test moves it. */
final class TestMeter implements TimeMeter {

    private long now = Duration.ofDays(1).toNanos();

    void advance(Duration time) {
        now += time.toNanos();
    }

    @Override
    public long currentTimeNanos() {
        return now;
    }

    @Override
    public boolean isWallClockBased() {
        return false;
    }
}
