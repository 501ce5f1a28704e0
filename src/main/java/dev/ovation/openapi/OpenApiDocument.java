package dev.ovation.openapi;

import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A document in its two forms. */
final class OpenApiDocument {

    /** The tag of the contest's API, which the document of the service leaves out. */
    private static final String CONTEST = "pcc";

    private final byte[] json;
    private final byte[] yaml;

    private OpenApiDocument(Map<String, Object> tree) {
        var options = new DumperOptions();
        options.setDefaultFlowStyle(FlowStyle.BLOCK);
        options.setDereferenceAliases(true);
        this.json = JsonMapper.shared().writeValueAsBytes(tree);
        this.yaml = new Yaml(options).dump(tree).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the document of the service, without the contest.
     *
     * @throws UncheckedIOException when a part cannot be read
     * @throws IllegalStateException when two parts define the same element
     */
    static OpenApiDocument ofService() {
        try {
            return new OpenApiDocument(tree());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the document of the contest; errors as of {@link #ofService}. */
    static OpenApiDocument ofContest() {
        try {
            return new OpenApiDocument(contest());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The document as JSON; the caller must not change the array. */
    byte[] json() {
        return json;
    }

    /** The document as YAML in UTF-8; the caller must not change the array. */
    byte[] yaml() {
        return yaml;
    }

    /** The document of the service as a tree of maps. */
    static Map<String, Object> tree() throws IOException {
        return DocumentScope.of(whole(), tag -> !tag.equals(CONTEST));
    }

    /** The document of the contest as a tree of maps. */
    static Map<String, Object> contest() throws IOException {
        var tree = new LinkedHashMap<>(DocumentScope.of(whole(), CONTEST::equals));
        var info = new LinkedHashMap<>(FlatSchemas.named(tree, "#/info"));
        info.put("title", "Ovation: API of the contest");
        tree.put("info", info);
        return tree;
    }

    /** The operations and components of both documents. */
    static Map<String, Object> whole() throws IOException {
        return DocumentScope.of(FlatSchemas.flat(DocumentParts.merged()), _ -> true);
    }
}
