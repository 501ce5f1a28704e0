package dev.ovation.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Judges a migration: instances of the previous release serve requests while it runs, and after it.
 * It expands the schema first; a later release contracts it. It takes no lock for long.
 */
final class MigrationRules {

    /** What stops requests, or fails the previous release; with the reason. */
    private static final Map<Pattern, String> FORBIDDEN =
            Map.ofEntries(
                    rule("^lock table", "locks a table"),
                    rule("^truncate", "locks a table"),
                    rule("^cluster ", "rewrites a table"),
                    rule("^vacuum full", "rewrites a table"),
                    rule("^reindex (?!.*concurrently)", "blocks writes: reindex … concurrently"),
                    rule("^create (unique )?index (?!concurrently)", "blocks writes: concurrently"),
                    rule("^drop index (?!concurrently)", "blocks requests: concurrently"),
                    rule(
                            "^create or replace (?!function )",
                            "changes what the previous release calls"),
                    rule("^alter table .* type ", "rewrites a table"),
                    rule("^alter table .* set not null", "reads a whole table under a lock"),
                    rule("^alter table .* set (logged|unlogged|tablespace)", "rewrites a table"),
                    rule(
                            "^alter table .* add constraint (?!.* not valid)",
                            "reads a whole table under a lock: not valid, then validate"),
                    rule(
                            "^alter table .* add (column )?(?!constraint).* (primary key|unique)",
                            "builds an index under a lock"),
                    rule(
                            "^alter table .* add (column )?(?!constraint)(?!.* default ).* not null",
                            "the previous release inserts rows without the column"),
                    rule(
                            "^alter table .* add .* default (?!(-?[0-9.]+|'[^']*'|true|false|null)( |,|$))",
                            "a default that is no constant rewrites a table"),
                    rule(
                            " security definer(?!.* set search_path = .*, pg_temp( |$))",
                            "needs a fixed search_path that ends with pg_temp"),
                    rule("^update (?!.* where )", "changes all rows at once: use a job"),
                    rule("^delete from (?!.* where )", "changes all rows at once: use a job"));

    private static final Pattern CONTRACTING =
            Pattern.compile(
                    "^(drop (table|view|function|procedure|trigger|type) |alter .* (drop (column )?|rename )).*");
    private static final Pattern CONTRACT =
            Pattern.compile("(?m)^-- contract: unused since (\\d+\\.\\d+\\.\\d+)$");
    private static final Pattern REPLACING =
            Pattern.compile("^create or replace function (\\w+).*");
    private static final Pattern DEFINER =
            Pattern.compile(
                    "^(?:create (?:or replace )?|alter )function (\\w+).* security definer.*");
    private static final Pattern CREATED =
            Pattern.compile("create (?:unlogged )?table (?:if not exists )?(\\w+)");
    private static final Pattern TABLE =
            Pattern.compile("^(?:alter table|create (?:unique )?index .* on) (?:only )?(\\w+)");
    private static final Pattern CONCURRENT =
            Pattern.compile("^create .*index concurrently (\\w+)");
    private static final String PATIENT = "set lock_timeout = 0";

    private MigrationRules() {}

    private static Map.Entry<Pattern, String> rule(String statement, String reason) {
        return Map.entry(Pattern.compile(statement), reason);
    }

    /**
     * Returns what is wrong with a migration.
     *
     * @param transactional whether its statements are one transaction
     * @param releases the published releases
     */
    static List<String> violations(String sql, boolean transactional, Set<String> releases) {
        List<String> statements = statements(sql);
        var violations = new ArrayList<String>();
        Set<String> created =
                CREATED.matcher(String.join(";", statements))
                        .results()
                        .map(table -> table.group(1))
                        .collect(Collectors.toSet());
        for (String statement : statements) {
            if (!isOn(created, statement)) {
                FORBIDDEN.forEach(
                        (pattern, reason) -> {
                            if (pattern.matcher(statement).find()) {
                                violations.add(reason);
                            }
                        });
            }
            if (CONTRACTING.matcher(statement).matches()
                    && !statement.contains("drop index")
                    && !isContract(sql, releases)) {
                violations.add("contracts: name the release that no longer uses it");
            }
            if (REPLACING.matcher(statement).matches() && !isSame(sql, statement)) {
                violations.add("changes what the previous release calls: use a new name");
            }
            if (DEFINER.matcher(statement).matches() && !isRevoked(statements, statement)) {
                violations.add("needs a revoke execute … from public");
            }
        }
        violations.addAll(concurrent(statements, transactional));
        return violations;
    }

    private static boolean isOn(Set<String> created, String statement) {
        var table = TABLE.matcher(statement);
        return table.find() && created.contains(table.group(1));
    }

    private static boolean isContract(String sql, Set<String> releases) {
        return CONTRACT.matcher(sql).results().anyMatch(note -> releases.contains(note.group(1)));
    }

    /**
     * A new body may do the same for the callers of the previous release; its migration says so.
     */
    private static boolean isSame(String sql, String statement) {
        return sql.lines()
                .anyMatch(
                        ("-- same for the previous release: " + name(REPLACING, statement))
                                ::equals);
    }

    /** Each role may execute a new function. */
    private static boolean isRevoked(List<String> statements, String statement) {
        var revoke =
                Pattern.compile(
                        "^revoke (execute|all) on function %s\\b.* from public$"
                                .formatted(name(DEFINER, statement)));
        return statements.stream().anyMatch(each -> revoke.matcher(each).find());
    }

    private static String name(Pattern pattern, String statement) {
        return pattern.matcher(statement).results().findFirst().orElseThrow().group(1);
    }

    /** An index that was built halfway is invalid; a second try must remove it first. */
    private static List<String> concurrent(List<String> statements, boolean transactional) {
        var violations = new ArrayList<String>();
        for (MatchResult index :
                statements.stream().flatMap(each -> CONCURRENT.matcher(each).results()).toList()) {
            if (transactional) {
                violations.add("needs a file .sql.conf with executeInTransaction=false");
            }
            if (!statements.contains("drop index concurrently if exists " + index.group(1))) {
                violations.add("a second try must first drop the invalid index");
            }
        }
        if (!transactional) {
            if (!statements.getFirst().equals(PATIENT)) {
                violations.add("waits for old transactions: begin with " + PATIENT);
            }
            if (!statements.stream()
                    .allMatch(each -> each.equals(PATIENT) || each.contains(" concurrently "))) {
                violations.add("a statement without a transaction cannot be repeated safely");
            }
        }
        return violations;
    }

    /** The statements in lower case, without comments, bodies of functions and line breaks. */
    private static List<String> statements(String sql) {
        String plain =
                sql.replaceAll("(?s)\\$(\\w*)\\$.*?\\$\\1\\$", "''")
                        .replaceAll("(?s)/\\*.*?\\*/", "")
                        .replaceAll("--[^\n]*", "");
        return Arrays.stream(plain.split(";"))
                .map(each -> each.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ").strip())
                .filter(each -> !each.isEmpty())
                .toList();
    }
}
