package dev.ovation.api;

import static dev.ovation.testing.Imports.CSV;
import static dev.ovation.testing.Imports.HEADER;
import static dev.ovation.testing.Imports.NDJSON;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;

@DisplayName("GET /exports")
class ExportsApiTest extends ApiFixture {

    /** A namespace outside of the configuration, which no other test uses. */
    private final String namespace = "of-" + entity;

    @Test
    void anExportIsCsvOrNdjsonAndEndsWithItsRowCount() {
        reactions("ann,👍,1970-01-01T00:00:01Z", "\"b,e\"\"n\",❤️,1970-01-01T00:00:02.000003Z");

        assertThat(export("text/csv", "kind", "reactions", "namespace_id", namespace).body())
                .isEqualTo(
                        HEADER
                                + "%1$s,%2$s,ann,👍,1970-01-01T00:00:01Z\n%1$s,%2$s,\"b,e\"\"n\",❤️,1970-01-01T00:00:02.000003Z\n# count: 2\n"
                                        .formatted(namespace, entity));
        assertThat(export(NDJSON, "kind", "reactions", "namespace_id", namespace).body().lines())
                .hasSize(3)
                .last()
                .isEqualTo("{\"count\":2}");
    }

    @Test
    void everyRowIsThereOnceHoweverManyPagesThereAre() {
        var file = new StringBuilder(HEADER);
        for (int i = 0; i < 10_377; i++) {
            file.append("%s,e%d,u%d,👍,%d\n".formatted(namespace, i % 89, i, i));
        }
        Imports.run(service, "kind=reactions", file.toString());

        List<String> lines =
                export("text/csv", "kind", "reactions", "namespace_id", namespace)
                        .body()
                        .lines()
                        .toList();

        assertThat(lines)
                .hasSize(10_379)
                .doesNotHaveDuplicates()
                .last()
                .isEqualTo("# count: 10377");
    }

    @Test
    void ofAUserIsAllThatIsStoredOfThem() {
        String user = "user " + entity;
        Imports.run(service, "kind=users", "user_id,display_name\n%s,Ann\n".formatted(user));
        Imports.run(service, "kind=friends", "user_id,friend_id\nz,%s\n".formatted(user));
        reactions(user + ",👍,1000", "ben,👍,1001");

        assertThat(export("*/*", "user_id", user).body())
                .isEqualTo(
                        """
                        {"kind":"users","user_id":"%1$s","display_name":"Ann"}
                        {"kind":"friends","user_id":"%1$s","friend_id":"z"}
                        {"kind":"reactions","namespace_id":"%2$s","entity_id":"%3$s","user_id":"%1$s","reaction_id":"👍","reacted_at":"1970-01-01T00:00:01Z"}
                        {"count":3}
                        """
                                .formatted(user, namespace, entity));
        assertThat(export(CSV, "kind", "friends", "user_id", user).body())
                .isEqualTo("user_id,friend_id\n%s,z\n# count: 1\n".formatted(user));
        assertThat(export(CSV, "kind", "users", "user_id", user).body())
                .isEqualTo(
                        "user_id,display_name,avatar_url\n%s,Ann,\"\"\n# count: 1\n"
                                .formatted(user));
    }

    @Test
    void invalidExportRequestsAreRefused() {
        assertViolations(export(CSV), "kind");
        assertViolations(export(CSV, "kind", "pcc-users"), "kind");
        assertViolations(export(CSV, "kind", "users", "namespace_id", "posts"), "namespace_id");
        assertProblem(export("image/png", "kind", "users"), 406, "not-acceptable");
        assertProblem(export(CSV, "user_id", "ann"), 406, "not-acceptable");
    }

    private void reactions(String... rows) {
        var file = new StringBuilder(HEADER);
        for (String row : rows) {
            file.append(namespace).append(',').append(entity).append(',').append(row).append('\n');
        }
        Imports.run(service, "kind=reactions", file.toString());
    }

    private Answer export(String accept, String... query) {
        var parameters = new LinkedHashMap<String, String>();
        for (int i = 0; i < query.length; i += 2) {
            parameters.put(query[i], query[i + 1]);
        }
        return service.send(
                "GET", "/exports?" + Instance.encode(parameters), null, "Accept", accept);
    }
}
