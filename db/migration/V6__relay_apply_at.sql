-- For a Postgres that Citus divides over several nodes (afterMigrate.sql).

-- The functions that begin and drop partitions, as before but for the time: each reads it once, behind the lock, and gives
-- it to its statements, because Citus refuses a delete that calls clock_timestamp().
-- same for the previous release: turn_periods
create or replace function turn_periods(kept text, length double precision, age double precision) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    place constant text := '${flyway:defaultSchema}';
    at timestamptz;
    begun integer;
    ended integer;
begin
    if kept is null or kept not in ('idempotency', 'removal') then
        raise exception 'Table % has no periods', kept using errcode = 'insufficient_privilege';
    end if;
    execute format('lock table only %I.%I in access exclusive mode', place, kept);
    at := clock_timestamp();
    execute format('insert into %1$I.%2$I (period, began_at)
                    select max(period) + 1, $1 from %1$I.%2$I having max(began_at) < $2
                    returning period', place, kept || '_period')
    into  begun
    using at, at - make_interval(secs => length);
    if begun is not null then
        execute format('create table %1$I.%2$I partition of %1$I.%3$I for values in (%4$s)',
                       place, kept || '_' || begun, kept, begun);
    end if;
    for ended in execute format(
        'delete from %1$I.%2$I p
         where  exists (select from %1$I.%2$I next where next.period > p.period and next.began_at < $1)
         returning period', place, kept || '_period') using at - make_interval(secs => age)
    loop
        execute format('drop table %I.%I', place, kept || '_' || ended);
    end loop;
end
$$;
revoke execute on function turn_periods(text, double precision, double precision) from public;

-- same for the previous release: turn_change_log
create or replace function turn_change_log(length double precision, age double precision) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    at timestamptz;
    full_since timestamptz;
    ended_by timestamptz;
    begun integer;
    ended integer;
begin
    lock table only "${flyway:defaultSchema}".change_log in access exclusive mode;
    at := clock_timestamp();
    full_since := at - make_interval(secs => length);
    ended_by := at - make_interval(secs => age);
    insert into "${flyway:defaultSchema}".change_log_period (period, began_at)
    select max(period) + 1, at from "${flyway:defaultSchema}".change_log_period having max(began_at) < full_since
    returning period into begun;
    if begun is not null then
        execute format('create table %1$I.change_log_%2$s partition of %1$I.change_log for values in (%2$s)',
                       '${flyway:defaultSchema}', begun);
    end if;
    for ended in
        delete from "${flyway:defaultSchema}".change_log_period p
        where  exists (select from "${flyway:defaultSchema}".change_log_period next
                       where  next.period > p.period and next.began_at < ended_by)
        returning period
    loop
        execute format('drop table %I.change_log_%s', '${flyway:defaultSchema}', ended);
    end loop;
end
$$;
revoke execute on function turn_change_log(double precision, double precision) from public;

-- Without Citus the functions below are unused.
--
-- Citus plans a statement anew at each call, because its table stands for all shards. relay_apply runs for each write, and
-- read_entities for each load, so each shard has a copy of them that names the tables of the shard, and keeps its plans. The
-- comment of a copy is a hash of the function that it is copied from: after a migration of that function afterMigrate.sql
-- drops the copy.

-- relay_apply's part for answers, in a table whose rows are stored with their entities. Returns how many keys were free.
create function keep_answers(
    ps int[], namespaces text[], users text[], keys text[], request_hashes text[], ops text[], answers text[]
) returns bigint language plpgsql
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
as $$
declare
    n bigint;
begin
    insert into idempotency (p, period, namespace, user_id, key, request_hash, op_id, answer)
    select k.p, (select max(period) from idempotency_period),
           k.namespace, k.user_id, k.key, k.request_hash, k.op_id, k.answer::jsonb
    from   unnest(ps, namespaces, users, keys, request_hashes, ops, answers)
           as k (p, namespace, user_id, key, request_hash, op_id, answer)
    where  (select true from idempotency i
            where  i.p = any (array[k.p]) and i.namespace = k.namespace and i.user_id = k.user_id and i.key = k.key
            limit  1) is null
    on conflict do nothing;
    get diagnostics n = row_count;
    return n;
end
$$;

-- The statement of Snapshots (Java), whose test compares both: entities, each with at most `most` of its reactors.
create function read_entities(ps int[], namespaces text[], entities text[], viewers text[], most int)
    returns table (i bigint, part text, name text, reaction text, a bigint, b bigint, c bigint) language plpgsql
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
as $$
#variable_conflict use_column
begin
    return query
    select k.i, f.*
    from   unnest((select ps), (select namespaces), (select entities), (select viewers))
           with ordinality as k (p, namespace, entity, viewer, i)
    left   join entity e
           on e.namespace = k.namespace and e.entity = k.entity and e.p = k.p
    cross  join lateral (
        (select 'partition' as part, '' as name, '' as reaction, epoch as a, 0 as b, 0 as c
         from   partition where p = k.p)
        union all
        (select 'entity', e.last_op, e.lock, e.version, e.last_at, e.people where e.no is not null)
        union all
        (select 'counter', '', (select x.name from reaction_name x where x.no = reaction),
                count, first_at, last_at
         from   counter where p = e.p and entity_no = e.no)
        union all
        (select 'viewer', user_id,
                (select x.name from reaction_name x where x.no = reaction)
                || coalesce(chr(28) || form, ''),
                reacted_at, 0, 0
         from   user_reaction
         where  p = e.p and user_id = k.viewer and entity_no = e.no)
        union all
        (select 'reactor', user_id,
                (select x.name from reaction_name x where x.no = reaction)
                || coalesce(chr(28) || form, ''),
                reacted_at, 0, 0
         from   user_reaction
         where  list_no(p, entity_no, reaction)
                between list_no(e.p, e.no, 0::smallint)
                and     list_no(e.p, e.no, 32767::smallint)
         order  by list_no(p, entity_no, reaction), reacted_at
         limit  (select most))) as f
    order  by a, reaction;
end
$$;

-- Makes the copies of these functions for a shard of table partition, on its node. Their names end with the
-- number of the shard. The lock is that of afterMigrate.sql, so that no old copy is made while it drops them.
create function copy_functions(shard bigint) returns void language plpgsql as $$
declare
    name       text;
    source     text;
    definition text;
    part       record;
begin
    perform pg_advisory_xact_lock(hashtext('copy_functions'));
    perform set_config('citus.enable_ddl_propagation', 'off', true);
    foreach name in array array['keep_answers', 'relay_apply', 'read_entities'] loop
        select pg_get_functiondef(oid) into strict source
        from   pg_proc where proname = name and pg_function_is_visible(oid);
        continue when md5(source) = obj_description(to_regproc(name || '_' || shard), 'pg_proc');
        definition := replace(source, '.' || name || '(', '.' || name || '_' || shard || '(');
        for part in
            select c.relname as table, s.shardid as id
            from   pg_dist_shard here
            join   pg_dist_partition t on t.logicalrelid = here.logicalrelid
            join   pg_dist_partition o on o.colocationid = t.colocationid or o.partmethod = 'n' and o.repmodel = 't'
            join   pg_dist_shard s on s.logicalrelid = o.logicalrelid
            join   pg_class c on c.oid = o.logicalrelid
            where  here.shardid = shard
            and    c.relnamespace = (select relnamespace from pg_class where oid = here.logicalrelid)
            and    s.shardminvalue is not distinct from case when o.partmethod = 'h' then here.shardminvalue end
        loop
            definition := regexp_replace(definition, format('\m(from|join|into|update)(\s+)%s\M', part.table),
                                         format('\1\2%s_%s', part.table, part.id), 'g');
        end loop;
        execute definition;
        execute format('comment on function %I is %L', name || '_' || shard, md5(source));
    end loop;
end
$$;

-- relay_apply for partitions of one shard, of which `at` is one. Citus executes it on the node of the shard, with the
-- commit. The shard cannot move while its lock is held, which is the lock of Citus' own writers. Where the shard is not
-- on the node, the result is 'partition': then the relay does the same events by single statements. Sessions of a node do
-- not have the search_path of the service.
create function relay_apply_at(
    at smallint, key_ps int[],
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
) returns text language plpgsql set search_path = "${flyway:defaultSchema}" as $$
declare
    shard  bigint := get_shard_id_for_distribution_column('partition', at);
    none   text[] := '{}';
    result text;
    kept   bigint;
begin
    perform lock_shard_metadata(5, array[shard]);           -- ShareLock, until the end of the transaction
    if not exists (select from pg_dist_placement p join pg_dist_local_group g using (groupid)
                   where  p.shardid = shard) then
        return 'partition';
    end if;
    if to_regproc('relay_apply_' || shard) is null or to_regproc('keep_answers_' || shard) is null
            or to_regproc('read_entities_' || shard) is null then
        perform copy_functions(shard);
    end if;
    perform set_config('citus.enable_manual_changes_to_shards', 'on', true);
    execute 'select relay_apply_' || shard || '($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, '
        || '$16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $28, $28, $28, $28, $28, '
        || '$29, $30, $31, $32, $33, $34, $35, $36, $37, $38)'
    into  result
    using ps, epochs, from_seqs, from_ops, to_seqs, to_ops,
          entity_ps, namespaces, entities, base_versions, base_ops, versions, ops, ats,
          counter_entities, counter_reactions, first_ats, last_ats,
          removed_counters, removed_users, removed_ats, added_counters, added_users, added_ats, added_forms,
          person_entities, person_users, none,
          with_log, log_counts, log_entities, log_kinds, log_users, log_versions, log_ats,
          log_backs, log_laters, log_changes;
    if result = 'applied' and cardinality(keys) > 0 then
        execute 'select keep_answers_' || shard || '($1, $2, $3, $4, $5, $6, $7)'
        into  kept
        using key_ps, key_namespaces, key_users, keys, request_hashes, key_ops, answers;
        if kept <> cardinality(keys) then
            raise exception using errcode = 'OV002', message = 'relay_apply_at: an idempotency key is taken';
        end if;
    end if;
    return result;
end
$$;

-- read_entities for entities in the partitions `ps` of one shard; `at` is one of them. Citus executes it on the node of the
-- shard. The result is empty where the shard is not on the node, or has no copy of the function yet: the first write makes
-- it, because a read may be read-only. It takes no lock of the shard, as reads of Citus take none.
create function read_entities_at(
    at smallint, ps int[], namespaces text[], entities text[], viewers text[], most int
) returns table (i bigint, part text, name text, reaction text, a bigint, b bigint, c bigint) language plpgsql
    set search_path = "${flyway:defaultSchema}" as $$
declare
    shard bigint := get_shard_id_for_distribution_column('partition', at);
begin
    if to_regproc('read_entities_' || shard) is not null
            and exists (select from pg_dist_placement p join pg_dist_local_group g using (groupid)
                        where  p.shardid = shard) then
        return query execute 'select * from read_entities_' || shard || '($1, $2, $3, $4, $5)'
        using  ps, namespaces, entities, viewers, most;
    end if;
end
$$;

revoke execute on function keep_answers from public;
revoke execute on function read_entities from public;
revoke execute on function copy_functions from public;
revoke execute on function relay_apply_at from public;
revoke execute on function read_entities_at from public;
