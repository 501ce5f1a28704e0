package dev.ovation.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.Availability.AgeRange;
import dev.ovation.rules.Availability.Audience;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;

class AvailabilityTest {

    private static final Instant FROM = Instant.parse("2026-12-01T00:00:00Z");
    private static final Instant UNTIL = Instant.parse("2026-12-27T00:00:00Z");

    /** Lists are separated by a slash; an empty cell is a trait that is not named. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "",
            textBlock =
                    """
                    ,    ,    ,      ,      ,         ,   ,   ,   ,        true
                    ,    ,    ,      ,      ,         30, f,  TW, ios,     true
                    18,  ,    ,      ,      ,         18, ,   ,   ,        true
                    18,  ,    ,      ,      ,         17, ,   ,   ,        false
                    18,  ,    ,      ,      ,         ,   f,  TW, ios,     false
                    ,    12,  ,      ,      ,         12, ,   ,   ,        true
                    ,    12,  ,      ,      ,         13, ,   ,   ,        false
                    18,  30,  ,      ,      ,         30, ,   ,   ,        true
                    18,  30,  ,      ,      ,         31, ,   ,   ,        false
                    0,   0,   ,      ,      ,         0,  ,   ,   ,        true
                    0,   0,   ,      ,      ,         1,  ,   ,   ,        false
                    ,    ,    f,     ,      ,         ,   f,  ,   ,        true
                    ,    ,    f,     ,      ,         ,   F,  ,   ,        true
                    ,    ,    f,     ,      ,         ,   m,  ,   ,        false
                    ,    ,    f,     ,      ,         ,   ,   ,   ,        false
                    ,    ,    f/x,   ,      ,         ,   x,  ,   ,        true
                    ,    ,    ,      TW/JP, ,         ,   ,   JP, ,        true
                    ,    ,    ,      TW/JP, ,         ,   ,   jp, ,        true
                    ,    ,    ,      TW/JP, ,         ,   ,   DE, ,        false
                    ,    ,    ,      TW/JP, ,         20, f,  ,   ios,     false
                    ,    ,    ,      ,      ios,      ,   ,   ,   ios,     true
                    ,    ,    ,      ,      ios,      ,   ,   ,   iOS,     true
                    ,    ,    ,      ,      ios/web,  ,   ,   ,   android, false
                    18,  ,    f,     TW,    ios,      18, f,  TW, ios,     true
                    18,  ,    f,     TW,    ios,      18, f,  TW, ,        false
                    18,  ,    f,     TW,    ios,      18, f,  ,   ios,     false
                    18,  ,    f,     TW,    ios,      18, ,   TW, ios,     false
                    18,  ,    f,     TW,    ios,      ,   f,  TW, ios,     false
                    """)
    void whoIsInAnAudience(
            Integer min,
            Integer max,
            String genders,
            String countries,
            String platforms,
            Integer age,
            String gender,
            String country,
            String platform,
            boolean expected) {
        AgeRange range = min == null && max == null ? null : new AgeRange(min, max);
        var audience = new Audience(range, list(genders), list(countries), list(platforms));
        var traits = new Traits(age, gender, country, platform);

        assertThat(new Availability(null, null, audience).isFor(traits)).isEqualTo(expected);
    }

    private static List<String> list(String words) {
        return words == null ? List.of() : Arrays.asList(words.split("/"));
    }

    @Test
    void aSeasonIncludesItsBeginningAndNotItsEnd() {
        var season = new Availability(FROM, UNTIL, null);

        assertThat(season.isOpen(FROM.minusMillis(1))).isFalse();
        assertThat(season.isOpen(FROM)).isTrue();
        assertThat(season.isOpen(UNTIL.minusMillis(1))).isTrue();
        assertThat(season.isOpen(UNTIL)).isFalse();
    }

    @Test
    void aSeasonMayHaveOneEdge() {
        assertThat(new Availability(FROM, null, null).isOpen(Instant.MAX)).isTrue();
        assertThat(new Availability(FROM, null, null).isOpen(FROM.minusMillis(1))).isFalse();
        assertThat(new Availability(null, UNTIL, null).isOpen(Instant.MIN)).isTrue();
        assertThat(new Availability(null, UNTIL, null).isOpen(UNTIL)).isFalse();
    }

    @Test
    void aRefusalNamesItsReason() {
        var audience = new Audience(new AgeRange(18, null), List.of(), List.of(), List.of());
        var available = new Availability(FROM, UNTIL, audience);
        var adult = new Traits(18, null, null, null);

        assertThat(available.refusal(adult, FROM)).isNull();
        assertThat(available.refusal(adult, FROM.minusMillis(1)))
                .isEqualTo("is available from 2026-12-01T00:00:00Z");
        assertThat(available.refusal(adult, UNTIL))
                .isEqualTo("was available until 2026-12-27T00:00:00Z");
        assertThat(available.refusal(Traits.NONE, FROM))
                .isEqualTo("is not available to this audience");
    }
}
