-- Where the ranking goes on among those that wait: behind this one, or at the first where it is empty.
alter table ranking_state
    add column waiting_namespace text collate "C" not null default '',
    add column waiting_entity    text collate "C" not null default '';

-- Entities whose marks were taken and which the ranking has yet to look at, each once: so what waits while the
-- ranking is behind is no more than there are entities. Only who holds the row of ranking_state writes here.
create table ranking_waiting (
    namespace text collate "C" not null,
    entity    text collate "C" not null,
    primary key (namespace, entity)
) with (autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);
