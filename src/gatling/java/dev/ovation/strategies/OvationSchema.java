package dev.ovation.strategies;

import org.flywaydb.core.Flyway;

import java.util.List;

import javax.sql.DataSource;

/** The tables of the product, as its migrations make them. */
final class OvationSchema implements Schema {

    @Override
    public String name() {
        return "ovation";
    }

    @Override
    public void create(DataSource database) {
        Flyway.configure()
                .dataSource(database)
                .locations("classpath:db/migration")
                .load()
                .migrate();
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
                """);
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
