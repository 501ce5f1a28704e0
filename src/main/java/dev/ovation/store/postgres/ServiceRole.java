package dev.ovation.store.postgres;

import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives the role of the service its rights, when another role owns the schema: to read and change
 * rows, and to execute routines. Not to change the schema or its history. It does so in the
 * transaction of each migration, so that no instance sees a version without its rights, and after
 * all of them, for a role that is new.
 */
final class ServiceRole implements Callback {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceRole.class);

    /** Two migrations at once would change the rights of one table; Postgres refuses the second. */
    private static final String LOCK = "select pg_advisory_xact_lock(hashtext('service role'))";

    /**
     * The statements that grant what is missing; none to the owner or a superuser. The rows of
     * partitions are reached by their table. Only the log of changes is truncated by the service.
     */
    private static final String MISSING =
            """
            with service as (
                select oid, rolname from pg_roles where rolname = ? and not rolsuper
            ), history as (
                select c.oid, c.relowner as owner, c.relnamespace as schema
                from   pg_class c
                where  c.oid = 'flyway_schema_history'::regclass
            ), object as (
                select 'table' as kind, c.oid::regclass::text as name, c.relacl as acl,
                       case when c.relkind = 'v' or c.oid = history.oid then array['SELECT']
                            when c.relname = 'change_log'
                            then array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']
                            else array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] end as rights
                from   history
                join   pg_class c on c.relnamespace = history.schema and c.relowner = history.owner
                where  c.relkind in ('r', 'p', 'v')
                and    not c.relispartition
                union all
                select 'sequence', c.oid::regclass::text, c.relacl, array['USAGE']
                from   history
                join   pg_class c on c.relnamespace = history.schema and c.relowner = history.owner
                where  c.relkind = 'S'
                union all
                select 'routine', f.oid::regprocedure::text, f.proacl, array['EXECUTE']
                from   history
                join   pg_proc f on f.pronamespace = history.schema and f.proowner = history.owner
                where  not exists (select from pg_depend d
                                   where  d.classid = 'pg_proc'::regclass
                                   and    d.objid = f.oid
                                   and    d.deptype = 'e') -- of an extension
                union all
                select 'schema', quote_ident(n.nspname), n.nspacl, array['USAGE']
                from   history
                join   pg_namespace n on n.oid = history.schema
                join   service on not has_schema_privilege(service.oid, n.oid, 'usage')
            )
            select format('grant %s on %s %s to %I',
                          string_agg(granted, ', '), kind, name, service.rolname)
            from   object, service, unnest(rights) granted
            where  service.oid <> (select owner from history)
            and    not exists (select from aclexplode(acl) entry
                               where  entry.grantee = service.oid
                               and    entry.privilege_type = granted)
            group  by kind, name, service.rolname
            """;

    private static final String IS_KNOWN = "select to_regrole(quote_ident(?)) is not null";

    private final String name;

    /** Creates the grants to a role. It gets none if only a pooler knows it by this name. */
    ServiceRole(String name) {
        this.name = name;
    }

    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.AFTER_EACH_MIGRATE || event == Event.AFTER_MIGRATE;
    }

    /** Flyway makes the grants a part of the migration's transaction, or one of their own. */
    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        try {
            int granted = grant(context.getConnection());
            if (granted > 0) {
                LOG.info("Granted role {} its rights on {} objects", name, granted);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "Role %s cannot be granted its rights: %s"
                            .formatted(name, PostgresReason.of(e)),
                    e);
        }
    }

    private int grant(Connection connection) throws SQLException {
        List<String> grants = new ArrayList<>();
        try (var lock = connection.createStatement();
                var missing = connection.prepareStatement(MISSING)) {
            lock.execute(LOCK);
            if (!isKnown(connection)) {
                LOG.warn("Postgres has no role {}, which would be granted its rights", name);
                return 0;
            }
            missing.setString(1, name);
            try (var rows = missing.executeQuery()) {
                while (rows.next()) {
                    grants.add(rows.getString(1));
                }
            }
        }
        try (var statement = connection.createStatement()) {
            for (String each : grants) {
                statement.execute(each);
            }
        }
        return grants.size();
    }

    private boolean isKnown(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement(IS_KNOWN)) {
            statement.setString(1, name);
            try (var found = statement.executeQuery()) {
                return found.next() && found.getBoolean(1);
            }
        }
    }

    @Override
    public String getCallbackName() {
        return "service-role";
    }
}
