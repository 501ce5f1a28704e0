package dev.ovation.rules.reader;

import static dev.ovation.rules.reader.RulesFixture.violations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.Availability;
import dev.ovation.rules.Availability.AgeRange;
import dev.ovation.rules.Availability.Audience;
import dev.ovation.rules.SeasonalReaction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.List;

class AvailabilityReaderTest {

    private static final String REACTION =
            """
            reactions:
            - id: a
              type: unicode
              code: a
              available:
            %s
            """;

    private static Availability read(String available) {
        return RulesFixture.yaml(REACTION.formatted(available.indent(4).stripTrailing()))
                .reactions()
                .getFirst()
                .available();
    }

    private static List<String> refused(String available) {
        return violations(() -> read(available));
    }

    @Test
    void aSeasonAndAnAudienceAreRead() {
        assertThat(
                        read(
                                """
                                from: 2026-12-01T00:00:00+08:00
                                until: 2026-12-27T00:00:00.0009Z
                                audience:
                                  age: {min: 18, max: 30}
                                  gender: [F, x]
                                  country: [tw, JP]
                                  platform: [iOS]
                                """))
                .isEqualTo(
                        new Availability(
                                Instant.parse("2026-11-30T16:00:00Z"),
                                Instant.parse("2026-12-27T00:00:00Z"),
                                new Audience(
                                        new AgeRange(18, 30),
                                        List.of("f", "x"),
                                        List.of("TW", "JP"),
                                        List.of("ios"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "~", "{from: ~, until: ~}", "{audience: {}}", "{audience: {age: {}}}"})
    void whatRestrictsNothingIsAbsent(String available) {
        String inline = REACTION.replace("available:\n%s", "available: " + available);

        assertThat(RulesFixture.yaml(inline).reactions().getFirst().available()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-12-01",
                "2026-12-01T00:00:00",
                "12026-12-01T00:00:00Z",
                "-2026-12-01T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-02-30T00:00:00Z",
                "tomorrow",
                "1796083200"
            })
    void aTimeIsAnInstant(String time) {
        assertThat(refused("until: " + time))
                .containsExactly(
                        "body:6: until of available of reaction \"a\" must be a time such as"
                                + " 2026-12-24T18:00:00Z, not \"%s\"".formatted(time));
    }

    @Test
    void aSeasonEndsAfterItsBeginning() {
        assertThat(refused("from: 2026-12-01T00:00:00Z\nuntil: 2026-12-01T00:00:00Z"))
                .containsExactly(
                        "body:7: until of available of reaction \"a\" must be later than from,"
                                + " which is 2026-12-01T00:00:00Z");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {age: {min: -1}}       | must be a number of years from 0 to 150, not "-1"
                    {age: {max: 151}}      | must be a number of years from 0 to 150, not "151"
                    {age: {min: young}}    | must be a number of years from 0 to 150, not "young"
                    {age: {min: 3, max: 2}}| must not be less than min, which is 3
                    {age: [18, 30]}        | must be a mapping of keys to values
                    {age: {least: 3}}      | unknown key "least"
                    {gender: []}           | must not be empty
                    {gender: f}            | must be a list
                    {gender: ["f m"]}      | must be 1 to 64 letters, digits, dots, underscores or hyphens, not "f m"
                    {gender: [f, F]}       | names "F" twice
                    {country: [TWN]}       | must be a country of ISO 3166-1 alpha-2, not "TWN"
                    {country: [XX]}        | must be a country of ISO 3166-1 alpha-2, not "XX"
                    {country: []}          | must not be empty
                    {platform: [[ios]]}    | must be a single value
                    {language: [de]}       | unknown key "language"
                    """)
    void anAudienceIsChecked(String audience, String message) {
        assertThat(refused("audience: " + audience))
                .singleElement()
                .asString()
                .startsWith("body:6: ")
                .contains("reaction \"a\"", message);
    }

    @Test
    void aSeasonalReactionIsReadFromARequest() {
        String body =
                """
                {"ReactionSetId":"s","reaction":{"id":"a","type":"unicode","code":"a",
                 "available":{"until":"2026-12-27T00:00:00Z"}}}
                """;

        SeasonalReaction read = ConfigurationBody.seasonal(RulesFixture.bytes(body));

        assertThat(read.reactionSetId()).isEqualTo("s");
        assertThat(read.reaction().id()).isEqualTo("a");
        assertThat(read.reaction().available())
                .isEqualTo(new Availability(null, Instant.parse("2026-12-27T00:00:00Z"), null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {                                                  | is not JSON
                    []                                                 | must be a mapping
                    {"reaction":{"id":"a","type":"unicode","code":"a"}}| reaction_set_id of a seasonal reaction is missing
                    {"reaction_set_id":"s"}                            | reaction of a seasonal reaction is missing
                    {"reaction_set_id":"s","reaction":{"id":"a"}}      | type of reaction "a" is missing
                    {"reaction_set_id":"s","reaction":{"id":"a","type":"unicode","code":"a"}}| needs a season or an audience
                    {"reaction_set_id":"s","reaction":{"id":"a","type":"unicode","code":"a","available":{}}}| needs a season or an audience
                    """)
    void aSeasonalReactionIsChecked(String body, String message) {
        assertThat(violations(() -> ConfigurationBody.seasonal(RulesFixture.bytes(body))))
                .anySatisfy(each -> assertThat(each).startsWith("body").contains(message));
    }
}
