#!/usr/bin/env bash
# Creates, in a new database: the role that owns the schema and migrates it, the role of the service, to which migrations
# grant what it needs, the role of the standby, and that of the exporter. From the next start on a commit waits for the standby.
set -euo pipefail
secret() { cat "/run/secrets/$1.password"; }
# A statement each: a secret that is missing ends the script.
owner=$(secret owner)
service=$(secret service)
replicator=$(secret replicator)
exporter=$(secret exporter)
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname ovation <<SQL
create role ovation_owner login password '$owner';
create role ovation login password '$service';
create role replicator login replication password '$replicator';
create role exporter login password '$exporter' in role pg_monitor;
alter database ovation owner to ovation_owner;
alter schema public owner to ovation_owner;
revoke all on database ovation from public;
grant connect on database ovation to ovation, ovation_owner, exporter;
alter system set synchronous_standby_names = 'FIRST 1 (standby)';
SQL
cat > "$PGDATA/pg_hba.conf" <<'HBA'
local   all         all                     peer
local   replication postgres                peer
hostssl replication replicator all          scram-sha-256
hostssl all         all        all          scram-sha-256
HBA
