-- The principal that applied a version; null for a start of the service, and for versions before this column.
alter table configuration add column applied_by text;
