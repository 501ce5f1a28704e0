package dev.ovation.rules;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.StringJoiner;

/**
 * When and by whom a reaction can be added. Reactions that were added stay, are counted, and can be
 * taken back at any time by any user.
 *
 * @param from the first instant of the season; null when it has begun long ago
 * @param until the first instant after the season; null when it does not end
 * @param audience the persons who can add the reaction; null for all
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Availability(
        @Nullable Instant from, @Nullable Instant until, @Nullable Audience audience) {

    /**
     * A restriction to some persons. Each list that is not empty, and the range of ages, demand the
     * trait of this name: a person of whom it is not known is not in the audience.
     *
     * @param age null for all ages
     * @param gender the genders, in lower case
     * @param country the countries, in capitals
     * @param platform the platforms, in lower case
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Audience(
            @Nullable AgeRange age,
            List<String> gender,
            List<String> country,
            List<String> platform) {

        public Audience {
            gender = words(gender);
            country = words(country);
            platform = words(platform);
        }

        /** A stored audience lacks the lists that are empty. */
        private static List<String> words(@Nullable List<String> words) {
            return words == null ? List.of() : List.copyOf(words);
        }

        @Override
        public String toString() {
            var text = new StringJoiner(", ");
            if (age != null) {
                text.add("age " + age);
            }
            add(text, "gender", gender);
            add(text, "country", country);
            add(text, "platform", platform);
            return text.toString();
        }

        private static void add(StringJoiner text, String name, List<String> words) {
            if (!words.isEmpty()) {
                text.add(name + " " + String.join("/", words));
            }
        }

        boolean includes(Traits traits) {
            return (age == null || (traits.age() != null && age.contains(traits.age())))
                    && includes(gender, traits.gender())
                    && includes(country, traits.country())
                    && includes(platform, traits.platform());
        }

        private static boolean includes(List<String> words, @Nullable String word) {
            return words.isEmpty() || (word != null && words.contains(word));
        }
    }

    /**
     * A range of ages in years, both ends included.
     *
     * @param min null for no least age
     * @param max null for no greatest age
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record AgeRange(@Nullable Integer min, @Nullable Integer max) {

        @Override
        public String toString() {
            return (min == null ? "" : min) + "–" + (max == null ? "" : max);
        }

        /** Returns whether an age is in the range. */
        public boolean contains(int age) {
            return (min == null || age >= min) && (max == null || age <= max);
        }
    }

    /** Returns the restrictions for people, as in {@code until 2026-12-27T00:00:00Z}. */
    @Override
    public String toString() {
        var text = new StringJoiner(" ");
        if (from != null) {
            text.add("from " + from);
        }
        if (until != null) {
            text.add("until " + until);
        }
        if (audience != null) {
            text.add("for " + audience);
        }
        return text.toString();
    }

    /**
     * Returns why the reaction cannot be added, as the second half of a sentence; null when it can
     * be.
     */
    @Nullable String refusal(Traits traits, Instant now) {
        if (!isFor(traits)) {
            return "is not available to this audience";
        }
        if (isOpen(now)) {
            return null;
        }
        return from != null && now.isBefore(from)
                ? "is available from " + from
                : "was available until " + until;
    }

    /** Returns whether the reaction is in its season. */
    public boolean isOpen(Instant now) {
        return (from == null || !now.isBefore(from)) && (until == null || now.isBefore(until));
    }

    /** Returns whether a person of these traits is in the audience. */
    public boolean isFor(Traits traits) {
        return audience == null || audience.includes(traits);
    }
}
