package dev.ovation.credential;

import dev.ovation.access.Policy;
import dev.ovation.access.Principal;
import dev.ovation.access.Rate;
import dev.ovation.access.Scope;
import dev.ovation.entity.Ids;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the key file: a list of {@code id}, {@code sha256}, {@code scopes}, {@code namespaces},
 * {@code expires} and {@code limits}. Unknown members, repeated ids and repeated hashes are errors,
 * because a misspelt {@code namespaces} would grant all namespaces.
 */
final class KeyFile {

    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_DEPTH = 5;
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");
    private static final Set<String> MEMBERS =
            Set.of("id", "sha256", "scopes", "namespaces", "expires", "limits");
    private static final Map<String, Policy> LIMITS =
            Map.of(
                    "reads", Policy.KEY_READS,
                    "writes", Policy.KEY_WRITES,
                    "user-reads", Policy.USER_READS,
                    "user-writes", Policy.USER_WRITES,
                    "erasures", Policy.ERASURES);

    private final Map<String, ResolvedCredential> keys = new HashMap<>();
    private final Set<String> ids = new HashSet<>();

    private KeyFile() {}

    /**
     * Reads a file.
     *
     * @return credentials by the SHA-256 of the key in hex
     * @throws InvalidKeysException naming the first defect
     */
    static Map<String, ResolvedCredential> read(byte[] bytes) {
        var options = new LoaderOptions();
        options.setCodePointLimit(MAX_BYTES);
        options.setNestingDepthLimit(MAX_DEPTH);
        options.setMaxAliasesForCollections(0);
        Node root;
        try {
            String text = new String(bytes, StandardCharsets.UTF_8);
            root = new Yaml(options).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            throw new InvalidKeysException(line, "is not YAML: " + e.getProblem());
        } catch (YAMLException _) {
            throw new InvalidKeysException(0, "is not YAML");
        }
        if (root == null) {
            throw new InvalidKeysException(0, "is empty; a file without keys is []");
        }
        var file = new KeyFile();
        if (!(root instanceof SequenceNode entries)) {
            throw wrong(root, "the file must be a list");
        }
        entries.getValue().forEach(file::add);
        return Map.copyOf(file.keys);
    }

    private void add(Node node) {
        Map<String, Node> members = members(node, "a key", MEMBERS);
        Node id = needed(members, "id", node);
        String name = text(id, "id");
        if (!ApiKey.isId(name)) {
            throw wrong(
                    id,
                    "id must be 1 to 32 of a-z, 0-9, dot and hyphen, and"
                            + " not open, anonymous or user");
        }
        if (!ids.add(name)) {
            throw wrong(id, "id `" + name + "` is given twice");
        }
        Set<String> namespaces = namespaces(members.get("namespaces"));
        Set<Scope> scopes = scopes(needed(members, "scopes", node), namespaces != null);
        var resolved =
                new ResolvedCredential(
                        Principal.backend(name, scopes, namespaces, limits(members.get("limits"))),
                        expires(members.get("expires")));
        Node hashes = needed(members, "sha256", node);
        for (Node each : list(hashes, "sha256")) {
            String hash = text(each, "sha256");
            if (!SHA_256.matcher(hash).matches()) {
                throw wrong(each, "sha256 must be 64 hexadecimal digits in lower case");
            }
            if (keys.put(hash, resolved) != null) {
                throw wrong(each, "sha256 is given twice");
            }
        }
    }

    private static Map<String, Node> members(Node node, String what, Set<String> known) {
        if (!(node instanceof MappingNode mapping) || mapping.getValue().isEmpty()) {
            throw wrong(node, what + " must be a mapping");
        }
        var members = new LinkedHashMap<String, Node>();
        for (NodeTuple tuple : mapping.getValue()) {
            String name = text(tuple.getKeyNode(), "a member's name");
            if (!known.contains(name)) {
                throw wrong(tuple.getKeyNode(), "there is no member `" + name + "`");
            }
            if (members.put(name, tuple.getValueNode()) != null) {
                throw wrong(tuple.getKeyNode(), name + " is given twice");
            }
        }
        return members;
    }

    private static Node needed(Map<String, Node> members, String name, Node where) {
        Node node = members.get(name);
        if (node == null) {
            throw wrong(where, name + " is missing");
        }
        return node;
    }

    private static Set<Scope> scopes(Node node, boolean someNamespaces) {
        var scopes = EnumSet.noneOf(Scope.class);
        for (Node each : list(node, "scopes")) {
            Scope scope = Scope.granted(text(each, "scopes"));
            if (scope == null) {
                throw wrong(each, "scopes must be of " + Scope.labels());
            }
            if (someNamespaces && scope.isForAllNamespaces()) {
                String why = " concerns all namespaces, so the key must not name some";
                throw wrong(each, "scope " + scope.label() + why);
            }
            scopes.add(scope);
        }
        return scopes;
    }

    private static @Nullable Set<String> namespaces(@Nullable Node node) {
        if (node == null) {
            return null;
        }
        Set<String> namespaces = new HashSet<>();
        for (Node each : list(node, "namespaces")) {
            String namespace = text(each, "namespaces");
            if (!Ids.isNamespace(namespace)) {
                throw wrong(each, "namespaces must be ids of namespaces");
            }
            namespaces.add(namespace);
        }
        return namespaces;
    }

    /** Returns the time at which a key expires. A date expires at the end of its day in UTC. */
    private static Instant expires(@Nullable Node node) {
        if (node == null) {
            return Instant.MAX;
        }
        String text = text(node, "expires");
        try {
            return text.indexOf('T') < 0
                    ? LocalDate.parse(text).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : Instant.parse(text);
        } catch (DateTimeException _) { // also for a date beyond the range of dates
            throw wrong(node, "expires must be a date or a time as 2027-06-30T00:00:00Z");
        }
    }

    private static Map<Policy, Rate> limits(@Nullable Node node) {
        var limits = new EnumMap<Policy, Rate>(Policy.class);
        if (node != null) {
            members(node, "limits", LIMITS.keySet())
                    .forEach(
                            (name, rate) ->
                                    limits.put(
                                            Objects.requireNonNull(LIMITS.get(name)),
                                            rate(rate, name)));
        }
        return limits;
    }

    private static Rate rate(Node node, String name) {
        try {
            return Rate.of(text(node, name));
        } catch (IllegalArgumentException e) {
            throw wrong(node, name + ": " + e.getMessage());
        }
    }

    private static List<Node> list(Node node, String name) {
        if (!(node instanceof SequenceNode sequence) || sequence.getValue().isEmpty()) {
            throw wrong(node, name + " must be a list of one or more");
        }
        return sequence.getValue();
    }

    private static String text(Node node, String name) {
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong(node, name + " must be a text");
        }
        return scalar.getValue();
    }

    private static InvalidKeysException wrong(Node node, String message) {
        return new InvalidKeysException(node.getStartMark().getLine() + 1, message);
    }
}
