-- A relay transaction in one call: RelayFunction.java and RelayCall.java. All rows are at the places that the relay
-- expects, or nothing changes: then the relay does the same events by the statements of RelayTransaction.java.
--
-- Returns 'applied', or before the first change 'partition' (a row is locked, or its watermark is elsewhere) or 'reaction'
-- (one has no number yet) or 'log' (changes are logged, and the caller sent no rows for change_log). Later it raises:
-- OV001 an entity is not at its base, OV002 an idempotency key is taken, OV003 a watermark moved under the lock, 23505 a
-- row that is to be inserted exists. The caller has no transaction, so an error takes back the whole call.
--
-- Counters and users refer to entities, and rows of users to counters, by their position in the arrays. The people of an
-- entity change by the given users who had a row before the call and have none after it, or the other way round.
--
-- A session keeps its plans while the tables grow, so all plans are generic and look up each row by its key, however small
-- the tables were. `any (array[…])` on the first column of a key is a condition for a lookup, but not for a merge of whole
-- indexes, which Postgres prefers for a few rows. An entity is looked up by its name, not by its partition (p + 0).
--
-- A later release creates a function of another name by a migration of its own, because this release calls this one.
create or replace function relay_apply(
    ps int[], epochs bigint[], from_seqs bigint[], from_ops text[], to_seqs bigint[], to_ops text[],
    entity_ps int[], namespaces text[], entities text[],
    base_versions bigint[], base_ops text[], versions bigint[], ops text[], ats bigint[],
    counter_entities int[], counter_reactions text[], first_ats bigint[], last_ats bigint[],
    removed_counters int[], removed_users text[], removed_ats bigint[],
    added_counters int[], added_users text[], added_ats bigint[], added_forms text[],
    person_entities int[], person_users text[],
    key_namespaces text[], key_users text[], keys text[], request_hashes text[], key_ops text[], answers text[],
    with_log boolean, log_counts int[],
    log_entities int[], log_kinds text[], log_users text[], log_versions bigint[], log_ats bigint[],
    log_backs int[], log_laters bigint[], log_changes text[]
) returns text language plpgsql
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
    set enable_indexonlyscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
as $$
declare
    n         bigint;
    logged    boolean;                                      -- whether a partition is
    numbers   int[];                                        -- of the entities
    reactions smallint[];                                   -- numbers of the counters' reactions
    reacted   boolean[];                                    -- before the call, each of the given users on its entity
    gone      int[] := '{}';                                -- the counter of each deleted row
    zeros     bigint;
    changed_ps int[]; changed_nos int[]; changed_reactions smallint[];
    deltas bigint[]; changed_firsts bigint[]; changed_lasts bigint[];
