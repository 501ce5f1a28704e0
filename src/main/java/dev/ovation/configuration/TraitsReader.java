package dev.ovation.configuration;

import dev.ovation.rules.Traits;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.QueryString;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Reads the traits of a person from a request. */
public final class TraitsReader {

    private static final String AGE = "must be a number from 0 to " + Traits.MAX_AGE;

    private TraitsReader() {}

    /** Reads the parameters {@code age}, {@code gender}, {@code country} and {@code platform}. */
    public static Traits of(QueryString query, RequestViolations violations) {
        String age = query.text("age");
        Integer years = null;
        if (age != null) {
            years = age.matches("[0-9]{1,3}") ? Integer.valueOf(age) : Traits.MAX_AGE + 1;
        }
        return traits(
                "",
                years,
                query.text("gender"),
                query.text("country"),
                query.text("platform"),
                violations);
    }

    /**
     * Takes the traits from the attributes of a request.
     *
     * @param attributes by name; whole numbers as {@code Long}, and texts among them
     * @param free names for which any value is allowed; one that is no trait names none
     */
    public static Traits of(
            Map<String, Object> attributes, Set<String> free, RequestViolations violations) {
        return traits(
                "attributes.",
                age(attributes, free),
                text("gender", Traits::isWord, attributes, free),
                text("country", Traits::isCountry, attributes, free),
                text("platform", Traits::isWord, attributes, free),
                violations);
    }

    /** Returns an age beyond the greatest one for a number that is no age. */
    private static @Nullable Integer age(Map<String, Object> attributes, Set<String> free) {
        if (!(attributes.get("age") instanceof Long years)) {
            return null;
        }
        if (years >= 0 && years <= Traits.MAX_AGE) {
            return Math.toIntExact(years);
        }
        return free.contains("age") ? null : Traits.MAX_AGE + 1;
    }

    private static @Nullable String text(
            String name,
            Predicate<String> isTrait,
            Map<String, Object> attributes,
            Set<String> free) {
        return attributes.get(name) instanceof String text
                        && (isTrait.test(text) || !free.contains(name))
                ? text
                : null;
    }

    private static Traits traits(
            String path,
            @Nullable Integer age,
            @Nullable String gender,
            @Nullable String country,
            @Nullable String platform,
            RequestViolations violations) {
        if (age != null && age > Traits.MAX_AGE) {
            violations.add(path + "age", AGE);
        }
        word(path + "gender", gender, violations);
        word(path + "platform", platform, violations);
        if (country != null && !country.matches("[A-Za-z]{2}")) {
            violations.add(path + "country", "must be two letters, of ISO 3166-1 alpha-2");
        }
        return age == null && gender == null && country == null && platform == null
                ? Traits.NONE
                : new Traits(age, gender, country, platform);
    }

    private static void word(String field, @Nullable String word, RequestViolations violations) {
        if (word != null && !Traits.isWord(word)) {
            violations.add(field, "must be 1 to 64 letters, digits, dots, underscores or hyphens");
        }
    }
}
