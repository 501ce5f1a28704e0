-- Tells this database from all others: its instances talk on a Redis channel of this name.
create table deployment (
    id text not null
);
insert into deployment (id) values (gen_random_uuid()::text);

-- The only lock: whoever changes rows of an entity holds the row of its partition.
-- (epoch, applied_seq, applied_op) is the cursor: the last outbox event applied here.
create table partition (
    p           integer     primary key,
    epoch       bigint      not null default 0,
    incarnation text        not null default '',
    taken_at    timestamptz not null default 'epoch',
    applied_seq bigint      not null default 0,
    applied_op  text        not null default ''
) with (fillfactor = 25);

-- Closed epochs and where they ended: what lies above final_seq was never applied and never will be.
create table epoch (
    p         integer     not null,
    epoch     bigint      not null,
    final_seq bigint      not null,
    closed_at timestamptz not null default now(),
    primary key (p, epoch)
);

-- (version, last_op) names the state of an entity; emptied, never deleted.
create table entity (
    namespace text collate "C" not null,
    entity    text collate "C" not null,
    version   bigint           not null,
    last_op   text             not null,
    last_at   bigint           not null,
    primary key (namespace, entity)
) with (fillfactor = 85);

-- One row for each entity and reaction that somebody has; times are microseconds since 1970.
create table counter (
    namespace text collate "C" not null,
    entity    text collate "C" not null,
    reaction  text collate "C" not null,
    count     bigint           not null check (count >= 0),
    first_at  bigint           not null,
    last_at   bigint           not null,
    primary key (namespace, entity, reaction)
) with (fillfactor = 85);

create table user_reaction (
    namespace  text collate "C" not null,
    entity     text collate "C" not null,
    user_id    text collate "C" not null,
    reaction   text collate "C" not null,
    reacted_at bigint           not null,
    primary key (namespace, entity, user_id, reaction)
);

-- First answers of writes that came with an Idempotency-Key, for 24 hours.
create table idempotency (
    namespace    text collate "C" not null,
    user_id      text collate "C" not null,
    key          text collate "C" not null,
    request_hash text             not null,
    op_id        text             not null,
    answer       jsonb            not null,
    created_at   timestamptz      not null default now(),
    primary key (namespace, user_id, key)
);
create index idempotency_created_at on idempotency (created_at);

-- Outbox events that were refused, with the cursor that passed them.
create table rejected_event (
    p           integer     not null,
    epoch       bigint      not null,
    seq         bigint      not null,
    op_id       text        not null,
    reason      text        not null,
    rejected_at timestamptz not null default now(),
    primary key (p, epoch, seq)
);
create index rejected_event_rejected_at on rejected_event (rejected_at);

-- Every configuration that was ever in force; the greatest version is.
create table configuration (
    version    bigint      primary key,
    source     text        not null,
    hash       text        not null,
    content    text        not null,
    created_at timestamptz not null default now()
);
create index configuration_hash on configuration (hash);

-- How each reaction was last spelled, so that a retired one keeps its spelling.
create table reaction_spelling (
    reaction text collate "C" primary key,
    spelling text not null
);
