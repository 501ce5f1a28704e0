package dev.ovation.erasure;

import dev.ovation.store.Columns;
import dev.ovation.transfer.staging.StagedRowRemoval;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.Set;

/**
 * Removes a user from the reports and requests of jobs. It removes the items of report lists that
 * have this {@code user_id}, and the requests of finished jobs that name the user. An unfinished
 * job that names the user, or may be about to, loses its lease: its holder would write the list
 * again. The next holder continues from what is stored.
 */
final class JobRedaction {

    /**
     * Arguments: the user, and the kinds of jobs whose reports may come to name users. Each half of
     * the condition on rows matches a partial index, because few jobs name users or run.
     */
    static final String SQL =
            """
            with named as (select jsonb_build_object('it', ?::text) as one)
            update job
            set    report = (select coalesce(jsonb_object_agg(name, case
                                   when jsonb_typeof(member -> 'first') = 'array'
                                   then jsonb_set(member, '{first}', jsonb_path_query_array(
                                            member,
                                            '$.first[*] ? (!exists (@.**.user_id ? (@ == $it)))',
                                            one))
                                   else member end), '{}')
                             from   jsonb_each(report) as m (name, member)),
                   request = case when finished_at is not null
                                       and jsonb_path_exists(
                                           request, '$.**.user_id ? (@ == $it)', one)
                                  then '{}' else request end,
                   holder = '', lease_until = clock_timestamp()
            from   named
            where  names_users
                   and (jsonb_path_exists(report, '$.**.user_id ? (@ == $it)', one)
                        or finished_at is not null
                           and jsonb_path_exists(request, '$.**.user_id ? (@ == $it)', one))
            or     state = 'running' and kind = any (?)
            """;

    private final JdbcTemplate jdbc;
    private final Set<String> kinds;

    JobRedaction(JdbcTemplate jdbc) {
        this(jdbc, StagedRowRemoval.jobKinds());
    }

    /**
     * Creates a redaction.
     *
     * @param kinds the kinds of jobs whose reports may come to name users
     */
    JobRedaction(JdbcTemplate jdbc, Set<String> kinds) {
        this.jdbc = jdbc;
        this.kinds = kinds;
    }

    /** Removes a user in one statement. */
    void redact(String user) {
        jdbc.update(SQL, user, Columns.texts(kinds));
    }
}
