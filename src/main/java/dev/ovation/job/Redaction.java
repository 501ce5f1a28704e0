package dev.ovation.job;

/** The statement that takes a user out of what jobs tell. */
final class Redaction {

    /**
     * Its arguments are the user and the kinds of jobs whose reports may come to name users. Each
     * half of its condition on rows is that of an index, for few jobs name users, or run.
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

    private Redaction() {}
}
