package dev.ovation.access;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Greatest number of units within a time.
 *
 * @param quota units; 0 for {@link #NONE}
 * @param window whole seconds, at most a day
 */
public record Rate(long quota, Duration window) {

    /** No limit. */
    public static final Rate NONE = new Rate(0, Duration.ZERO);

    private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,8})/([1-9]\\d{0,4})([smh])");
    private static final Duration LONGEST = Duration.ofDays(1);

    /**
     * Reads a rate.
     *
     * @param text {@code none}, or a quota and a window in seconds, minutes or hours as {@code
     *     30/10s}
     * @throws IllegalArgumentException when it has another form
     */
    public static Rate of(String text) {
        if (text.equals("none")) {
            return NONE;
        }
        Matcher parts = FORM.matcher(text);
        if (parts.matches()) {
            Duration window = Duration.parse("PT" + parts.group(2) + parts.group(3));
            if (window.compareTo(LONGEST) <= 0) {
                return new Rate(Long.parseLong(parts.group(1)), window);
            }
        }
        throw new IllegalArgumentException(
                "a rate must be none, or units within a time of 1s to 24h as 30/10s");
    }

    /** Whether there is a limit. */
    public boolean isLimited() {
        return quota > 0;
    }

    @Override
    public String toString() {
        return isLimited() ? quota + "/" + window.toSeconds() + "s" : "none";
    }
}
