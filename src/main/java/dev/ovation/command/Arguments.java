package dev.ovation.command;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The arguments of a command: {@code --name=value}, {@code --name}, and others. */
final class Arguments {

    private static final Set<String> KNOWN =
            Set.of(
                    "kind",
                    "namespace",
                    "user",
                    "url",
                    "again",
                    "accept-loss",
                    "dry-run",
                    "ndjson",
                    "id",
                    "scopes",
                    "namespaces",
                    "expires");

    private final Map<String, String> named = new HashMap<>();
    private final List<String> others = new ArrayList<>();

    /** The arguments are invalid; the message names the error. */
    static final class MisuseException extends RuntimeException {
        MisuseException(String message) {
            super(message, null, false, false);
        }
    }

    Arguments(List<String> arguments) {
        for (String argument : arguments) {
            if (!argument.startsWith("--")) {
                others.add(argument);
                continue;
            }
            String[] parts = argument.substring(2).split("=", 2);
            if (!KNOWN.contains(parts[0])) {
                throw new MisuseException("there is no --" + parts[0]);
            }
            named.put(parts[0], parts.length == 1 ? "" : parts[1]);
        }
        if (others.size() > 1) {
            throw new MisuseException("one file at a time");
        }
    }

    @Nullable String get(String name) {
        return named.get(name);
    }

    boolean has(String name) {
        return named.containsKey(name);
    }

    String needed(String name) {
        String value = named.get(name);
        if (value == null || value.isEmpty()) {
            throw new MisuseException("--" + name + " is missing");
        }
        return value;
    }

    /** Returns the file; null for none. */
    @Nullable String file() {
        return others.isEmpty() ? null : others.getFirst();
    }

    /** Creates a request to the service, with the credential of OVATION_KEY if it is set. */
    static HttpRequest.Builder request(URI uri) {
        String key = System.getenv("OVATION_KEY");
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        return key == null || key.isEmpty()
                ? request
                : request.header("Authorization", "Bearer " + key);
    }

    /** Returns the address of a service on this machine, with these environment variables. */
    private static String local() {
        return "http://localhost:" + Objects.requireNonNullElse(System.getenv("PORT"), "8080");
    }

    /**
     * Returns an address of the service. The query alternates names and values; a null value is
     * left out.
     */
    URI uri(String path, @Nullable String... query) {
        String base = named.getOrDefault("url", System.getenv("OVATION_URL"));
        var uri = new StringBuilder(base == null ? local() : base).append(path);
        char separator = '?';
        for (int i = 0; i < query.length; i += 2) {
            String value = query[i + 1];
            if (value != null) {
                uri.append(separator).append(query[i]).append('=');
                uri.append(URLEncoder.encode(value, StandardCharsets.UTF_8));
                separator = '&';
            }
        }
        try {
            return URI.create(Objects.requireNonNull(uri.toString()));
        } catch (IllegalArgumentException e) {
            throw new MisuseException("no address: " + uri);
        }
    }
}
