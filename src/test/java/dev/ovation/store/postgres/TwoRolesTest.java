package dev.ovation.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.Beside;
import dev.ovation.testing.TestPostgres;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import javax.sql.DataSource;

/** One role owns the schema and is no superuser; another one serves, as in 0.1.0 or as since. */
@Beside
class TwoRolesTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final int number = NUMBER.incrementAndGet();
    private final String owner = "owner_" + number;
    private final String service = "service_" + number;
    private final String url = TestPostgres.emptyUrl();
    private final JdbcTemplate admin = new JdbcTemplate(as("postgres"));

    /** A member of the owner, as the manual of 0.1.0 demands. */
    @BeforeEach
    void createRoles() {
        admin.execute("create role %s login password 'postgres'".formatted(owner));
        admin.execute(
                "create role %s login password 'postgres' in role %s".formatted(service, owner));
        admin.execute("alter schema public owner to " + owner);
        admin.execute("grant create on schema public to public"); // before Postgres 15
    }

    private DriverManagerDataSource as(String role) {
        return new DriverManagerDataSource(url.replaceFirst("\\?.*", ""), role, "postgres");
    }

    private Flyway flyway(String version, Callback... more) {
        var callbacks = new ArrayList<>(List.of(more));
        callbacks.add(new ServiceRole(service));
        return Flyway.configure()
                .dataSource(as(owner))
                .locations("classpath:db/migration")
                .target(version)
                .callbacks(callbacks.toArray(Callback[]::new))
                .load();
    }

    private void migrate(Callback... more) {
        new SchemaMigration(as(service), flyway("latest", more)).start();
    }

    private static void turn(DataSource role, String table) {
        var jdbc = new JdbcTemplate(role);
        jdbc.update("update %s_period set began_at = 'epoch'".formatted(table));
        jdbc.execute(
                table.equals("change_log")
                        ? "select turn_change_log(60, 60)"
                        : "select turn_periods('%s', 60, 60)".formatted(table));
    }

    private List<String> owners(String table) {
        return TestPostgres.rows(
                admin,
                """
                select relname, pg_get_userbyid(relowner)
                from   pg_inherits join pg_class c on c.oid = inhrelid
                where  inhparent = '%s'::regclass order by relname
                """
                        .formatted(table));
    }

    /** No role is set there, so the service owns the partitions that it begins. */
    @ParameterizedTest
    @ValueSource(strings = {"idempotency", "removal", "change_log"})
    void anUpgradeFromTheRolesOfTheReleaseBeforeKeepsRetention(String table) throws IOException {
        flyway("4").migrate();
        turn(as(service), table);
        assertThat(owners(table)).contains(table + "_2 " + service);

        migrate();

        assertThat(owners(table)).contains(table + "_2 " + owner);
        manual().forEach(admin::execute);
        for (int i = 0; i < 3; i++) {
            turn(as(service), table);
        }
        assertThat(owners(table)).containsExactly(table + "_4 " + owner, table + "_5 " + owner);
    }

    /** The statements of the page, for these roles and this database. */
    private List<String> manual() throws IOException {
        var block =
                Pattern.compile("(?s)## Roles of Postgres\n.*?```\n(.*?)```")
                        .matcher(Files.readString(Path.of("UPGRADING.md")));
        assertThat(block.find()).isTrue();
        String database = admin.queryForObject("select current_database()", String.class);
        String statements =
                block.group(1)
                        .replace("ovation_owner", owner)
                        .replace("database ovation", "database " + database)
                        .replaceAll("\\bovation\\b", service);
        return statements.lines().toList();
    }

    @Test
    void aPartitionOfAThirdRoleStopsTheMigration() {
        flyway("4").migrate();
        admin.execute("alter table removal_1 owner to postgres");

        assertThatThrownBy(this::migrate)
                .hasMessageContaining("alter table removal_1 owner to " + owner);

        assertThat(
                        admin.queryForObject(
                                "select max(version::integer) from flyway_schema_history",
                                Integer.class))
                .isEqualTo(4);
    }

    /** The look comes before the grants that follow all migrations. */
    @Test
    void noVersionIsVisibleBeforeItsRights() {
        admin.execute("revoke %s from %s".formatted(owner, service));
        var seen = new ArrayList<Integer>();
        migrate(
                new BaseCallback() {
                    @Override
                    public boolean supports(Event event, Context context) {
                        return event == Event.AFTER_MIGRATE;
                    }

                    @Override
                    public void handle(Event event, Context context) {
                        seen.addAll(
                                new JdbcTemplate(as(service))
                                        .queryForList(
                                                "select count(*) from entity", Integer.class));
                    }

                    @Override
                    public String getCallbackName() {
                        return "before-the-grants";
                    }
                });
        assertThat(seen).containsExactly(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'x'", "'entity'", "'change_log'", "'removal '", "null"})
    void noOtherTableIsTurned(String name) {
        migrate();
        admin.execute("revoke %s from %s".formatted(owner, service));
        for (String kind : new String[] {"temporary table", "table"}) {
            var session =
                    new SingleConnectionDataSource(
                            url.replaceFirst("\\?.*", ""), service, "postgres", true);
            try {
                var jdbc = new JdbcTemplate(session);
                trap(jdbc, kind, "x");
                assertThatThrownBy(
                                () -> jdbc.execute("select turn_periods(%s, 0, 0)".formatted(name)))
                        .cause()
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                denied -> assertThat(denied.getSQLState()).isEqualTo("42501"));
                jdbc.execute("drop table x, x_period");
            } finally {
                session.destroy();
            }
        }
    }

    /** A table or function of the caller with a name that the functions use. */
    @ParameterizedTest
    @ValueSource(strings = {"idempotency", "removal", "change_log"})
    void nothingOfTheCallerIsUsed(String table) {
        migrate();
        admin.execute("revoke %s from %s".formatted(owner, service));
        var session =
                new SingleConnectionDataSource(
                        url.replaceFirst("\\?.*", ""), service, "postgres", true);
        try {
            var jdbc = new JdbcTemplate(session);
            jdbc.update("update %s_period set began_at = 'epoch'".formatted(table));
            trap(jdbc, "temporary table", table);
            for (String arguments :
                    new String[] {"text, text, integer", "text, integer, integer"}) {
                jdbc.execute(
                        """
                        create function public.format(%s) returns text language plpgsql as
                        'begin raise exception ''fired''; end'
                        """
                                .formatted(arguments));
            }
            jdbc.execute(
                    table.equals("change_log")
                            ? "select turn_change_log(60, 60)"
                            : "select turn_periods('%s', 60, 60)".formatted(table));
        } finally {
            session.destroy();
        }
        assertThat(owners(table)).contains(table + "_2 " + owner);
    }

    private static void trap(JdbcTemplate jdbc, String kind, String table) {
        jdbc.execute(
                "create %s %s (period integer) partition by list (period)".formatted(kind, table));
        jdbc.execute(
                "create %s %s_period (period integer, began_at timestamptz)"
                        .formatted(kind, table));
        String name = kind.startsWith("temporary") ? "pg_temp." + table : table;
        jdbc.execute("insert into %s_period values (1, 'epoch')".formatted(name));
        jdbc.execute(
                """
                create function pg_temp.fire() returns trigger language plpgsql as
                'begin raise exception ''fired''; end'
                """);
        jdbc.execute(
                """
                create trigger fire before insert or delete on %s_period
                for each row execute function pg_temp.fire()
                """
                        .formatted(name));
    }
}
