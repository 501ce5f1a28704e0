-- How far each walk of the auditor has come: '' is the background job's, the others are of the
-- namespace whose name they bear, or of all ('*'). It goes on behind (namespace, entity).
create table audit_walk (
    walk      text collate "C" primary key,
    namespace text collate "C" not null,
    entity    text collate "C" not null
);
