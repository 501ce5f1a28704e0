package dev.ovation.command;

import dev.ovation.access.Scope;
import dev.ovation.credential.ApiKey;
import dev.ovation.entity.Ids;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;

/**
 * Makes an API key. The entry for the file of keys goes to the standard output, to be appended to
 * the file; the key itself goes to the standard error, once.
 */
final class KeyCommand {

    private final PrintStream out;
    private final PrintStream err;
    private final String id;
    private final List<String> scopes;
    private final List<String> namespaces;
    private final @Nullable String expires;

    KeyCommand(Arguments arguments, PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
        this.id = arguments.needed("id");
        this.scopes = list(arguments.needed("scopes"));
        this.namespaces =
                arguments.has("namespaces") ? list(arguments.needed("namespaces")) : List.of();
        this.expires = arguments.get("expires");
        check();
    }

    int run() {
        String key = ApiKey.create(id);
        var entry = new StringBuilder("- id: ").append(id).append('\n');
        entry.append("  sha256: [").append(ApiKey.hash(key)).append("]\n");
        entry.append("  scopes: [").append(quoted(scopes)).append("]\n");
        if (!namespaces.isEmpty()) {
            entry.append("  namespaces: [").append(quoted(namespaces)).append("]\n");
        }
        if (expires != null) {
            entry.append("  expires: ").append(expires).append('\n');
        }
        // One write, because a service may read the file at this moment.
        out.print(entry);
        out.flush();
        err.println("The key, which is shown this once:");
        err.println(key);
        return CommandLine.DONE;
    }

    private void check() {
        if (!ApiKey.isId(id)) {
            throw misuse(
                    "--id must be 1 to 32 of a-z, 0-9, dot and hyphen, and not open, anonymous or"
                            + " user");
        }
        for (String each : scopes) {
            Scope scope = Scope.granted(each);
            if (scope == null) {
                throw misuse("--scopes must be of " + Scope.labels());
            }
            if (scope.isForAllNamespaces() && !namespaces.isEmpty()) {
                throw misuse("scope " + each + " concerns all namespaces: leave out --namespaces");
            }
        }
        if (!namespaces.stream().allMatch(Ids::isNamespace)) {
            throw misuse("--namespaces must be ids of namespaces, separated by commas");
        }
        try {
            var _ = expires == null ? null : LocalDate.parse(expires);
        } catch (DateTimeParseException _) {
            throw misuse("--expires must be a date, as 2027-06-30");
        }
    }

    private static Arguments.MisuseException misuse(String message) {
        return new Arguments.MisuseException(message);
    }

    private static List<String> list(String text) {
        return Arrays.asList(text.split(",", -1));
    }

    /**
     * Quotes a text for YAML, where `reactions:read` is a text without quotes, but `1e3` is not.
     */
    private static String quoted(List<String> texts) {
        return String.join(", ", texts.stream().map(each -> '"' + each + '"').toList());
    }
}
