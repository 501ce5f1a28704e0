-- The id of this database. Its instances use a Redis channel with this name.
create table deployment (
    id text not null
);
insert into deployment (id) values (gen_random_uuid()::text);

-- Entities are divided into partitions. What belongs to an entity has the number of its partition, p, in each of its
-- unique keys: so the partitions may be on several nodes of a distributed Postgres.

-- The only lock: a writer of rows of an entity holds the row of its partition.
-- (epoch, applied_seq, applied_op) is the cursor: the last outbox event applied here.
create table partition (
    p            smallint    primary key,
    epoch        bigint      not null default 0,
    incarnation  text        not null default '',
    taken_at     timestamptz not null default 'epoch',
    applied_seq  bigint      not null default 0,
    applied_op   text        not null default '',
    logged       boolean     not null default false,    -- whether changes are written to change_log
    log_position bigint      not null default 0         -- of the last row of change_log
) with (fillfactor = 25);

-- Closed epochs and where they ended: an event above final_seq was never applied and never will be.
create table epoch (
    p         smallint    not null,
    epoch     bigint      not null,
    final_seq bigint      not null,
    closed_at timestamptz not null default now(),
    primary key (p, epoch)
);

-- Outbox events that were refused, with the cursor that passed them.
create table rejected_event (
    p           smallint    not null,
    epoch       bigint      not null,
    seq         bigint      not null,
    op_id       text        not null,
    reason      text        not null,
    rejected_at timestamptz not null default now(),
    primary key (p, epoch, seq)
);
create index rejected_event_rejected_at on rejected_event (rejected_at);

-- The numbers that stand for reactions in all tables below. A number is given once and never taken back.
create table reaction_name (
    no   smallint         primary key check (no > 0),
    name text collate "C" not null unique
);

