package dev.ovation.strategies;

import org.flywaydb.core.Flyway;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.ResourcePatternResolver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import javax.sql.DataSource;

/** The tables of the product, created by its migrations. */
final class OvationSchema implements Schema {

    private static final String FOLDER = "db/migration";
    private static final String PARTITION_OF = "partition-of.sql";

    /** The default of the service. */
    private static final int PARTITIONS = 16;

    private static final ResourcePatternResolver MIGRATIONS =
            new PathMatchingResourcePatternResolver();

    @Override
    public String name() {
        return "ovation";
    }

    private static String text(String path) {
        try {
            return new ClassPathResource(path).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
                text(PARTITION_OF),
                "insert into partition (p) select p from generate_series(0, %d) p"
                        .formatted(PARTITIONS - 1),
                """
                insert into reaction_name (no, name)
                select row_number() over (), reaction
                from  (select distinct reaction from %s order by reaction) r
                """
                        .formatted(Population.TABLE),
                """
                insert into entity (p, no, namespace, entity, version, last_op, last_at, people)
                select   p, row_number() over (partition by p order by first_at),
                         namespace, entity, version, 'filled', last_at, people
                from    (select namespace, entity, partition_of(namespace, entity, %d) as p,
                                count(*) as version, min(at) as first_at, max(at) as last_at,
                                count(distinct user_id) as people
                         from   %s
                         group  by namespace, entity) e
                order by first_at
                """
                        .formatted(PARTITIONS, Population.TABLE),
                """
                insert into user_reaction (p, entity_no, reaction, user_id, reacted_at)
                select e.p, e.no, x.no, t.user_id, t.at
                from   %s t
                join   entity e using (namespace, entity)
                join   reaction_name x on x.name = t.reaction
                order  by t.at
                """
                        .formatted(Population.TABLE),
                """
                insert into counter (p, entity_no, reaction, count, first_at, last_at)
                select   p, entity_no, reaction, count(*), min(reacted_at), max(reacted_at)
                from     user_reaction
                group by p, entity_no, reaction
                order by min(reacted_at)
                """,
                "truncate changed_entity, ranking_waiting",
                "call rebuild_ranking(10000)");
    }

    @Override
    public String recount() {
        return """
        select reaction, count(distinct user_id) as count
        from   named_reaction where namespace = ? and entity = ?
        group  by reaction
        """;
    }
}
