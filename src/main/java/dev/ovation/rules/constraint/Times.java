package dev.ovation.rules.constraint;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Literals of times and durations, in whole microseconds as Redis holds times. */
final class Times {

    /** The times that an expression may name or meet: 1970 to 2200. */
    static final Span TIMES = Span.of(0, micros(Instant.parse("2200-01-01T00:00:00Z")));

    private static final long LONGEST = 4_000_000_000_000_000L;

    private static final Pattern DURATION =
            Pattern.compile("[+-]?([0-9]{1,12}(\\.[0-9]{1,9})?(h|ms|m|s|us))+");
    private static final Pattern AMOUNT =
            Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(h|ms|m|s|us)");
    private static final Map<String, Long> UNITS =
            Map.of("h", 3_600_000_000L, "m", 60_000_000L, "s", 1_000_000L, "ms", 1_000L, "us", 1L);

    private Times() {}

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    static long timestamp(String text) throws ConstraintException {
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            boolean exact = time.truncatedTo(ChronoUnit.MICROS).equals(time);
            boolean known =
                    !time.isBefore(Instant.EPOCH)
                            && time.isBefore(Instant.parse("2200-01-01T00:00:00Z"));
            if (exact && known) {
                return micros(time);
            }
        } catch (DateTimeException e) {
            throw new ConstraintException("has a timestamp that is not RFC 3339: " + text);
        }
        throw new ConstraintException(
                "has a timestamp outside 1970 to 2200, or finer than microseconds: " + text);
    }

    static long duration(String text) throws ConstraintException {
        if (!DURATION.matcher(text).matches()) {
            throw new ConstraintException(
                    "has a duration that is not of numbers with h, m, s, ms or us: " + text);
        }
        BigDecimal sum = BigDecimal.ZERO;
        Matcher amounts = AMOUNT.matcher(text);
        while (amounts.find()) {
            long unit = UNITS.getOrDefault(amounts.group(2), 0L);
            sum = sum.add(new BigDecimal(amounts.group(1)).multiply(BigDecimal.valueOf(unit)));
        }
        if (sum.stripTrailingZeros().scale() > 0
                || sum.compareTo(BigDecimal.valueOf(LONGEST)) > 0) {
            throw new ConstraintException(
                    "has a duration finer than microseconds or longer than 126 years: " + text);
        }
        return text.startsWith("-") ? -sum.longValue() : sum.longValue();
    }
}
