#!/usr/bin/env bash
# The same service on virtual and on platform threads, at 1 to 1024 connections that share one
# constant rate of hot GETs with a user: processors in use (mean, and coefficient of variation of
# samples of 200 ms) and p99. Linux only.
# Control: platform threads (Tomcat's default pool of 200) at the same number of connections.
. "$(dirname "$0")/lib.sh"
ROUNDS=3
options "$@"

[[ -e /proc/self/stat ]] || fail "needs /proc"
start_servers
start_service virtual
start_service platform --spring.threads.virtual.enabled=false
fill posts hot- 1 300 100

spread() { # connections, model, round
    CONNECTIONS=$1 constant "$2 $1" "$3" "${PORT[$2]}" "--cpu=service:${PID[$2]}" \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
}

measure() {
    for connections in 1 2 4 8 16 32 64 256 1024; do
        for model in platform virtual; do
            # One warm-up of each is enough.
            (($1 > 0 || connections == 32)) || continue
            turn spread $connections $model "$1"
        done
    done
}
rounds

helper Chart "$NOTES" p99_ms
report "Platform and virtual threads" "note=![p99](concurrency.svg)" \
    "ratio=cpu_mean/platform {rest}" "ratio=cpu_cv/platform {rest}" "ratio=p99_ms/platform {rest}"
