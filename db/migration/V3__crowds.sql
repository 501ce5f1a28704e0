-- Who writes takes the row of a partition first: so nobody is amid a write, with locks that this waits for.
lock table partition in exclusive mode;

-- Who reacted with what, by time: of one reaction, or of several by merging them. Read backwards for the
-- newest. It holds all columns, so no row is fetched from the table.
create index user_reaction_newest
    on user_reaction (namespace, entity, reaction, reacted_at, user_id);

-- What a user reacted to, by time, namespace by namespace; and all that there is of a user.
create index user_reaction_of_user
    on user_reaction (user_id, namespace, reacted_at, entity);

-- The key carries the time as well: to look up thousands of users on an entity is its work alone. Else
-- the planner would rather filter user_reaction_newest, which has everything, and read the whole crowd.
alter table user_reaction
    drop constraint user_reaction_pkey,
    add  constraint user_reaction_pkey
         primary key (namespace, entity, user_id, reaction) include (reacted_at);

create table user_profile (
    user_id      text collate "C" primary key,
    display_name text             not null
);

-- Mutual: each friendship is two rows, at every commit.
create table friendship (
    user_id   text collate "C" not null,
    friend_id text collate "C" not null,
    primary key (user_id, friend_id)
);

-- Highest counts first, of each reaction, and of all together (reaction ''). It follows the counters,
-- and is a table of its own because an index on a count would cost the counters their HOT updates.
create table ranking (
    namespace text collate "C" not null,
    entity    text collate "C" not null,
    reaction  text collate "C" not null,
    count     bigint           not null,
    primary key (namespace, entity, reaction)
);
create index ranking_highest on ranking (namespace, reaction, count, entity);

-- All changes that were committed by as_of are in the ranking. Whoever updates the ranking locks this row.
create table ranking_state (
    as_of timestamptz not null
);

-- Entities whose counts the ranking has yet to look at. Without a key, so that nobody waits who inserts.
create table changed_entity (
    namespace text collate "C" not null,
    entity    text collate "C" not null
) with (autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);

-- Marks in the transaction that makes a change, whoever makes it: the relay, a repair, an import, an
-- erasure, an instance of an older release.
create function mark_changed_entities() returns trigger language plpgsql as $$
begin
    insert into changed_entity (namespace, entity) select namespace, entity from changed;
    return null;
end
$$;
create trigger entity_inserted after insert on entity
    referencing new table as changed for each statement execute function mark_changed_entities();
create trigger entity_updated after update on entity
    referencing new table as changed for each statement execute function mark_changed_entities();

insert into ranking (namespace, entity, reaction, count)
select namespace, entity, reaction, count from counter
union all
select namespace, entity, '', sum(count)::bigint from counter group by namespace, entity;
insert into ranking_state (as_of) values (now());
