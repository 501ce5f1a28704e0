package dev.ovation.rules.reader;

import static dev.ovation.rules.reader.RulesFixture.RESOURCES;
import static dev.ovation.rules.reader.RulesFixture.violations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class ConfigurationFilesTest {

    @TempDir Path folder;

    @Test
    void allViolationsAreReportedAtOnceWithFileAndLine() {
        assertThat(violations(() -> ConfigurationFiles.read(RESOURCES.resolve("bad"))))
                .containsExactly(
                        """
                        namespaces.yaml:3: max_uniq_reactions of namespace "a" must not be negative: "-1"
                        namespaces.yaml:5: reaction_set_id of namespace "b" names "nowhere", which is not defined
                        namespaces.yaml:7: max_uniq_reactions of namespace "c" is missing
                        namespaces.yaml:11: max_uniq_reactions of namespace "d" must be an integer, not "1.5"
                        namespaces.yaml:14: max_uniq_reactions of namespace "e" must be at most 2147483647: "2147483648"
                        namespaces.yaml:15: id of namespace "a b" must be 1 to 64 of the characters A-Z a-z 0-9 . _ -
                        namespaces.yaml:18: reaction_set_id of namespace "f" is missing
                        namespaces.yaml:24: a group in mutually_exclusive_reactions of namespace "g" names "d", which is not in reaction set four
                        namespaces.yaml:26: a group in mutually_exclusive_reactions of namespace "g" names "a" twice
                        namespaces.yaml:27: a group in mutually_exclusive_reactions of namespace "g" must be a list, not "a"
                        namespaces.yaml:31: mutually_exclusive_reactions of namespace "h" must be a list, not a mapping
                        namespaces.yaml:32: id of namespace "a" is already defined in line 1
                        namespaces.yaml:38: a group in mutually_exclusive_reactions of namespace "i" names "nowhere", which is not defined
                        namespaces.yaml:41: max_uniq_reactions of namespace "j" must be a single value, not a list
                        namespaces.yaml:42: unknown key "max_uniq_reaction" in a namespace, which has id, reaction_set_id, max_uniq_reactions, mutually_exclusive_reactions, max_reactions_per_user, attributes, constraints
                        reaction_sets.yaml:5: reaction_ids of reaction set "one" names "nowhere", which is not defined
                        reaction_sets.yaml:6: reaction_ids of reaction set "one" names "a" twice
                        reaction_sets.yaml:8: reaction_ids of reaction set "one" names "\u2764\uFE0F" twice
                        reaction_sets.yaml:9: a reaction in reaction_ids of reaction set "one" must be a single value, not a list
                        reaction_sets.yaml:10: id of reaction set "one" is already defined in line 1
                        reaction_sets.yaml:12: reaction_ids of reaction set "two" is missing
                        reaction_sets.yaml:14: reaction_ids of reaction set "three" must be a list, not "a"
                        reaction_sets.yaml:15: id of a reaction set is missing
                        reaction_sets.yaml:18: unknown key "reactions" in a reaction set, which has id, reaction_ids, open, skin_tones
                        reaction_sets.yaml:19: a reaction set must be a mapping of keys to values, not empty
                        reactions.yaml:4: unknown key "colour" in a reaction, which has id, type, code, url, short_name, value, available
                        reactions.yaml:5: id of reaction "a" is already defined in line 1
                        reactions.yaml:9: id of reaction "\u2764\uFE0F" is the reaction of line 8: they differ in U+FE0F or normal form only
                        reactions.yaml:10: id of a reaction is missing
                        reactions.yaml:12: type of reaction "b" is missing
                        reactions.yaml:14: type of reaction "c" must be unicode or custom, not "emoji"
                        reactions.yaml:15: code of reaction "d" is missing
                        reactions.yaml:17: url of reaction "e" is missing
                        reactions.yaml:22: code of reaction "f" must not be empty
                        reactions.yaml:26: type is there twice, first in line 24
                        reactions.yaml:30: value of reaction "h" must be a number with at most 9 digits before and after the point, not "many"
                        reactions.yaml:33: code of reaction "i" must be a single value, not a list
                        reactions.yaml:34: id of a reaction must be a single value, not a list
                        reactions.yaml:37: a reaction must be a mapping of keys to values, not "just text"
                        reactions.yaml:38: id of reaction "k\uFFFD" must not contain the control character U+0007
                        reactions.yaml:41: id of reaction "\uFE0F" must hold more than U+FE0F
                        reactions.yaml:47: short_name of reaction "m" must not contain the unpaired surrogate U+D83D
                        reactions.yaml:48: id of reaction "" must not be empty
                        reactions.yaml:54: unknown key "Short_Name" in a reaction, which has id, type, code, url, short_name, value, available
                        reactions.yaml:55: a key of a reaction must be a single value, not a list
                        """
                                .lines()
                                .toArray(String[]::new));
    }

    @Test
    void aFileThatIsNotYamlHidesNothingInTheOthersAndAccusesNothingInThem() throws IOException {
        assertThat(violations(() -> ConfigurationFiles.read(RESOURCES.resolve("syntax"))))
                .containsExactly(
                        "namespaces.yaml:4: is not YAML: but found another document",
                        "reactions.yaml:3: is not YAML: mapping values are not allowed here");
        Files.copy(RESOURCES.resolve("syntax/reactions.yaml"), folder.resolve("reactions.yaml"));
        write("reaction_sets.yaml", "- id: one\n  reaction_ids: [a, b, a]\n");
        write(
                "namespaces.yaml",
                """
                - id: posts
                  reaction_set_id: nowhere
                  max_uniq_reactions: 1
                  mutually_exclusive_reactions: [[c, c]]
                """);
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .containsExactly(
                        "namespaces.yaml:2: reaction_set_id of namespace \"posts\" names \"nowhere\","
                                + " which is not defined",
                        "namespaces.yaml:4: a group in mutually_exclusive_reactions of namespace"
                                + " \"posts\" names \"c\" twice",
                        "reaction_sets.yaml:2: reaction_ids of reaction set \"one\" names \"a\" twice",
                        "reactions.yaml:3: is not YAML: mapping values are not allowed here");
    }

    @Test
    void missingFilesAreNamed() throws IOException {
        write("reactions.yaml", "");
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .containsExactly(
                        "namespaces.yaml: is missing in " + folder,
                        "reaction_sets.yaml: is missing in " + folder);
    }

    @Test
    void aFolderInTheirPlaceCannotBeRead() throws IOException {
        write("", "", "");
        Files.delete(folder.resolve("namespaces.yaml"));
        Files.createDirectory(folder.resolve("namespaces.yaml"));
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .singleElement()
                .asString()
                .startsWith("namespaces.yaml: cannot be read in " + folder);
    }

    @Test
    void emptyFilesCommentsAndEmptyDocumentsAreEmptyLists() throws IOException {
        write("", "# nothing yet\n", "---\n...\n");
        assertThat(ConfigurationFiles.read(folder).configuration().isEmpty()).isTrue();
        assertThat(RulesFixture.good().isEmpty()).isFalse();
    }

    @Test
    void aFileHoldsAList() throws IOException {
        write("reactions: []\n", "[]\n", "42\n");
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .containsExactly(
                        "namespaces.yaml:1: namespaces.yaml must be a list, not \"42\"",
                        "reactions.yaml:1: reactions.yaml must be a list, not a mapping");
    }

    @Test
    void aByteOrderMarkIsNoCharacterOfTheFile() throws IOException {
        write("\uFEFF- {id: a, type: unicode, code: a}\n", "", "");
        assertThat(ConfigurationFiles.read(folder).configuration().reactions())
                .containsExactly(new ReactionDefinition("a", null, "unicode", "a", null, null));
    }

    @Test
    void bytesThatAreNotUtf8AreReportedWithTheirLine() throws IOException {
        write("", "", "");
        byte[] latin1 = {'#', ' ', 'a', '\n', '-', ' ', (byte) 0xE4, '\n'};
        Files.write(folder.resolve("reactions.yaml"), latin1);
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .containsExactly("reactions.yaml:2: is not UTF-8");
        byte[] cut = {'-', ' ', '\n', (byte) 0xF0, (byte) 0x9F};
        Files.write(folder.resolve("reactions.yaml"), cut);
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .containsExactly("reactions.yaml:2: is not UTF-8");
    }

    @Test
    void aCharacterThatYamlForbidsIsReportedWithItsLine() throws IOException {
        write("# 👍\n".repeat(3_000) + "- \u0001\n", "", "");
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .containsExactly("reactions.yaml:3001: must not contain U+0001");
    }

    @Test
    void sizeDepthAndAliasesAreLimited() throws IOException {
        write("#".repeat(3 * 1024 * 1024 + 1), "[".repeat(100), "- &a [x]\n" + "- *a\n".repeat(51));
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .containsExactly(
                        "namespaces.yaml: is not YAML: Number of aliases for non-scalar nodes exceeds"
                                + " the specified max=50",
                        "reaction_sets.yaml: is not YAML: Nesting Depth exceeded max 20",
                        "reactions.yaml: is larger than 3145728 bytes");
    }

    @Test
    void aListThatContainsItselfIsOnlyAWrongKindOfValue() throws IOException {
        write("- &a [*a]\n", "- id: s\n  reaction_ids: &b [*b]\n", "");
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .containsExactly(
                        "reaction_sets.yaml:2: a reaction in reaction_ids of reaction set \"s\" must"
                                + " be a single value, not a list",
                        "reactions.yaml:1: a reaction must be a mapping of keys to values, not a list");
    }

    @Test
    void mergeKeysAreUnknownKeys() throws IOException {
        write("- &a {id: a, type: unicode, code: a}\n- {<<: *a, id: b}\n", "", "");
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .contains(
                        "reactions.yaml:2: unknown key \"<<\" in a reaction, which has id, type, code,"
                                + " url, short_name, value, available");
    }

    @Test
    void aliasesMaySpareRepetition() throws IOException {
        write(
                "- {id: a, type: unicode, code: a}\n- {id: b, type: unicode, code: b}\n",
                "- {id: s, reaction_ids: &all [a, b]}\n- {id: t, reaction_ids: *all}\n",
                "");
        assertThat(ConfigurationFiles.read(folder).configuration().reactionSets())
                .containsExactly(
                        new ReactionSet("s", List.of("a", "b")),
                        new ReactionSet("t", List.of("a", "b")));
    }

    @Test
    void moreViolationsThanAnyoneReadsAreCounted() throws IOException {
        write("- x\n".repeat(1_377), "", "");
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .hasSize(1_001)
                .endsWith("reactions.yaml: and 377 more violations");
    }

    @Test
    void groupsThatWouldFillTheMemoryAreRefused() throws IOException {
        String ids =
                IntStream.range(0, 1_001).mapToObj(i -> "r" + i).collect(Collectors.joining(", "));
        String reactions =
                IntStream.range(0, 1_001)
                        .mapToObj(i -> "- {id: r%d, type: unicode, code: x}\n".formatted(i))
                        .collect(Collectors.joining());
        write(
                reactions,
                "- {id: s, reaction_ids: [%s]}\n".formatted(ids),
                """
                - id: big
                  reaction_set_id: s
                  max_uniq_reactions: 1
                  mutually_exclusive_reactions:
                    - [r0, r1]
                    - [%s]
                """
                        .formatted(ids));
        assertThat(violations(() -> ConfigurationFiles.read(folder)))
                .containsExactly(
                        "namespaces.yaml:6: with a group in mutually_exclusive_reactions of namespace"
                                + " \"big\", all groups make more than 1000000 pairs");
    }

    @Test
    void theSameFilesHaveTheSameHashAndOthersAnother() throws IOException {
        String written = "- {id: a, type: unicode, code: a}\n";
        write(written, "", "");
        String hash = ConfigurationFiles.read(folder).hash();
        assertThat(hash).matches("[0-9a-f]{64}");
        assertThat(ConfigurationFiles.read(folder).hash()).isEqualTo(hash);
        write(written + "# comment\n", "", "");
        assertThat(ConfigurationFiles.read(folder).hash()).isNotEqualTo(hash);
    }

    @Test
    void theHashIsOfNamesLengthsAndBytes() throws IOException {
        write("", "", "");
        // printf '\0\0\0\016reactions.yaml\0\0\0\0…' | sha256sum, for the three names
        assertThat(ConfigurationFiles.read(folder).hash()).isEqualTo(EMPTY_FILES);
    }

    private static final String EMPTY_FILES =
            "94794a567771d86f7ff8079090272fce6e657fe6cd466c16fc848f7f10de0ca2";

    private void write(String reactions, String reactionSets, String namespaces)
            throws IOException {
        write("reactions.yaml", reactions);
        write("reaction_sets.yaml", reactionSets);
        write("namespaces.yaml", namespaces);
    }

    private void write(String file, String content) throws IOException {
        Files.writeString(folder.resolve(file), content);
    }
}
