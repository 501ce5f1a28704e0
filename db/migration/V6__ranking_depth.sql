-- Whoever updates the ranking takes this row first: so nobody is amid that, with locks that this waits for.
select from ranking_state for update;

-- Of each list only the highest places are kept: most changes are of entities that no list shows, and need not
-- be ranked. A place is a count and an entity, for many have the same count.
create table ranking_list (
    namespace     text collate "C" not null,
    reaction      text collate "C" not null,            -- '' for all together
    size          bigint           not null,            -- rows of ranking
    floor_count   bigint           not null default 0,  -- all places from here on up are in ranking …
    floor_entity  text collate "C" not null default '',
    refill_count  bigint           not null default 0,  -- … and while it is filled up again, from here on up
    refill_entity text collate "C" not null default '',
    primary key (namespace, reaction)
);

-- The namespace whose lists are filled up again, and the last of its entities that was looked at; or nothing.
create table ranking_refill (
    namespace text collate "C" not null,
    entity    text collate "C" not null
);

-- Whoever changes the ranking, be it an instance of an older release.
create function count_ranked() returns trigger language plpgsql as $$
begin
    insert into ranking_list as l (namespace, reaction, size)
    select namespace, reaction, case tg_op when 'INSERT' then count(*) else -count(*) end
    from   changed
    group  by namespace, reaction
    on conflict (namespace, reaction) do update set size = l.size + excluded.size;
    return null;
end
$$;
create trigger ranking_inserted after insert on ranking
    referencing new table as changed for each statement execute function count_ranked();
create trigger ranking_deleted after delete on ranking
    referencing old table as changed for each statement execute function count_ranked();

-- Instances of an older release put in whatever changed.
create function refuse_below_floor() returns trigger language plpgsql as $$
begin
    if exists (select from ranking_list l
               where  l.namespace = new.namespace and l.reaction = new.reaction
               and    (new.count, new.entity) < (l.floor_count, l.floor_entity)) then
        delete from ranking r
        where  r.namespace = new.namespace and r.entity = new.entity and r.reaction = new.reaction;
        return null;
    end if;
    return new;
end
$$;
create trigger ranking_floor before insert on ranking
    for each row execute function refuse_below_floor();

-- Ranks anew what the counters say, the given number of places of each list.
create procedure rebuild_ranking(depth bigint) language plpgsql as $$
begin
    perform from ranking_state for update;
    create temporary table highest on commit drop as
    select namespace, entity, reaction, count
    from  (select namespace, entity, reaction, count,
                  row_number() over (partition by namespace, reaction order by count desc, entity desc) as place
           from  (select namespace, entity, reaction, count from counter
                  union all
                  select namespace, entity, '', sum(count)::bigint from counter group by namespace, entity) counted
          ) placed
    where  place <= depth;

    truncate ranking, ranking_list, ranking_refill; -- who reads the ranking waits from here on
    insert into ranking (namespace, entity, reaction, count)
    select namespace, entity, reaction, count from highest;
    drop table highest;

    update ranking_list l
    set    (floor_count, floor_entity) =
           (select count, entity from ranking r
            where  r.namespace = l.namespace and r.reaction = l.reaction
            order  by count, entity limit 1)
    where  size = depth;
end
$$;

call rebuild_ranking(10000);
