package dev.ovation.entity;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;

/** Times of events and entities, by the clock of an instance. */
public final class Micros {

    private static final DateTimeFormatter MILLISECONDS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private Micros() {}

    /** Returns whole microseconds since 1970. */
    public static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Returns a time in microseconds since 1970 as RFC 3339 in UTC, cut to milliseconds. */
    public static String text(long micros) {
        return MILLISECONDS.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }
}
