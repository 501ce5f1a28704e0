package dev.ovation.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Migrations after those of release 0.1.0 stop no request, and no instance of the release before.
 */
class MigrationRulesTest {

    private static final Path FOLDER = Path.of("db/migration");
    private static final Pattern VERSION = Pattern.compile("V(\\d+)__.*\\.sql");

    /** The last migration of release 0.1.0, which creates everything. */
    private static final int FIRST_RELEASE = 4;

    private static final Set<String> RELEASES = Set.of("0.1.0");

    @Test
    void eachNewMigrationFollowsTheRules() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.toList()) {
                var name = VERSION.matcher(file.getFileName().toString());
                if (name.matches() && Integer.parseInt(name.group(1)) > FIRST_RELEASE) {
                    assertThat(
                                    MigrationRules.violations(
                                            Files.readString(file),
                                            isTransactional(file),
                                            releases()))
                            .as(file.toString())
                            .isEmpty();
                }
            }
        }
    }

    private static boolean isTransactional(Path file) throws IOException {
        Path settings = file.resolveSibling(file.getFileName() + ".conf");
        return !Files.exists(settings)
                || !Files.readString(settings).contains("executeInTransaction=false");
    }

    /** Those with a commit; {@code .ci/release-jar} reads the same rows. */
    private static Set<String> releases() throws IOException {
        return Pattern.compile("(?m)^\\| (\\d+\\.\\d+\\.\\d+) \\| `[0-9a-f]{40}` \\|")
                .matcher(Files.readString(Path.of("UPGRADING.md")))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "create index i on entity (no) | blocks writes",
                "create unique index i on entity (no) | blocks writes",
                "drop index i | blocks requests",
                "lock table partition in exclusive mode | locks a table",
                "alter table entity alter column no type bigint | rewrites",
                "alter table entity alter column no set not null | whole table",
                "alter table entity add constraint c check (no > 0) | not valid",
                "alter table entity add column x int not null | without the column",
                "alter table entity add column x uuid default gen_random_uuid() | no constant",
                "alter table entity add column x int unique | builds an index",
                "alter table entity drop column no | contracts",
                "alter table entity rename column no to number | contracts",
                "drop function relay_apply | contracts",
                "create or replace function f() returns int as $$ select 1; $$ language sql | previous",
                "update entity set no = no + 1 | use a job",
                "create index concurrently i on entity (no) | executeInTransaction",
                "'-- same for the previous release: g\ncreate or replace function f() returns int as $$ select 1; $$ language sql' | previous",
                "create or replace view f as select 1 | previous",
                "alter function f() security definer | search_path",
                "alter function f() security definer set search_path = public, pg_temp | revoke",
                "create function f() returns int security definer set search_path = pg_catalog, pg_temp return 1; revoke all on function g() from public | revoke",
                "alter function f() security definer set search_path = public | search_path",
            })
    void aStatementThatStopsOrBreaksSomethingIsRefused(String sql, String reason) {
        assertThat(MigrationRules.violations(sql + ";", true, RELEASES))
                .anySatisfy(each -> assertThat(each).contains(reason));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create table t (a int primary key); create index i on t (a); -- a new table",
                "alter table entity add column x int; alter table entity add y text default 'a'",
                "alter table entity add column x int not null default 0",
                "alter table entity add constraint c check (no > 0) not valid;",
                "alter table entity validate constraint c",
                "create function f() returns int as $$ begin; truncate a; end $$ language plpgsql",
                "alter function f() security definer set search_path = public, pg_temp; revoke execute on function f() from public",
                "-- same for the previous release: f\ncreate or replace function f() returns int as $$ select 1; $$ language sql",
                "-- contract: unused since 0.1.0\nalter table entity drop column x",
                "update entity set no = 1 where entity_id = 'a'",
            })
    void anExpansionIsAccepted(String sql) {
        assertThat(MigrationRules.violations(sql, true, RELEASES)).isEmpty();
    }

    @Test
    void anIndexIsBuiltBesideWritesOutsideATransaction() {
        String index =
                """
                drop index concurrently if exists i;
                create index concurrently i on entity (no);
                """;
        assertThat(MigrationRules.violations("set lock_timeout = 0;" + index, false, RELEASES))
                .isEmpty();
        assertThat(MigrationRules.violations(index, false, RELEASES)).hasSize(1);
        assertThat(
                        MigrationRules.violations(
                                "set lock_timeout = 0; create index concurrently i on t (a);",
                                false,
                                RELEASES))
                .hasSize(1);
    }

    @Test
    void aContractNeedsARelease() {
        String sql = "-- contract: unused since 9.9.9\nalter table entity drop column x";
        assertThat(MigrationRules.violations(sql, true, RELEASES)).hasSize(1);
    }

    @Test
    void theTableNamesTheReleases() throws IOException {
        assertThat(List.copyOf(releases())).contains("0.1.0");
    }
}
