-- The role of the service needs no right to change the schema: these functions begin and drop partitions with the rights
-- of the role that owns them. Roles of others cannot call them; the command migrate grants the role of the service.
-- The path is that of the schema, with temporary tables last: a caller cannot put a table of its own before a table here.
alter function turn_periods(text, double precision, double precision)
    security definer set search_path = "${flyway:defaultSchema}", pg_temp;
revoke execute on function turn_periods(text, double precision, double precision) from public;

alter function turn_change_log(double precision, double precision)
    security definer set search_path = "${flyway:defaultSchema}", pg_temp;
revoke execute on function turn_change_log(double precision, double precision) from public;
