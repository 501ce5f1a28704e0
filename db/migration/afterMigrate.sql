-- After each migration, and each start without one: where setting ovation.postgres.citus is true, Citus divides the tables
-- that a migration made over its nodes. Rows of an entity are on the node of its partition; small tables that they refer
-- to are on all nodes; what has no partition stays here, on the coordinator. A divided database stays divided without the
-- setting.
do $$
declare
    name   text;
    node   record;
    wanted boolean := coalesce(nullif(current_setting('ovation.citus', true), '')::boolean, false);
begin
    if not exists (select from pg_extension where extname = 'citus') then
        if wanted then
            raise exception 'The database has no extension citus, and ovation.postgres.citus is true'
                using hint = 'Create the extension on all nodes, or set ovation.postgres.citus to false.';
        end if;
        return;
    end if;
    if not wanted and not exists (select from pg_dist_partition where logicalrelid = 'partition'::regclass) then
        return;
    end if;
    perform pg_advisory_xact_lock(hashtext('afterMigrate'));
    if not exists (select from pg_dist_partition where logicalrelid = 'partition'::regclass) then
        lock table partition, entity, idempotency in exclusive mode;    -- no writes between the check and the division
        if exists (select from entity) then
            raise exception 'A database that has entities cannot be divided over nodes'
                using hint = 'Set ovation.postgres.citus to false, or export, and import into an empty database.';
        end if;
    end if;
    perform set_config('citus.multi_shard_modify_mode', 'sequential', true); -- tables and functions in one transaction
    foreach name in array array[
        'reaction_name', 'removal_period', 'idempotency_period', 'change_log_period', 'user_ban', 'user_profile',
        'friendship']
    loop
        if not exists (select from pg_dist_partition where logicalrelid = name::regclass) then
            perform create_reference_table(name);
            perform truncate_local_data_after_distributing_table(name);
        end if;
    end loop;
    foreach name in array array[
        'partition', 'epoch', 'rejected_event', 'entity', 'counter', 'user_reaction', 'removal', 'hidden_reaction',
        'idempotency', 'change_log', 'changed_entity', 'import_row']
    loop
        continue when exists (select from pg_dist_partition where logicalrelid = name::regclass);
        case name
            when 'idempotency' then                         -- a key is stored, and unique, in the partition of an entity
                if exists (select from idempotency) then    -- rows name no entity
                    raise exception 'Answers to idempotency keys cannot be divided over nodes'
                        using hint = 'Stop all instances, delete the rows of table idempotency, and start again.';
                end if;
                alter table idempotency add column p smallint;
                alter table idempotency drop constraint idempotency_pkey;
                alter table idempotency add primary key (p, namespace, user_id, key, period);
            when 'changed_entity' then                      -- without a key a shard could not move under writes
                alter table changed_entity replica identity full;
            when 'import_row' then                          -- all are divided by columns of one type
                alter table import_row alter column p type smallint;
            else
        end case;
        perform create_distributed_table(name, 'p', colocate_with => case name when 'partition' then 'none'
                                                                      else 'partition' end);
        perform truncate_local_data_after_distributing_table(name);
    end loop;
    foreach name in array array[
        'keep_answers', 'relay_apply', 'read_entities', 'copy_functions', 'relay_apply_at', 'read_entities_at']
    loop
        continue when exists (select from pg_dist_object join pg_proc f on objid = f.oid
                              where  f.proname = name and pg_function_is_visible(f.oid)
                              and   (distribution_argument_index is not null
                                     or name !~ '_at$'));
        if name ~ '_at$' then
            perform create_distributed_function(f.oid::regprocedure, 'at', colocate_with => 'partition')
            from    pg_proc f where f.proname = name and pg_function_is_visible(f.oid);
        else
            perform create_distributed_function(f.oid::regprocedure)
            from    pg_proc f where f.proname = name and pg_function_is_visible(f.oid);
        end if;
    end loop;
    -- relay_apply_at makes the copies of a function anew at the next call.
    for node in select * from run_command_on_all_nodes(
        $command$
        do $drop$
        declare
            copy regprocedure;
        begin
            perform pg_advisory_xact_lock(hashtext('copy_functions'));
            set local citus.enable_ddl_propagation = off;
            for copy in
                select c.oid
                from   pg_proc c join pg_namespace n on n.oid = c.pronamespace
                where  n.nspname = '${flyway:defaultSchema}' and c.proname ~ '^(keep_answers|relay_apply|read_entities)_[0-9]+$'
                and    not exists (select from pg_proc source
                                   where  source.pronamespace = n.oid
                                   and    source.proname = substring(c.proname from '(.*)_')
                                   and    md5(pg_get_functiondef(source.oid)) = obj_description(c.oid, 'pg_proc'))
            loop
                execute 'drop function ' || copy;
            end loop;
        end
        $drop$
        $command$)
    loop
        if not node.success then
            raise exception 'Node % of Citus does not drop old copies of functions: %', node.nodeid, node.result;
        end if;
    end loop;
end
$$;
