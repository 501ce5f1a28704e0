package dev.ovation.configuration;

import dev.ovation.rules.Traits;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** Reads the traits of a person from a request. */
public final class TraitsReader {

    private static final String ATTRIBUTES = "attributes";
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
     * Reads the members {@code age}, {@code gender}, {@code country} and {@code platform} of the
     * member {@code attributes}; an absent object names no traits, and null counts as absent.
     *
     * @param path prefix of member names in violations
     */
    public static Traits of(JsonBody body, String path, RequestViolations violations) {
        JsonNode node = body.member(ATTRIBUTES);
        if (node == null) {
            return Traits.NONE;
        }
        if (!node.isObject()) {
            violations.add(path + ATTRIBUTES, "must be an object");
            return Traits.NONE;
        }
        String inner = path + ATTRIBUTES + ".";
        var attributes = new JsonBody(node, inner);
        return traits(
                inner,
                attributes.number("age", 0, Traits.MAX_AGE, violations),
                attributes.text("gender", violations),
                attributes.text("country", violations),
                attributes.text("platform", violations),
                violations);
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
