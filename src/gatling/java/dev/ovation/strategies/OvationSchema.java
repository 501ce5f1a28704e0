package dev.ovation.strategies;

import org.flywaydb.core.Flyway;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.ResourcePatternResolver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import javax.sql.DataSource;

/** The tables of the product, as its migrations make them. */
final class OvationSchema implements Schema {

    private static final String FOLDER = "db/migration";
    private static final ResourcePatternResolver MIGRATIONS =
            new PathMatchingResourcePatternResolver();

    @Override
    public String name() {
        return "ovation";
    }

    @Override
    public String fingerprint() {
        var text = new StringBuilder(Schema.super.fingerprint());
        try {
            for (var migration : MIGRATIONS.getResources("classpath:" + FOLDER + "/*.sql")) {
                text.append(migration.getContentAsString(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    @Override
    public void create(DataSource database) {
        Flyway.configure().dataSource(database).locations("classpath:" + FOLDER).load().migrate();
    }

    @Override
    public List<String> filling() {
        return List.of(
                """
                insert into user_reaction (namespace, entity, user_id, reaction, reacted_at)
                select namespace, entity, user_id, reaction, at from %s order by at
                """
                        .formatted(Population.TABLE),
                """
                insert into counter (namespace, entity, reaction, count, first_at, last_at)
                select   namespace, entity, reaction, count(*), min(reacted_at), max(reacted_at)
                from     user_reaction
                group by namespace, entity, reaction
                order by min(reacted_at)
                """,
                """
                insert into entity (namespace, entity, version, last_op, last_at)
                select   namespace, entity, count(*), 'filled', max(reacted_at)
                from     user_reaction
                group by namespace, entity
                order by min(reacted_at)
                """,
                "truncate changed_entity, ranking_waiting",
                "call rebuild_ranking(10000)");
    }

    @Override
    public String recount() {
        return """
        select reaction, count(distinct user_id) as count
        from   user_reaction where namespace = ? and entity = ?
        group  by reaction
        """;
    }
}
