package dev.ovation.rules;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Locale.IsoCountryCode;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The traits that a request names of the person for whom it asks; null for one that it does not
 * name. Case does not matter.
 *
 * @param age in years, 0 to 150
 * @param gender a word, see {@link #isWord}
 * @param country ISO 3166-1 alpha-2
 * @param platform a word, see {@link #isWord}
 */
public record Traits(
        @Nullable Integer age,
        @Nullable String gender,
        @Nullable String country,
        @Nullable String platform) {

    /** No trait is named. */
    public static final Traits NONE = new Traits(null, null, null, null);

    /** The greatest age, in years. */
    public static final int MAX_AGE = 150;

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private static final Set<String> COUNTRIES =
            Locale.getISOCountries(IsoCountryCode.PART1_ALPHA2);

    public Traits {
        gender = gender == null ? null : word(gender);
        country = country == null ? null : country(country);
        platform = platform == null ? null : word(platform);
    }

    /** Returns whether a text can name a gender or a platform. */
    public static boolean isWord(String text) {
        return WORD.matcher(text).matches();
    }

    /** Returns whether a text is a country of ISO 3166-1 alpha-2, in capitals or not. */
    public static boolean isCountry(String text) {
        return COUNTRIES.contains(country(text));
    }

    /** Returns the form in which genders and platforms are compared. */
    public static String word(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /** Returns the form in which countries are compared. */
    public static String country(String text) {
        return text.toUpperCase(Locale.ROOT);
    }
}
