-- The role of the service needs no right to change the schema: these functions begin and drop partitions with the rights
-- of the role that owns them. Roles of others cannot call them; the command migrate grants the role of the service.
-- Such a function acts on no table that a caller has made: it refuses other names, names the schema of each table, and
-- its path has no schema in which a caller could make a function or an operator.
-- same for the previous release: turn_periods
create or replace function turn_periods(kept text, length double precision, age double precision) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    place constant text := '${flyway:defaultSchema}';
    begun integer;
    ended integer;
begin
    if kept is null or kept not in ('idempotency', 'removal') then
        raise exception 'Table % has no periods', kept using errcode = 'insufficient_privilege';
    end if;
    execute format('lock table only %I.%I in access exclusive mode', place, kept);
    execute format('insert into %1$I.%2$I (period, began_at)
                    select max(period) + 1, clock_timestamp() from %1$I.%2$I
                    having max(began_at) < clock_timestamp() - make_interval(secs => $1)
                    returning period', place, kept || '_period') using length into begun;
    if begun is not null then
        execute format('create table %1$I.%2$I partition of %1$I.%3$I for values in (%4$s)',
                       place, kept || '_' || begun, kept, begun);
    end if;
    for ended in execute format(
        'delete from %1$I.%2$I p
         where  exists (select from %1$I.%2$I next
                        where  next.period > p.period
                        and    next.began_at < clock_timestamp() - make_interval(secs => $1))
         returning period', place, kept || '_period') using age
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
    begun integer;
    ended integer;
begin
    lock table only "${flyway:defaultSchema}".change_log in access exclusive mode;
    insert into "${flyway:defaultSchema}".change_log_period (period, began_at)
    select max(period) + 1, clock_timestamp() from "${flyway:defaultSchema}".change_log_period
    having max(began_at) < clock_timestamp() - make_interval(secs => length)
    returning period into begun;
    if begun is not null then
        execute format('create table %1$I.change_log_%2$s partition of %1$I.change_log for values in (%2$s)',
                       '${flyway:defaultSchema}', begun);
    end if;
    for ended in
        delete from "${flyway:defaultSchema}".change_log_period p
        where  exists (select from "${flyway:defaultSchema}".change_log_period next
                       where  next.period > p.period
                       and    next.began_at < clock_timestamp() - make_interval(secs => age))
        returning period
    loop
        execute format('drop table %I.change_log_%s', '${flyway:defaultSchema}', ended);
    end loop;
end
$$;
revoke execute on function turn_change_log(double precision, double precision) from public;
