#!/usr/bin/env bash
# POSTs over many entities, each with one reaction, by settings of Postgres:
#   far         long after a checkpoint, as with a large max_wal_size
#   near        right after a checkpoint: Postgres writes each page in full at its first change
#   compressed  right after a checkpoint, with wal_compression = on
. "$(dirname "$0")/lib.sh"
WARMUP=20
LARGEST=100000
STORES=yes
options "$@"

start_servers
start_service service
fill posts many- 1 "$LARGEST" 1

sql() { helper Sql "$POSTGRES" "$@"; }

wal() { # subject, round, settings…
    local subject=$1 round=$2 before after made
    shift 2
    for setting in "$@"; do
        sql "$setting"
    done
    before=$(sql "select pg_current_wal_insert_lsn() - '0/0'")
    closed "$subject" "$round" service \
        'POST /reactions {"namespace_id":"posts","entity_id":"many-{~'"$LARGEST"'}","user_id":"u-{n}","reaction_id":"👍"}'
    after=$(sql "select pg_current_wal_insert_lsn() - '0/0'")
    made=$(sed -n 's/^made //p' "$OUT/wrk.log")
    printf 'wal_bytes\t%d\n' $(((after - before) / made)) | note "$subject" "$round"
}

measure() { # round
    turn wal near "$1" "alter system set wal_compression = off" "select pg_reload_conf()" checkpoint
    turn wal far "$1" "alter system set wal_compression = off" "select pg_reload_conf()"
    turn wal compressed "$1" "alter system set wal_compression = on" "select pg_reload_conf()" checkpoint
}
rounds

report "Settings of Postgres, durable POST" \
    "note=$LARGEST entities, one reaction each. far: long after a checkpoint; near: right after one; compressed: \
right after one, with wal_compression." \
    "ratio=postgres_us/far" "ratio=wal_bytes/far" "ratio=requests_per_s/far"
