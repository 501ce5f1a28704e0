package dev.ovation.store.postgres;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.List;

import javax.sql.DataSource;

/**
 * Gives each partition to the owner of its table, who drops it. The role of the service owns those
 * that an instance of 0.1.0 has begun, and so that role gives them away itself.
 */
final class PartitionOwners {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionOwners.class);

    /** A role may give away what it owns, by a membership or as a superuser, to one of its own. */
    private static final String MISPLACED =
            """
            select part.oid::regclass::text as name, pg_get_userbyid(part.relowner) as owner,
                   format('alter table %s owner to %I',
                          part.oid::regclass, pg_get_userbyid(whole.relowner)) as remedy,
                   pg_has_role(part.relowner, 'usage')
                   and pg_has_role(whole.relowner, 'member') as may
            from   pg_inherits
            join   pg_class part on part.oid = inhrelid
            join   pg_class whole on whole.oid = inhparent
            where  whole.relname in ('idempotency', 'removal', 'change_log')
            and    pg_table_is_visible(whole.oid)
            and    part.relowner <> whole.relowner
            order  by name
            """;

    private record Misplaced(String name, String owner, String remedy, boolean may) {}

    private final DataSource migrations;
    private final DataSource service;

    PartitionOwners(DataSource migrations, DataSource service) {
        this.migrations = migrations;
        this.service = service;
    }

    /**
     * Gives the partitions away, by the role of migrations or by that of the service.
     *
     * @throws IllegalStateException when neither role may do so
     * @throws org.springframework.dao.DataAccessException when a partition is not locked in time
     */
    void restore() {
        var _ = giveAway(migrations);
        List<Misplaced> left = giveAway(service);
        if (!left.isEmpty()) {
            throw new IllegalStateException(
                    "The service could end no period, because partitions have another owner than"
                            + " their table. As a superuser: "
                            + String.join("; ", left.stream().map(Misplaced::remedy).toList()));
        }
    }

    /** Returns the partitions that this role may not give away. */
    private static List<Misplaced> giveAway(DataSource role) {
        var jdbc = new JdbcTemplate(role);
        var transactions = new TransactionTemplate(new DataSourceTransactionManager(role));
        List<Misplaced> misplaced = misplaced(jdbc);
        for (Misplaced each : misplaced) {
            if (each.may()) {
                transactions.executeWithoutResult(
                        _ -> {
                            jdbc.execute("set local lock_timeout = '2s'");
                            jdbc.execute(each.remedy());
                        });
                LOG.info("Gave {} of role {} to the owner of its table", each.name(), each.owner());
            }
        }
        return misplaced.stream().filter(each -> !each.may()).toList();
    }

    private static List<Misplaced> misplaced(JdbcTemplate jdbc) {
        return jdbc.query(
                MISPLACED,
                (row, _) ->
                        new Misplaced(
                                row.getString("name"),
                                row.getString("owner"),
                                row.getString("remedy"),
                                row.getBoolean("may")));
    }
}
