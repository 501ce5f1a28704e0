package dev.ovation.faults.postgres;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.faults.Stage;
import dev.ovation.store.log.LogState;
import dev.ovation.store.postgres.Periods;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Erasures;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.NamedTables;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionOperations;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The role of the service has the rights that the migration grants, and needs no others. */
@Beside
class ServiceRoleTest {

    /** Roles belong to the server, which outlives this class. */
    private static final long START = System.nanoTime();

    private static final String ROLE = "service_of_roles_test_" + START;
    private static final String OWNER = "owner_of_roles_test_" + START;
    private static final String STRANGER = "stranger_of_roles_test_" + START;

    private static Stage stage;
    private static Instance service;
    private static JdbcTemplate itself;
    private static JdbcTemplate stranger;

    @BeforeAll
    static void start() {
        stage = Stage.open();
        for (String role : List.of(OWNER, ROLE, STRANGER)) {
            stage.sql.execute("create role %s login password 'of the test'".formatted(role));
        }
        String database = stage.sql.queryForObject("select current_database()", String.class);
        stage.sql.execute("alter database %s owner to %s".formatted(database, OWNER));
        stage.sql.execute("revoke all on database %s from public".formatted(database));
        stage.sql.execute(
                "grant connect on database %s to %s, %s".formatted(database, ROLE, STRANGER));
        stage.sql.execute("drop schema public cascade"); // of a superuser
        stage.sql.execute("create schema public authorization " + OWNER);
        stage.sql.execute("grant usage on schema public to public"); // as in a new database
        itself = as(ROLE);
        stranger = as(STRANGER);
        service =
                stage.start(
                        Stage.settings(
                                Stage.PATIENT,
                                "spring.datasource.url=" + url(),
                                "spring.datasource.username=" + ROLE,
                                "spring.datasource.password=of the test",
                                "spring.flyway.user=" + OWNER,
                                "spring.flyway.password=of the test"));
        NamedTables.install(stage.sql);
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    private static JdbcTemplate as(String role) {
        return new JdbcTemplate(new DriverManagerDataSource(url(), role, "of the test"));
    }

    /** The address without its user, who would take precedence. */
    private static String url() {
        return stage.url.replaceFirst("\\?.*", "");
    }

    @Test
    void theServiceLivesWithThem() {
        assertThat(stage.sql.queryForList("select usename from pg_stat_activity", String.class))
                .contains(ROLE);
        assertOk(service.get("/events")); // opens the log of changes
        assertOk(
                service.send(
                        "POST",
                        "/reactions",
                        Instance.body(POSTS, "one", "ann", "👍"),
                        "Idempotency-Key",
                        "of-the-role"));
        assertOk(service.add(NOTES, "one", "ben", "👍"));
        assertOk(service.remove(NOTES, "one", "ben", "👍"));
        stage.evict("one");
        assertThat(Stage.own(service.read(POSTS, "one", "ann"))).containsExactly("👍");
        assertOk(service.get("/reactions/users?namespace_id=posts&entity_id=one"));
        assertOk(
                service.send(
                        "POST",
                        "/configuration",
                        Stage.rulesWith("more", 3),
                        "Content-Type",
                        "application/yaml"));
        assertOk(service.send("PUT", "/users?user_id=ann", "{\"display_name\":\"Ann\"}"));
        assertOk(service.send("PUT", "/users/friends?user_id=ann&friend_id=ben", null));
        Imports.run(
                service,
                "kind=reactions",
                Imports.everywhere(POSTS, List.of("one", "imported"), 3));
        Wait.until(
                "the ranking has the entity",
                () -> service.get("/entities/top?namespace_id=posts").body(),
                body -> body.contains("imported"));
        String hide = "{\"reactions\":\"hide\"}";
        assertThat(service.send("PUT", "/users/ban?user_id=ann&namespace_id=posts", hide).status())
                .isIn(200, 202);
        stage.awaitDrained();
        assertThat(service.send("POST", "/actuator/audit?sample=100", null).json().at("/drift"))
                .isEmpty();
        Erasures.user(service, "ann");
        Erasures.entity(service, POSTS, "imported");
        stage.assertSound();
    }

    /** Periods end at once here; rows of the one before the last are gone. */
    @ParameterizedTest
    @ValueSource(strings = {"idempotency", "removal"})
    void periodsAreTurned(String table) {
        var periods =
                new Periods(
                        service.bean(JdbcTemplate.class),
                        service.bean(TransactionOperations.class),
                        service.bean(Shards.class),
                        table);
        for (int i = 0; i < 3; i++) {
            itself.update("update %s_period set began_at = 'epoch'".formatted(table));
            repeated(() -> periods.turn(Duration.ofMinutes(1), Duration.ofMinutes(1)));
        }
        assertThat(partitions(table)).hasSize(2).doesNotContain(table + "_1");
    }

    /** The service may do the same at this time, and then holds the lock. */
    private static void repeated(Runnable change) {
        Wait.until(
                "the lock is free",
                () -> {
                    change.run();
                    return true;
                });
    }

    @Test
    void periodsOfTheLogAreTurnedAndItIsClosed() {
        var log = service.bean(LogState.class);
        repeated(log::open);
        for (int i = 0; i < 3; i++) {
            itself.update("update change_log_period set began_at = 'epoch'");
            repeated(() -> log.turn(Duration.ofMinutes(1), Duration.ofMinutes(1)));
        }
        assertThat(partitions("change_log")).hasSize(2).doesNotContain("change_log_1");
        // In one transaction, or the service itself might close it in between.
        boolean closed =
                service.bean(TransactionOperations.class)
                        .execute(
                                _ -> {
                                    service.bean(JdbcTemplate.class)
                                            .update(
                                                    "update change_log_state"
                                                            + " set read_at = 'epoch'");
                                    return log.closeIfUnread(Duration.ofMinutes(1));
                                });
        assertThat(closed).isTrue();
    }

    private static List<String> partitions(String table) {
        return stage.sql.queryForList(
                "select inhrelid::regclass::text from pg_inherits where inhparent = ?::regclass",
                String.class,
                table);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "drop table entity",
                "drop table removal",
                "alter table entity add column x int",
                "alter table entity disable trigger all",
                "truncate entity",
                "create table mine (x int)",
                "create temporary table mine (x int)",
                "create schema mine",
                "create function mine() returns int language sql as 'select 1'",
                "create index mine on entity (no)",
                "drop function relay_apply",
                "alter function turn_periods security invoker",
                "insert into flyway_schema_history select * from flyway_schema_history",
                "delete from flyway_schema_history",
                "select turn_periods('entity', 0, 0)",
                "select turn_periods('change_log', 0, 0)",
                "select turn_periods('pg_temp.mine', 0, 0)",
                "set role postgres",
                "set role <owner>",
                "create role mine",
                "copy entity to '/tmp/mine'",
            })
    void theServiceCannotChangeTheSchema(String statement) {
        assertDenied(itself, statement.replace("<owner>", OWNER));
    }

    /** A role of the same server without rights, such as that of an exporter. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select turn_periods('idempotency', 0, 0)",
                "select turn_change_log(0, 0)",
                "select from entity",
            })
    void othersCannotEndPeriods(String statement) {
        assertDenied(stranger, statement);
    }

    private static void assertDenied(JdbcTemplate role, String statement) {
        assertThatThrownBy(() -> role.execute(statement))
                .cause()
                .isInstanceOfSatisfying(
                        SQLException.class,
                        denied -> assertThat(denied.getSQLState()).isEqualTo("42501"));
    }

    private static void assertOk(Instance.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }
}
