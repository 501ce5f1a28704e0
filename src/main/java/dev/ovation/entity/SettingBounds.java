package dev.ovation.entity;

import java.time.Duration;

/** Bounds of settings, which end the start with a message that names the setting. */
public final class SettingBounds {

    private SettingBounds() {}

    /**
     * Checks a number.
     *
     * @param name name of the setting
     * @throws IllegalArgumentException when the value is below the least one
     */
    public static void atLeast(long least, String name, long value) {
        if (value < least) {
            throw new IllegalArgumentException(
                    "%s must be at least %d, not %d".formatted(name, least, value));
        }
    }

    /**
     * Checks a duration.
     *
     * @param name name of the setting
     * @throws IllegalArgumentException when the value is less than a millisecond
     */
    public static void atLeastOneMilli(String name, Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(
                    "%s must be at least 1ms, not %dns".formatted(name, value.toNanos()));
        }
    }
}
