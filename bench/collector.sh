#!/usr/bin/env bash
# POSTs over 300 entities by the service with G1 and with the serial collector, both with the heap of a
# container of 2 GB; each service has the same Postgres and Redis.
. "$(dirname "$0")/lib.sh"
WARMUP=30
# Processor time per request of the program, of Redis and of Postgres.
STORES=yes
options "$@"

start_servers
JAVA_TOOL_OPTIONS="-XX:MaxRAM=2g -XX:+UseG1GC" start_service g1
JAVA_TOOL_OPTIONS="-XX:MaxRAM=2g -XX:+UseSerialGC" start_service serial

at() { # connections, command…
    local CONNECTIONS=$1
    shift
    "$@"
}

measure() { # round
    for connections in 64 256; do
        for collector in g1 serial; do
            turn at "$connections" closed "$collector $connections" "$1" "$collector" \
                'POST /reactions {"namespace_id":"posts","entity_id":"few-'"$1"'-{1-300}","user_id":"u-{n}","reaction_id":"👍"}'
        done
    done
}
rounds

report "Garbage collectors, durable POST" "note=The number is that of the connections." \
    "ratio=cpu_us/g1 {rest}" "ratio=all_us/g1 {rest}" "ratio=requests_per_s/g1 {rest}"
