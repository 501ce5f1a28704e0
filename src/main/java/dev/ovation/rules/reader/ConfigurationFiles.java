package dev.ovation.rules.reader;

import dev.ovation.rules.RuleSet;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code reactions.yaml}, {@code reaction_sets.yaml} and {@code namespaces.yaml}. */
public final class ConfigurationFiles {

    private ConfigurationFiles() {}

    /**
     * Reads the three files of a folder. Each holds a list; an empty file is an empty list. Keys
     * must be written exactly.
     *
     * @throws InvalidConfigurationException with all violations of all files; a file that is
     *     missing or cannot be read is a violation too
     */
    public static LoadedConfiguration read(Path directory) {
        ViolationCollector problems = new ViolationCollector();
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (String name : Documents.FILES) {
            try (InputStream in = Files.newInputStream(directory.resolve(name))) {
                files.put(name, in.readNBytes(Documents.MAX_BYTES + 1));
            } catch (NoSuchFileException e) {
                problems.add(name, 0, "is missing in " + directory);
            } catch (IOException e) {
                problems.add(name, 0, "cannot be read in " + directory + ": " + e);
            }
        }
        return read(files, true, problems);
    }

    /** Reads files by their names; a missing file is recorded as a violation already. */
    static LoadedConfiguration read(
            Map<String, byte[]> files, boolean strict, ViolationCollector problems) {
        Documents documents = new Documents(strict, problems);
        Map<String, @Nullable List<DocumentValue>> lists = new LinkedHashMap<>();
        files.forEach((name, bytes) -> lists.put(name, documents.yamlList(name, bytes)));
        RuleSet configuration =
                new ConfigurationReader(problems)
                        .read(
                                lists.get(Documents.REACTIONS),
                                lists.get(Documents.REACTION_SETS),
                                lists.get(Documents.NAMESPACES));
        return new LoadedConfiguration(configuration, LoadedConfiguration.hash(files));
    }
}
