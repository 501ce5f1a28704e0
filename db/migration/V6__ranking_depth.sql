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

-- The namespace whose lists are filled up again, and the last of its entities that was looked at.
alter table ranking_state add refill_namespace text collate "C", add refill_entity text collate "C";

-- Ranks anew what the counters say, the given number of places of each list. Who asks for the top waits.
create function rebuild_ranking(depth bigint) returns void language plpgsql as $$
begin
    perform from ranking_state for update;
    truncate ranking, ranking_list;
    update ranking_state set refill_namespace = null, refill_entity = null;

    insert into ranking (namespace, entity, reaction, count)
    select namespace, entity, reaction, count
    from  (select namespace, entity, reaction, count,
                  row_number() over (partition by namespace, reaction order by count desc, entity desc) as place
           from  (select namespace, entity, reaction, count from counter
                  union all
                  select namespace, entity, '', sum(count)::bigint from counter group by namespace, entity) counted
          ) placed
    where  place <= depth;

    insert into ranking_list (namespace, reaction, size, floor_count, floor_entity)
    select distinct on (namespace, reaction) namespace, reaction, size,
           case when size = depth then count else 0 end, case when size = depth then entity else '' end
    from  (select *, count(*) over (partition by namespace, reaction) as size from ranking) ranked
    order  by namespace, reaction, count, entity;
end
$$;

select rebuild_ranking(10000);
