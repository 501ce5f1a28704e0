package dev.ovation.transfer.file;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times in the form of files. */
public final class FileTimes {

    /** The limit of the integers that Redis can count exactly. */
    private static final long END = 1L << 53;

    private static final int DIGITS_OF_END = 16;

    private FileTimes() {}

    /**
     * Returns microseconds since 1970 of a time in RFC 3339 form, or of milliseconds since 1970.
     */
    static long micros(String text) throws BadRowException {
        long micros;
        try {
            micros =
                    isNumber(text)
                            ? Math.multiplyExact(Long.parseLong(text), 1000)
                            : micros(Instant.parse(text));
        } catch (DateTimeException | ArithmeticException e) {
            throw new BadRowException(
                    "reacted_at must be a time of RFC 3339 or milliseconds since 1970");
        }
        if (micros < 0 || micros >= END) {
            throw new BadRowException("reacted_at must be between 1970 and 2255");
        }
        return micros;
    }

    /** Returns microseconds since 1970. */
    public static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty()
                && text.length() <= DIGITS_OF_END
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Returns the time in RFC 3339 form, with as many digits as it needs. */
    public static String text(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }
}
