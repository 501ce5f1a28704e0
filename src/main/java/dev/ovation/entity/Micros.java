package dev.ovation.entity;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The clock of this instance, as events and entities carry it. */
public final class Micros {

    private Micros() {}

    /** Returns whole microseconds since 1970. */
    public static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
