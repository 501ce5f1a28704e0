-- The budget of background work, which all instances share: what each job owes of the time that it worked.
create table background (
    job        text collate "C" primary key,
    worked     double precision not null default 0,         -- seconds, in all
    debt       double precision not null default 0,         -- seconds of them that were not paid for …
    paid_at    timestamptz      not null default now(),     -- … by then, which is the same in all rows
    due_at     timestamptz      not null,                   -- since when, or from when on, it has something to do
    held_until timestamptz      not null default 'epoch'    -- until then only one instance works on it
) with (fillfactor = 50);
