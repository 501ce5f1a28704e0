package dev.ovation.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.Ovation;
import dev.ovation.credential.ApiKey;
import dev.ovation.testing.ChildJvm;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;

@ExtendWith(TwoInstances.class)
class CommandLineTest {

    @TempDir Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final String namespace = "of-" + UUID.randomUUID();
    private final String url = "--url=http://127.0.0.1:" + TwoInstances.one().port();

    @Test
    void importedRowsAreExportedAgain() throws IOException {
        Path in = folder.resolve("in.csv");
        Path back = folder.resolve("back.csv");
        String rows =
                "namespace_id,entity_id,user_id,reaction_id,reacted_at\n"
                        + namespace
                        + ",e,ann,👍,1970-01-01T00:00:01Z\n";
        Files.writeString(in, rows);

        assertThat(run("import", "--kind=reactions", url, in.toString())).hasValue(0);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"applied\" : 1");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("importing", "100 %  1 of 1");
        assertThat(
                        run(
                                "export",
                                "--kind=reactions",
                                "--namespace=" + namespace,
                                url,
                                back.toString()))
                .hasValue(0);
        assertThat(back).content().isEqualTo(rows + "# count: 1\n");
    }

    @Test
    void theSameFileIsTheSameJobUnlessItIsWantedAgain() throws IOException {
        Path in = folder.resolve("in.csv");
        Files.writeString(in, "user_id,display_name\n" + namespace + ",Ann\n");

        run("import", "--kind=users", url, in.toString());
        run("import", "--kind=users", url, in.toString());
        run("import", "--kind=users", "--again", url, in.toString());

        assertThat(
                        out.toString(StandardCharsets.UTF_8)
                                .lines()
                                .filter(line -> line.contains("job_id"))
                                .distinct())
                .hasSize(2);
    }

    @Test
    void refusalsOfTheServiceArePrinted() throws IOException {
        Path in = folder.resolve("in.csv");
        Files.writeString(in, "a,b\n");

        assertThat(run("import", "--kind=users", url, in.toString())).hasValue(1);
        assertThat(run("export", "--kind=pcc-users", url)).hasValue(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("user_id,display_name", "must be one of");
    }

    @Test
    void misuseIsExplained() {
        assertThat(run("import", "x.csv")).hasValue(2);
        assertThat(run("import", "--kind=users")).hasValue(2);
        assertThat(run("export", "--sort")).hasValue(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--kind is missing", "there is no --sort");
    }

    @Test
    void aKeyIsShownOnceAndItsEntryIsForTheFile() {
        assertThat(run("key", "--id=feed", "--scopes=reactions:read,erase", "--namespaces=posts"))
                .hasValue(0);

        String key = err.toString(StandardCharsets.UTF_8).lines().toList().getLast();
        assertThat(ApiKey.isWellFormed(key)).isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "- id: feed",
                        "  sha256: [" + ApiKey.hash(key) + "]",
                        "  scopes: [\"reactions:read\", \"erase\"]",
                        "  namespaces: [\"posts\"]");
    }

    @Test
    void aKeyThatTheServiceWouldRefuseIsNotMade() {
        assertThat(run("key", "--scopes=erase")).hasValue(2);
        assertThat(run("key", "--id=a_b", "--scopes=erase")).hasValue(2);
        assertThat(run("key", "--id=feed", "--scopes=everything")).hasValue(2);
        assertThat(run("key", "--id=feed", "--scopes=metrics", "--namespaces=posts")).hasValue(2);
        assertThat(run("key", "--id=feed", "--scopes=erase", "--expires=soon")).hasValue(2);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void theFilesOfAFolderAreSentAsTheConfiguration() throws IOException {
        String dry = "--dry-run";
        assertThat(run("configure", dry, url, TwoInstances.files().toString())).hasValue(0);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"changes\":[");

        for (String name : new String[] {"reactions", "reaction_sets", "namespaces"}) {
            Files.writeString(folder.resolve(name + ".yaml"), "- id: [");
        }
        assertThat(run("configure", dry, url, folder.toString())).hasValue(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("reactions.yaml", "reaction_sets.yaml", "namespaces.yaml");
        assertThat(run("configure", url, folder.resolve("absent").toString())).hasValue(1);
        assertThat(run("configure", url)).hasValue(2);
    }

    @Test
    void theHealthOfAReadyServiceIsZero() {
        // It gives up after 3 seconds, and this JVM may pause for longer.
        Wait.until("it is ready", () -> run("health", url).equals(OptionalInt.of(0)));
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("/readyz answers 200");
    }

    @Test
    void theHealthOfAServiceThatDoesNotAnswerIsNotZero() {
        assertThat(run("health", "--url=http://127.0.0.1:1")).hasValue(1);
        assertThat(run("health", url + "/nothing-here")).hasValue(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("Connection refused");
    }

    /** The settings are those of the service, which forbid it to migrate. */
    @Test
    void theSchemaIsMigratedWithoutTheService() {
        String database = TestPostgres.emptyUrl();
        var run =
                ChildJvm.startQuickly(
                        Ovation.class,
                        List.of(
                                "-Dspring.flyway.enabled=false",
                                "-Dspring.datasource.url=" + database,
                                "-Dspring.datasource.username=postgres",
                                "-Dspring.datasource.password=postgres"),
                        List.of("migrate"));
        assertThat(run.exitCode()).as(run.output()).isZero();
        var jdbc = new JdbcTemplate(new DriverManagerDataSource(database, "postgres", "postgres"));
        assertThat(jdbc.queryForList("select from partition")).isEmpty();
        assertThat(jdbc.queryForList("select from flyway_schema_history where success"))
                .hasSizeGreaterThan(1);
        assertThat(run("migrate", "--sideways")).hasValue(2);
    }

    @Test
    void everythingElseIsForTheService() {
        assertThat(run()).isEmpty();
        assertThat(run("--server.port=0", "import")).isEmpty();
    }

    private OptionalInt run(String... arguments) {
        return CommandLine.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }
}