begin
    select count(*), bool_or(locked.logged) into n, logged
    from  (select t.logged
           from   partition t
           join   unnest(ps, epochs, from_seqs, from_ops) as s (p, epoch, seq, op) on s.p = t.p
           where  t.epoch = s.epoch
           and    t.applied_seq = s.seq
           and    t.applied_op = s.op
           order  by t.p
           for    update of t skip locked) locked;
    if n <> cardinality(ps) then
        return 'partition';
    end if;
    if logged and not with_log then
        return 'log';
    end if;

    select coalesce(array_agg(x.no order by k.i), '{}') into reactions
    from   unnest(counter_reactions) with ordinality as k (name, i)
    join   reaction_name x on x.name = k.name;
    if cardinality(reactions) <> cardinality(counter_reactions) then
        return 'reaction';
    end if;

    if cardinality(keys) > 0 then
        insert into idempotency (period, namespace, user_id, key, request_hash, op_id, answer)
        select (select max(period) from idempotency_period),
               k.namespace, k.user_id, k.key, k.request_hash, k.op_id, k.answer::jsonb
        from   unnest(key_namespaces, key_users, keys, request_hashes, key_ops, answers)
               as k (namespace, user_id, key, request_hash, op_id, answer)
        where  (select true from idempotency i
                where  i.namespace = k.namespace and i.user_id = k.user_id and i.key = k.key limit 1) is null
        order  by k.namespace, k.user_id, k.key
        on conflict do nothing;
        get diagnostics n = row_count;
        if n <> cardinality(keys) then
            raise exception using errcode = 'OV002', message = 'relay_apply: an idempotency key is taken';
        end if;
    end if;

    with step as (
        select *
        from   unnest(entity_ps, namespaces, entities, base_versions, base_ops) with ordinality
               as s (p, namespace, entity, base_version, base_op, i)
    ), numbered as (
        select s.i, e.no
        from   step s
        join   entity e on e.p + 0 = s.p and e.namespace = any (array[s.namespace]) and e.entity = s.entity
        where  e.version = s.base_version
        and    e.last_op = s.base_op
        and    s.base_op <> ''
        union all
        select s.i, ((select coalesce(max(no), 0) from entity e where e.p = s.p) + row_number() over (partition by s.p))::int
        from   step s
        where  s.base_op = '' and s.base_version = 0
        and    (select true from entity e
                where  e.p + 0 = s.p and e.namespace = any (array[s.namespace]) and e.entity = s.entity) is null
    )
    select coalesce(array_agg(no order by i), '{}') into numbers from numbered;
    if cardinality(numbers) <> cardinality(entities) then
        raise exception using errcode = 'OV001', message = 'relay_apply: an entity is not at its base';
    end if;

    select array_agg((select 1 from user_reaction r
                      where  r.p = any (array[entity_ps[k.e]]) and r.user_id = k.user_id
                      and    r.entity_no = numbers[k.e] limit 1) is not null
                     order by k.i)
    into   reacted
    from   unnest(person_entities, person_users) with ordinality as k (e, user_id, i);

    if cardinality(removed_users) > 0 then
        with deleted as (
            delete from user_reaction r
            using  unnest(removed_counters, removed_users) as k (c, user_id)
            where  r.p = any (array[entity_ps[counter_entities[k.c]]]) and r.user_id = k.user_id
            and    r.entity_no = numbers[counter_entities[k.c]] and r.reaction = reactions[k.c]
            returning k.c
        ), remembered as (
            insert into removal as r (period, p, entity_no, reaction, user_id, removed_at)
            select (select max(period) from removal_period), entity_ps[counter_entities[k.c]],
                   numbers[counter_entities[k.c]], reactions[k.c], k.user_id, k.at
            from   unnest(removed_counters, removed_users, removed_ats) as k (c, user_id, at)
            on conflict (p, user_id, entity_no, reaction, period)
            do update set removed_at = greatest(r.removed_at, excluded.removed_at)
        )
        select coalesce(array_agg(c), '{}') into gone from deleted;
    end if;

    if cardinality(counter_entities) > 0 then
        insert into user_reaction (p, entity_no, reaction, user_id, reacted_at, form)
        select entity_ps[counter_entities[k.c]], numbers[counter_entities[k.c]], reactions[k.c], k.user_id, k.at,
               k.form
        from   unnest(added_counters, added_users, added_ats, added_forms) as k (c, user_id, at, form);

        with change as (
            select c, sum(step) as delta
            from  (select c, 0 as step from generate_series(1, cardinality(counter_entities)) as c
                   union all
                   select c, 1 from unnest(added_counters) as c
                   union all
                   select c, -1 from unnest(gone) as c) moved
            group  by c
        )
        select array_agg(entity_ps[counter_entities[c]]), array_agg(numbers[counter_entities[c]]),
               array_agg(reactions[c]), array_agg(delta), array_agg(first_ats[c]), array_agg(last_ats[c])
        into   changed_ps, changed_nos, changed_reactions, deltas, changed_firsts, changed_lasts
        from   change;

        with counted as (
            update counter c
            set    count = c.count + k.delta, first_at = k.first_at, last_at = k.last_at
            from   unnest(changed_ps, changed_nos, changed_reactions, deltas, changed_firsts, changed_lasts)
                   as k (p, entity_no, reaction, delta, first_at, last_at)
            where  c.p = any (array[k.p]) and c.entity_no = k.entity_no and c.reaction = k.reaction
            returning c.count
        )
        select count(*), count(*) filter (where count = 0) into n, zeros from counted;

        if n < cardinality(counter_entities) then
            insert into counter (p, entity_no, reaction, count, first_at, last_at)
            select k.p, k.entity_no, k.reaction, k.delta, k.first_at, k.last_at
            from   unnest(changed_ps, changed_nos, changed_reactions, deltas, changed_firsts, changed_lasts)
                   as k (p, entity_no, reaction, delta, first_at, last_at)
            where  k.delta <> 0
            and    not exists (select from counter c
                               where  c.p = any (array[k.p]) and c.entity_no = k.entity_no and c.reaction = k.reaction);
        end if;

        if zeros > 0 then
            delete from counter c
            using  unnest(changed_ps, changed_nos, changed_reactions) as k (p, entity_no, reaction)
            where  c.p = any (array[k.p]) and c.entity_no = k.entity_no and c.reaction = k.reaction
            and    c.count = 0;
        end if;
    end if;

    with person as (
        select k.e,
               ((select 1 from user_reaction r
                 where  r.p = any (array[entity_ps[k.e]]) and r.user_id = k.user_id
                 and    r.entity_no = numbers[k.e] limit 1) is not null)::int - reacted[k.i]::int as step
        from   unnest(person_entities, person_users) with ordinality as k (e, user_id, i)
    ), moved_people as (
        select e, sum(step) as people
        from  (select e, step from person
               union all
               select generate_subscripts(numbers, 1), 0) as k
        group  by e
    ), step as (
        select *
        from   unnest(entity_ps, numbers, namespaces, entities, base_ops, versions, ops, ats,
                      (select array_agg(people order by e) from moved_people))
               as s (p, no, namespace, entity, base_op, version, op, at, people)
    ), moved as (
        update entity e
        set    version = s.version, last_op = s.op, last_at = s.at, people = e.people + s.people
        from   step s
        where  e.p + 0 = s.p and e.namespace = any (array[s.namespace]) and e.entity = s.entity
        and    s.base_op <> ''
    ), created as (
        insert into entity (p, no, namespace, entity, version, last_op, last_at, people)
        select p, no, namespace, entity, version, op, at, people from step where base_op = ''
    )
    insert into changed_entity (p, entity_no) select p, no from step;

    update partition t
    set    applied_seq = s.to_seq, applied_op = s.to_op,
           log_position = t.log_position + case when t.logged then s.rows else 0 end
    from   unnest(ps, epochs, from_seqs, to_seqs, to_ops, log_counts)
           as s (p, epoch, from_seq, to_seq, to_op, rows)
    where  t.p = s.p and t.epoch = s.epoch and t.applied_seq = s.from_seq;
    get diagnostics n = row_count;
    if n <> cardinality(ps) then
        raise exception using errcode = 'OV003', message = 'relay_apply: a watermark moved under the lock';
    end if;

    if logged then
        insert into change_log (period, p, position, kind, entity_no, user_id, version, epoch, at, total, change)
        select (select max(period) from change_log_period),
               t.p, t.log_position - k.back, k.kind, numbers[k.e], k.user_id, k.version, t.epoch, k.at,
               (select coalesce(sum(c.count), 0) from counter c where c.p = t.p and c.entity_no = numbers[k.e])
                   - k.later,
               k.change::json
        from   unnest(log_entities, log_kinds, log_users, log_versions, log_ats, log_backs, log_laters, log_changes)
               as k (e, kind, user_id, version, at, back, later, change)
        join   partition t on t.p = any (array[entity_ps[k.e]])
        where  t.logged;
    end if;
    return 'applied';
end
$$;
