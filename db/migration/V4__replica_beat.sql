-- The newest beat of each instance that reads from a replica of Postgres. What shows a beat has all that was committed
-- before the instance sent it.
create table replica_beat (
    instance text collate "C" primary key,
    beat     bigint not null,
    at       timestamptz not null
) with (fillfactor = 50);
