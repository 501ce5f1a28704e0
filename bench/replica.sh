#!/usr/bin/env bash
# The relief of the primary by a standby that is named for reads. Two services on one Postgres take turns: one reads the
# primary alone, the other the standby. Lists without a viewer are of an entity with 1,000 reactors, queries of crowds look
# for 200 users on it and on one with 100,000; an export has all reactions, an audit on demand counts all entities. For each
# request: processor time of the primary and of the standby, and transactions of the primary. They include those of the idle
# services. Exports and audits wait for the standby, 2.5 s at most, and that is in p50_ms.
. "$(dirname "$0")/lib.sh"
CONNECTIONS=4
ROUNDS=3
STORES=yes
LARGEST=100000
options "$@"

start_servers
start_service alone --ovation.audit.rate=0
fill posts crowd- 1000 1000 1000
fill posts crowd- "$LARGEST" "$LARGEST" "$LARGEST"
fill posts few- 1 200 10
rm -rf "$OUT/servers/standby"
launch follower '^standby ' "$JAVA" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m -cp "$CLASSES" \
    dev.ovation.bench.Standby "$POSTGRES" "$OUT/servers/postgres/data" "$OUT/servers/standby"
PID[standby]=$(head -1 "$OUT/servers/standby/postmaster.pid")
start_service relieved --ovation.audit.rate=0 \
    --ovation.postgres.replica.url="$(sed -n 's/^standby //p' "$OUT/follower.log")"

transactions() {
    helper Sql "$POSTGRES" "select xact_commit from pg_stat_database where datname = current_database()" | tail -1
}

reads() { # program, what, round, request
    local before after made
    # An instance makes one audit at a time, and few exports.
    [[ $2 == lists || $2 == crowds ]] || local CONNECTIONS=1
    before=$(transactions)
    closed "$1 $2" "$3" "$1" "$4"
    after=$(transactions)
    made=$(sed -n 's/^made //p' "$OUT/wrk.log")
    awk -v n=$((after - before)) -v made="$made" 'BEGIN { printf "transactions\t%.2f\n", n / made }' | note "$1 $2" "$3"
}

users=$(printf '"user-%d",' $(seq 5 5 1000))
measure() { # round
    local program
    for program in alone relieved; do
        turn reads "$program" lists "$1" 'GET /reactions/users?namespace_id=posts&entity_id=crowd-1000'
        turn reads "$program" crowds "$1" \
            "POST /reactions/users/query {\"namespace_id\":\"posts\",\"entity_ids\":[\"crowd-1000\",\"crowd-$LARGEST\"],\"among\":[${users%,}]}"
        turn reads "$program" exports "$1" 'GET /exports?kind=reactions&namespace_id=posts'
        turn reads "$program" audits "$1" 'POST /actuator/audit?namespace_id=posts&sample=300'
    done
}
rounds

report "Reads from a standby" \
    "note=$LARGEST reactors of the largest entity. alone: reads of the primary; relieved: of the standby. postgres_us and \
transactions are the primary's, standby_us is the standby's." \
    'ratio=postgres_us/alone {rest}' 'ratio=transactions/alone {rest}' 'ratio=p50_ms/alone {rest}' \
    'goal=relieved lists:postgres_us/alone lists<=0.3' \
    'goal=relieved crowds:postgres_us/alone crowds<=0.3'
