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
    finished_at timestamptz
) with (fillfactor = 50);
create index job_unfinished on job (job_id) where state in ('waiting', 'running');

-- What an import still has to move, by partition and in the order of its file. Logged: an import that
-- was accepted goes on after a crash, also of Postgres.
create table import_row (
    job_id    bigint           not null,
    p         integer          not null,            -- 0 where rows have no partition
    n         bigint           not null,            -- from 1, within the file
    namespace text collate "C",
    entity    text collate "C",
    user_id   text collate "C" not null,
    value     text collate "C" not null,            -- reaction, display name or friend
    at        bigint,                               -- microseconds since 1970
    primary key (job_id, p, n)
);
