package dev.ovation.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.reader.ConfigurationFiles;
import dev.ovation.strategies.Population.Topic;
import dev.ovation.testing.Beside;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TestRules;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@Beside
class DatabasesTest {

    private static final String OVATION_ROWS =
            "select namespace, entity, user_id, reaction from named_reaction";
    private static final Databases DATABASES = new Databases(TestPostgres.emptyUrl(), "postgres");
    private static Population population;

    @BeforeAll
    static void populate(@TempDir Path folder) {
        TestRules.shared().writeTo(folder);
        var rules = ConfigurationFiles.read(folder).configuration().namespace("letters");
        var topics = List.of(new Topic("topic_0_0", 30), new Topic("topic_1_0", 7));
        population = new Population("letters", Population.kinds(rules), 1003, topics, 377);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "mvp, \"select namespace_id, entity_id, user_id, reaction_id from user_reaction\"",
                "runtime-join, \"select namespace_id, entity_id, user_id, reaction_id from user_reaction\"",
                "async-join, \"select namespace_id, entity_id, user_id, reaction_id from user_reaction\"",
                "no-join, \"select namespace_id, entity_id, user_id, unnest(reaction_ids) from user_reactions\""
            })
    void everyStrategyHoldsTheRowsOfTheProduct(String name, String rows) {
        Schema strategy = Strategies.named(name, null, null);

        List<String> theirs = sorted(copy(strategy), rows);
        assertThat(theirs).hasSize(1380).doesNotHaveDuplicates();
        assertThat(theirs).isEqualTo(sorted(copy(new OvationSchema()), OVATION_ROWS));
    }

    @ParameterizedTest
    @CsvSource({
        "no-join, user_reactions, reactions_count",
        "async-join, user_reaction, entity_reactions"
    })
    void countsInJsonEqualRows(String name, String rows, String counts) {
        var database = copy(Strategies.named(name, null, null));
        String reaction = name.equals("no-join") ? "unnest(reaction_ids)" : "reaction_id";

        assertThat(
                        sorted(
                                database,
                                "select entity_id, key, value::int from %s, jsonb_each(reactions_count)"
                                        .formatted(counts)))
                .isEqualTo(
                        sorted(
                                database,
                                "select entity_id, %s, count(*) from %s group by 1, 2"
                                        .formatted(reaction, rows)));
    }

    @Test
    void countersOfTheProductEqualRows() {
        var database = copy(new OvationSchema());

        assertThat(sorted(database, "select entity, reaction, count from named_counter"))
                .isEqualTo(
                        sorted(
                                database,
                                "select entity, reaction, count(*) from named_reaction group by 1, 2"));
        assertThat(sorted(database, "select entity from entity"))
                .isEqualTo(sorted(database, "select distinct entity from named_reaction"));
    }

    @Test
    void rulesHoldAndLeaveRoomForOneMoreKind() {
        var database = copy(new OvationSchema());

        assertThat(
                        number(
                                database,
                                "select max(n) from (select count(*) as n from named_counter group by entity) k"))
                .isBetween(2L, 5L);
        assertThat(
                        number(
                                database,
                                """
                                select count(*) from named_reaction x join named_reaction y
                                using (namespace, entity, user_id)
                                where x.reaction = 'b' and y.reaction in ('a', 'c')
                                """))
                .isZero();
    }

    @Test
    void rowsOfTopicsAreOnTheirEntities() {
        var database = copy(new OvationSchema());

        assertThat(
                        number(
                                database,
                                """
                                select count(*) from named_reaction
                                where  entity like 'topic_0_0/%' and split_part(entity, '/', 2)::int < 30
                                or     entity like 'topic_1_0/%' and split_part(entity, '/', 2)::int < 7
                                """))
                .isEqualTo(377);
    }

    @Test
    void theTemplateOfTheProductIsMadeAnewWhenAMigrationChanges() throws IOException {
        try (var migrations = Files.list(Path.of("db", "migration"))) {
            assertThat(migrations)
                    .isNotEmpty()
                    .allSatisfy(
                            each ->
                                    assertThat(new OvationSchema().fingerprint())
                                            .contains(Files.readString(each)));
        }
    }

    @Test
    void eachCopyIsWhole() {
        copy(new OvationSchema()).sql("truncate user_reaction").update();

        assertThat(sorted(copy(new OvationSchema()), OVATION_ROWS)).hasSize(1380);
    }

    private static JdbcClient copy(Schema schema) {
        String url = DATABASES.copy(schema, population);
        return JdbcClient.create(new DriverManagerDataSource(url, "postgres", "postgres"));
    }

    private static long number(JdbcClient database, String query) {
        return database.sql(query).query(Long.class).single();
    }

    private static List<String> sorted(JdbcClient database, String query) {
        return database.sql("select r::text from (" + query + ") as r order by 1")
                .query(String.class)
                .list();
    }
}
