package dev.ovation.rules.reader;

import static dev.ovation.rules.reader.DocumentValue.quote;

import dev.ovation.entity.Ids;
import dev.ovation.rules.Availability;
import dev.ovation.rules.Availability.AgeRange;
import dev.ovation.rules.Availability.Audience;
import dev.ovation.rules.Traits;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Reads {@code available} of a reaction: its season and its audience. */
final class AvailabilityReader {

    /** Years of four digits, so that each time is a number of milliseconds. */
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d{2}-\\d{2}[Tt].*");

    private static final Pattern AGE = Pattern.compile("0|[1-9][0-9]{0,2}");

    private AvailabilityReader() {}

    /** Returns null when it is absent, restricts nothing, or is invalid, which is a violation. */
    static @Nullable Availability read(ConfiguredItem reaction) {
        ConfiguredItem item = inner(reaction, "available", List.of("from", "until", "audience"));
        if (item == null) {
            return null;
        }
        Instant from = time(item, "from");
        Instant until = time(item, "until");
        if (from != null && until != null && !from.isBefore(until)) {
            item.problem("until", "must be later than from, which is " + from);
        }
        Audience audience = audience(item);
        return from == null && until == null && audience == null
                ? null
                : new Availability(from, until, audience);
    }

    private static @Nullable ConfiguredItem inner(
            ConfiguredItem outer, String field, List<String> names) {
        DocumentValue value = outer.fields().get(field);
        Map<String, DocumentValue> fields =
                value == null ? null : value.mapping(outer.name(field), names);
        return value == null || fields == null
                ? null
                : new ConfiguredItem(value, fields, outer.name(field));
    }

    /** Reads a time; digits beyond milliseconds are dropped. */
    private static @Nullable Instant time(ConfiguredItem item, String field) {
        String text = item.optionalText(field, Ids.MAX_BYTES);
        if (text == null) {
            return null;
        }
        try {
            if (TIME.matcher(text).matches()) {
                return Instant.parse(text).truncatedTo(ChronoUnit.MILLIS);
            }
        } catch (DateTimeException e) {
            // A violation, below.
        }
        item.problem(field, "must be a time such as 2026-12-24T18:00:00Z, not " + quote(text));
        return null;
    }

    private static @Nullable Audience audience(ConfiguredItem available) {
        ConfiguredItem item =
                inner(available, "audience", List.of("age", "gender", "country", "platform"));
        if (item == null) {
            return null;
        }
        String word = "must be 1 to 64 letters, digits, dots, underscores or hyphens, not ";
        String country = "must be a country of ISO 3166-1 alpha-2, not ";
        Audience audience =
                new Audience(
                        ages(item),
                        words(item, "gender", Traits::isWord, Traits::word, word),
                        words(item, "country", Traits::isCountry, Traits::country, country),
                        words(item, "platform", Traits::isWord, Traits::word, word));
        return audience.equals(new Audience(null, List.of(), List.of(), List.of()))
                ? null
                : audience;
    }

    private static @Nullable AgeRange ages(ConfiguredItem audience) {
        ConfiguredItem item = inner(audience, "age", List.of("min", "max"));
        if (item == null) {
            return null;
        }
        Integer min = age(item, "min");
        Integer max = age(item, "max");
        if (min != null && max != null && min > max) {
            item.problem("max", "must not be less than min, which is " + min);
        }
        return min == null && max == null ? null : new AgeRange(min, max);
    }

    private static @Nullable Integer age(ConfiguredItem item, String field) {
        String text = item.optionalText(field, Ids.MAX_BYTES);
        if (text == null) {
            return null;
        }
        if (!AGE.matcher(text).matches() || Integer.parseInt(text) > Traits.MAX_AGE) {
            item.problem(
                    field,
                    "must be a number of years from 0 to %d, not %s"
                            .formatted(Traits.MAX_AGE, quote(text)));
            return null;
        }
        return Integer.valueOf(text);
    }

    /** Reads a list of words; an empty one, which no request could match, is a violation. */
    private static List<String> words(
            ConfiguredItem item,
            String field,
            Predicate<String> form,
            UnaryOperator<String> normal,
            String otherwise) {
        List<DocumentValue> values = item.optionalList(field);
        if (values == null || !item.fields().containsKey(field)) {
            return List.of();
        }
        if (values.isEmpty()) {
            item.problem(field, "must not be empty");
        }
        Set<String> words = new LinkedHashSet<>();
        for (DocumentValue value : values) {
            String text = value.text("an item in " + item.name(field));
            if (text == null) {
                continue;
            }
            if (!form.test(text)) {
                value.problem(item.name(field) + " " + otherwise + quote(text));
            } else if (!words.add(normal.apply(text))) {
                value.problem("%s names %s twice".formatted(item.name(field), quote(text)));
            }
        }
        return List.copyOf(words);
    }
}