-- (version, last_op) names the state of an entity; emptied, never deleted. Its number stands for it in all tables
-- below; the lock of the partition guards the next one. Columns of all tables are in the order of their widths.
-- people is the number of users with a reaction on the entity: the same as distinct users of its rows, at every commit.
create table entity (
    version   bigint           not null,
    last_at   bigint           not null,                 -- microseconds since 1970, like all times of reactions
    no        integer          not null check (no > 0),
    people    integer          not null default 0 check (people >= 0),
    p         smallint         not null,
    namespace text collate "C" not null,
    entity    text collate "C" not null,
    last_op   text             not null,
    lock      text,            -- null: none; else the reactions that it lets pass, each between two U+001E
    primary key (p, no),
    constraint entity_by_name unique (namespace, entity, p)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- One row for each entity and reaction that a user has.
create table counter (
    count     bigint   not null check (count >= 0),
    first_at  bigint   not null,
    last_at   bigint   not null,
    entity_no integer  not null,
    p         smallint not null,
    reaction  smallint not null,
    primary key (p, entity_no, reaction)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- Rows are mostly inserted: an autovacuum freezes them after each twentieth, and not all at once years later.
create table user_reaction (
    reacted_at bigint           not null,
    entity_no  integer          not null,
    p          smallint         not null,
    reaction   smallint         not null,
    user_id    text collate "C" not null,
    form       text collate "C",           -- with its skin tones, where its set counts all tones as one
    primary key (p, user_id, entity_no, reaction)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- The number of a list: one reaction on one entity. Its 8 bytes order lists by partition, entity and reaction.
create function list_no(p smallint, entity_no integer, reaction smallint) returns bigint
    language sql immutable strict parallel safe
    return (p::bigint << 48) | (entity_no::bigint << 16) | reaction::bigint;

-- The lists by time, read backwards for the newest. It is of an expression, so that no statement that looks for a
-- user on an entity can be planned as a walk along all reactors of the entity.
create index user_reaction_newest on user_reaction (list_no(p, entity_no, reaction), reacted_at);

-- The same with names, for people and their tools.
create view named_counter as
select e.namespace, e.entity, x.name as reaction, c.count, c.first_at, c.last_at
from   counter c
join   entity e on e.p = c.p and e.no = c.entity_no
join   reaction_name x on x.no = c.reaction;

create view named_reaction as
select e.namespace, e.entity, r.user_id, x.name as reaction, r.reacted_at
from   user_reaction r
join   entity e on e.p = r.p and e.no = r.entity_no
join   reaction_name x on x.no = r.reaction;

-- The last time that each user took each reaction back, kept for some weeks: an import of older rows must not bring it
-- back. A removal writes one row, an addition none. Periods are as those of idempotency below.
create table removal_period (
    period   integer     primary key,
    began_at timestamptz not null default now()
);
insert into removal_period (period) values (1);

create table removal (
    removed_at bigint           not null,
    entity_no  integer          not null,
    period     integer          not null,
    p          smallint         not null,
    reaction   smallint         not null,
    user_id    text collate "C" not null,
    primary key (p, user_id, entity_no, reaction, period)
) partition by list (period);
create table removal_1 partition of removal for values in (1);

-- Reactions that a ban hides: they are not in user_reaction, are not counted, and come back when the ban is lifted.
create table hidden_reaction (
    reacted_at bigint           not null,
    entity_no  integer          not null,
    p          smallint         not null,
    reaction   smallint         not null,
    user_id    text collate "C" not null,
    form       text collate "C",
    primary key (user_id, p, entity_no, reaction)
);

-- Users who may not react: in a namespace, or in all ('').
create table user_ban (
    user_id   text collate "C" not null,
    namespace text collate "C" not null,
    until     timestamptz,
    reactions text             not null check (reactions in ('keep', 'hide', 'remove')),
    primary key (user_id, namespace)
);

-- Grows with each change of user_ban; instances read the bans again when it is another number.
create table ban_version (
    version bigint not null
);
insert into ban_version (version) values (0);

-- First answers of writes with an Idempotency-Key. A key belongs to a user of a namespace, not to an entity, so it has
-- no p. A period keeps its answers and is dropped as a whole. Inserts go to the newest period. A transaction that
-- begins or drops a period locks the table, so that no inserting transaction spans two periods.
create table idempotency_period (
    period   integer     primary key,
    began_at timestamptz not null default now()
);
insert into idempotency_period (period) values (1);

create table idempotency (
    period       integer          not null,
    namespace    text collate "C" not null,
    user_id      text collate "C" not null,
    key          text collate "C" not null,
    request_hash text             not null,
    op_id        text             not null,
    answer       jsonb            not null,
    primary key (namespace, user_id, key, period)
) partition by list (period);
create table idempotency_1 partition of idempotency for values in (1);

-- Begins a period of the table `kept` when the newest is `length` seconds old, and drops those that ended `age` seconds
-- ago.
create function turn_periods(kept text, length double precision, age double precision) returns void
    language plpgsql as $$
declare
    begun integer;
    ended integer;
begin
    execute format('lock table only %I in access exclusive mode', kept);
    execute format('insert into %1$I (period, began_at)
                    select max(period) + 1, clock_timestamp() from %1$I
                    having max(began_at) < clock_timestamp() - make_interval(secs => $1)
                    returning period', kept || '_period') using length into begun;
    if begun is not null then
        execute format('create table %I partition of %I for values in (%s)', kept || '_' || begun, kept, begun);
    end if;
    for ended in execute format(
        'delete from %1$I p
         where  exists (select from %1$I next
                        where  next.period > p.period
                        and    next.began_at < clock_timestamp() - make_interval(secs => $1))
         returning period', kept || '_period') using age
    loop
        execute format('drop table %I', kept || '_' || ended);
    end loop;
end
$$;

-- The committed changes, for consumers outside: written while `logged`, in the transaction of the change and under the
-- lock of its partition. So the positions of a partition have no gap, and a committed row never follows one with a
-- greater position. A period keeps its rows and is dropped as a whole.
create table change_log_period (
    period   integer     primary key,
    began_at timestamptz not null default now()
);
insert into change_log_period (period) values (1);

create table change_log (
    position  bigint   not null,                         -- from 1 within its partition
    version   bigint   not null,                         -- with epoch, the state of the entity after the change
    epoch     bigint   not null,
    at        bigint   not null,
    total     bigint   not null,                         -- reactions on the entity after the change
    period    integer  not null,
    entity_no integer  not null,                         -- 0: a change of no entity
    p         smallint not null,
    kind      text     not null check (kind in ('changed', 'first', 'erased')),
    user_id   text collate "C",                          -- null: of many users, or of one that is erased
    change    json     not null,                         -- added, removed, and counts of these reactions
    primary key (p, position, period)
) partition by list (period);
create table change_log_1 partition of change_log for values in (1);

-- Whether the log is open: while webhooks exist, and for its retention after the last read. A cursor belongs to a
-- generation, because changes before it are missing. A transaction that opens or closes the log locks this row first.
create table change_log_state (
    generation integer     not null,
    open       boolean     not null,
    read_at    timestamptz not null
);
insert into change_log_state (generation, open, read_at) values (0, false, 'epoch');

-- As turn_idempotency. A period without rows is not ended before its time, so positions need no lock of the table.
create function turn_change_log(length double precision, age double precision) returns void language plpgsql as $$
declare
    begun integer;
    ended integer;
begin
    lock table only change_log in access exclusive mode;
    insert into change_log_period (period, began_at)
    select max(period) + 1, clock_timestamp() from change_log_period
    having max(began_at) < clock_timestamp() - make_interval(secs => length)
    returning period into begun;
    if begun is not null then
        execute format('create table change_log_%s partition of change_log for values in (%s)', begun, begun);
    end if;
    for ended in
        delete from change_log_period p
        where  exists (select from change_log_period next
                       where  next.period > p.period
                       and    next.began_at < clock_timestamp() - make_interval(secs => age))
        returning period
    loop
        execute format('drop table change_log_%s', ended);
    end loop;
end
$$;

-- Receivers of changes. (generation, positions) is the cursor: the last delivered row of each partition, by p. The next
-- message is fixed before it is first sent: its rows end at message_to. The holder of the lease sends it.
create table webhook (
    webhook_id  text collate "C" primary key,
    url         text        not null,
    namespaces  text[],                                  -- null: all
    kinds       text[]      not null,
    milestones  bigint[]    not null,
    batch_max   integer     not null,
    delay_ms    integer     not null,
    secret      text        not null,
    created_at  timestamptz not null default now(),
    generation  integer     not null,
    positions   bigint[]    not null,
    message_id  text,
    message_to  bigint[],
    attempts    integer     not null default 0,          -- of this message
    first_at    timestamptz,                             -- of these attempts
    next_at     timestamptz not null default now(),
    last_error  text,
    delivered_at timestamptz,                            -- the last message
    holder      text        not null default '',
    lease_until timestamptz not null default 'epoch'
) with (fillfactor = 50);

-- Messages that were given up. Their rows stay in change_log until its retention, and can be sent again.
create table dead_letter (
    webhook_id  text collate "C" not null references webhook on delete cascade,
    message_id  text        not null,
    positions   bigint[]    not null,                    -- the cursor before it
    events      integer     not null,
    attempts    integer     not null,
    error       text        not null,
    failed_at   timestamptz not null default now(),
    primary key (webhook_id, message_id)
);

-- Every configuration that was ever in force. The one with the greatest version is in force now.
create table configuration (
    version    bigint      primary key,
    source     text        not null,
    hash       text        not null,
    content    text        not null,
    created_at timestamptz not null default now()
);
create index configuration_hash on configuration (hash);

-- The last spelling of each reaction. A retired reaction keeps it.
create table reaction_spelling (
    reaction text collate "C" primary key,
    spelling text not null
);

-- The position of each walk of the auditor: the last entity that it audited. Walk '' is the background job. The others
-- are audits on demand of one namespace, by its name, or of all namespaces ('*').
create table audit_walk (
    walk      text collate "C" primary key,
    namespace text collate "C" not null,
    entity    text collate "C" not null
);

-- What clients show of a user.
create table user_profile (
    user_id      text collate "C" primary key,
    display_name text,
    avatar_url   text,
    check (display_name is not null or avatar_url is not null)
);

-- Mutual: each friendship is two rows, at every commit.
create table friendship (
    user_id   text collate "C" not null,
    friend_id text collate "C" not null,
    primary key (user_id, friend_id)
);

-- Counts of each reaction, and of all reactions of an entity together (reaction ''). The ranking is a table of its own,
-- because an index on a count would prevent HOT updates of the counters.
create table ranking (
    namespace text collate "C" not null,
    entity    text collate "C" not null,
    reaction  text collate "C" not null,
    count     bigint           not null,
    primary key (namespace, entity, reaction)
);
create index ranking_highest on ranking (namespace, reaction, count, entity);

-- The ranking contains all changes that were committed by as_of. A transaction that updates the ranking locks this row.
-- (waiting_p, waiting_no) is the last waiting entity that was ranked; the next step begins after it, or at the first
-- waiting entity when it is 0.
create table ranking_state (
    as_of      timestamptz not null,
    waiting_p  smallint    not null default 0,
    waiting_no integer     not null default 0
);
insert into ranking_state (as_of) values (now());

-- Entities whose counts the ranking has yet to look at, marked by each statement that gives an entity a new state.
-- Without a key, so that no insert waits.
create table changed_entity (
    entity_no integer  not null,
    p         smallint not null
) with (autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);

-- Entities whose marks were taken and which the ranking has yet to look at, each once: so there are no more than
-- entities, however far the ranking is behind. Only the holder of the row of ranking_state writes here.
create table ranking_waiting (
    entity_no integer  not null,
    p         smallint not null,
    primary key (p, entity_no)
) with (autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);

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

-- How long each list is.
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

-- Ranks anew what the counters say, the given number of places of each list.
create procedure rebuild_ranking(depth bigint) language plpgsql as $$
begin
    perform from ranking_state for update;
    create temporary table highest on commit drop as
    select namespace, entity, reaction, count
    from  (select namespace, entity, reaction, count,
                  row_number() over (partition by namespace, reaction order by count desc, entity desc) as place
           from  (select namespace, entity, reaction, count from named_counter
                  union all
                  select namespace, entity, '', sum(count)::bigint from named_counter group by namespace, entity) counted
          ) placed
    where  place <= depth;

    truncate ranking, ranking_list, ranking_refill; -- readers of the ranking wait from here on
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

-- Long work. Any instance takes up a job whose lease has ended; the holder renews the lease in each
-- transaction that carries the job on, and position says how far it has come.
create table job (
    job_id      bigint      generated always as identity primary key,
    kind        text        not null,
    state       text        not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
    ready       boolean     not null,               -- false: what it needs is still arriving
    request     jsonb       not null,
    key         text        unique,                 -- Idempotency-Key, until the job failed and is begun anew
    holder      text        not null default '',
    lease_until timestamptz not null default 'epoch',
    position    jsonb       not null default '{}',
    done        bigint      not null default 0,
    total       bigint,
    report      jsonb       not null default '{}',
    started_at  timestamptz not null default now(),
    finished_at timestamptz,
    -- A column of the row itself, so that an update that leaves it as it is can be a HOT update.
    names_users boolean     not null generated always as (
        jsonb_path_exists(report, '$.**.user_id') or jsonb_path_exists(request, '$.**.user_id')) stored
) with (fillfactor = 50);
create index job_unfinished on job (job_id) where state in ('waiting', 'running');

-- Jobs that failed or were cancelled after their first step. They stay ready until Redis has the last step.
create index job_untold on job (job_id) where state in ('failed', 'cancelled') and ready;

-- The few jobs that name users; an erasure looks for those that name its user.
create index job_naming_users on job (job_id) where names_users;

-- Staged rows of imports, by partition and in the order of the file. They are deleted after the import has ended. The
-- table is logged, so that an accepted import continues after a crash of the service or of Postgres.
create table import_row (
    job_id     bigint           not null,
    p          integer          not null,            -- 0 where rows have no partition
    n          bigint           not null,            -- from 1, within the file
    namespace  text collate "C",
    entity     text collate "C",
    user_id    text collate "C" not null,
    value      text collate "C" not null,            -- reaction, display name ('' for none) or friend
    at         bigint,                               -- microseconds since 1970
    avatar_url text,
    removes    boolean          not null default false,  -- the reaction was taken back
    form       text collate "C",                         -- as in user_reaction
    primary key (job_id, p, n)
);

-- The time budget of background work, shared by all instances: the time that each job has worked and not yet paid for.
create table background (
    job        text collate "C" primary key,
    worked     double precision not null default 0,         -- seconds, in all
    debt       double precision not null default 0,         -- seconds of them that were not paid for …
    paid_at    timestamptz      not null default now(),     -- … by then, which is the same in all rows
    due_at     timestamptz      not null,                   -- since when, or from when on, it has something to do
    held_until timestamptz      not null default 'epoch'    -- until then only one instance works on it
) with (fillfactor = 50);
