package dev.ovation.rules.reader;

import static dev.ovation.rules.reader.RulesFixture.GOOD;
import static dev.ovation.rules.reader.RulesFixture.RESOURCES;
import static dev.ovation.rules.reader.RulesFixture.bytes;
import static dev.ovation.rules.reader.RulesFixture.violations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionSet;
import dev.ovation.rules.RuleSet;
import dev.ovation.testing.Gzip;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;

class ConfigurationArchiveTest {

    private final ByteArrayOutputStream tar = new ByteArrayOutputStream();

    /** Archives of GNU tar: of a folder's content, and of a folder in pax format. */
    @ParameterizedTest
    @ValueSource(strings = {"good.tar.gz", "good-pax.tar.gz"})
    void anArchiveOfTheFilesIsReadLikeTheFiles(String file) throws IOException {
        LoadedConfiguration loaded =
                ConfigurationBody.archive(Files.readAllBytes(RESOURCES.resolve(file)));
        LoadedConfiguration files = ConfigurationFiles.read(GOOD);
        assertThat(loaded.configuration().toJson()).isEqualTo(files.configuration().toJson());
        assertThat(loaded.hash()).isEqualTo(files.hash());
    }

    @Test
    void singularNamesAreAcceptedAndMacOsFilesIgnored() throws IOException {
        add("._reaction.yaml", '0', bytes("\u0000"));
        add("./namespace.yaml", '0', bytes(""));
        add("reaction.yaml", '0', bytes("- {ID: a, Type: unicode, Code: a}\n"));
        add("../../etc/reaction_set.yaml", '\0', bytes("- {Id: s, ReactionIds: [a]}\n"));
        RuleSet configuration = ConfigurationBody.archive(gzip()).configuration();
        assertThat(configuration.reactions())
                .extracting(ReactionDefinition::id)
                .containsExactly("a");
        assertThat(configuration.reactionSets()).extracting(ReactionSet::id).containsExactly("s");
    }

    @Test
    void missingDoubleUnknownAndIrregularFilesAreNamed() throws IOException {
        add("reactions.yaml", '0', bytes("- 1\n"));
        add("reaction.yaml", '0', bytes(""));
        add("passwd", '0', bytes("root"));
        add("namespaces.yaml", '2', bytes(""));
        assertThat(violations(() -> ConfigurationBody.archive(gzip())))
                .containsExactly(
                        "body: holds reactions.yaml twice",
                        "body: holds the unknown file \"passwd\"",
                        "body: \"namespaces.yaml\" is not a regular file",
                        "namespaces.yaml: is missing in the archive",
                        "reaction_sets.yaml: is missing in the archive",
                        "reactions.yaml:1: a reaction must be a mapping of keys to values, not \"1\"");
    }

    @Test
    void bytesOtherThanGzipTarAreRefused() throws IOException {
        assertNotAnArchive(bytes("reactions: []"), "Not in GZIP format");
        assertNotAnArchive(new byte[0], "it ends too early");
        tar.write(bytes("x".repeat(1024)));
        assertNotAnArchive(gzip(), "a header's number is wrong");
    }

    @Test
    void aChangedHeaderIsRefused() throws IOException {
        add("reactions.yaml", '0', bytes(""));
        byte[] changed = tar.toByteArray();
        changed[0] = 'R';
        tar.reset();
        tar.write(changed);
        assertNotAnArchive(gzip(), "a header's checksum is wrong");
    }

    @Test
    void aCutArchiveIsRefused() throws IOException {
        add("reactions.yaml", '0', bytes("- {id: a, type: unicode, code: a}"));
        byte[] whole = tar.toByteArray();
        tar.reset();
        tar.write(whole, 0, 520);
        assertNotAnArchive(gzip(), "it ends too early");
        tar.reset();
        tar.write(whole, 0, 100);
        assertNotAnArchive(gzip(), "it ends within a header");
    }

    @Test
    void aBombIsNotUnpacked() throws IOException {
        tar.write(header("reactions.yaml", '0', 0_77777777777L));
        assertNotAnArchive(gzip(), "more than 12582912 bytes");
        tar.reset();
        add("reactions.yaml", '0', new byte[8 << 20]);
        add("other", '0', new byte[8 << 20]);
        assertNotAnArchive(gzip(), "more than 12582912 bytes");
    }

    @Test
    void manyEntriesAreRefused() throws IOException {
        for (int i = 0; i < 101; i++) {
            add("folder" + i, '5', bytes(""));
        }
        assertNotAnArchive(gzip(), "more than 100 entries");
    }

    @Test
    void aFileBeyondItsLimitIsNamed() throws IOException {
        add("reactions.yaml", '0', bytes("#".repeat(3 * 1024 * 1024 + 1)));
        add("reaction_sets.yaml", '0', bytes(""));
        add("namespaces.yaml", '0', bytes(""));
        assertThat(violations(() -> ConfigurationBody.archive(gzip())))
                .containsExactly("reactions.yaml: is larger than 3145728 bytes");
    }

    private static void assertNotAnArchive(byte[] body, String why) {
        assertThat(violations(() -> ConfigurationBody.archive(body)))
                .containsExactly("body: is not a gzip tar archive: " + why);
    }

    private void add(String name, char type, byte[] content) throws IOException {
        tar.write(header(name, type, content.length));
        tar.write(Arrays.copyOf(content, (content.length + 511) / 512 * 512));
    }

    private static byte[] header(String name, char type, long size) {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 124, "%011o".formatted(size));
        put(header, 148, "        ");
        header[156] = (byte) type;
        put(header, 257, "ustar");
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xFF;
        }
        put(header, 148, "%06o\0 ".formatted(sum));
        return header;
    }

    private static void put(byte[] header, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, offset, bytes.length);
    }

    private byte[] gzip() {
        return Gzip.zipped(tar.toByteArray());
    }
}
