#!/usr/bin/env bash
# gRPC beside REST on one instance: single GETs of hot entities with a user, as in get-hot.sh, and single
# POSTs, each by a new user. "batch" is WriteBatch, one stream of the same writes. The calls of gRPC share
# one connection; REST has one for each. The load of REST is wrk, that of gRPC is GrpcLoad: only the
# processor time of the service is compared.
. "$(dirname "$0")/lib.sh"
# The JIT compiles the code of a call for that long.
WARMUP=30
options "$@"

start_servers
start_service service --spring.grpc.server.enabled=true --spring.grpc.server.port=0
GRPC=$(sed -nE 's/.*gRPC Server started.*:([0-9]+).*/\1/p' "$OUT/service.log" | head -1)
[[ -n $GRPC ]] || fail "the service has no port for gRPC, see $OUT/service.log"
fill posts hot- 1 300 100

called() { # subject, round, kind of call, entity prefix
    local seconds=$SECONDS_EACH before
    (($2 > 0)) || seconds=$WARMUP
    say "round $2, $1"
    before=$(ticks service)
    "$JAVA" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m --enable-native-access=ALL-UNNAMED \
        -cp "$CLASSES" dev.ovation.bench.GrpcLoad "$GRPC" "$3" posts "$4" 300 100 "$CONNECTIONS" \
        "$seconds" >"$OUT/wrk.log"
    : >"$OUT/cpu.log"
    if [[ -n $before ]]; then
        awk -v ticks=$(($(ticks service) - before)) -v made="$(sed -n 's/^made //p' "$OUT/wrk.log")" \
            'BEGIN { printf "cpu_us\t%.1f\n", ticks * 10000 / made }' >"$OUT/cpu.log"
    fi
    cat "$OUT/wrk.log" "$OUT/cpu.log" | note "$1" "$2"
}

measure() {
    turn closed 'rest get' "$1" service \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
    turn called 'grpc get' "$1" get hot-
    turn closed 'rest post' "$1" service \
        'POST /reactions {"namespace_id":"posts","entity_id":"rest-{1-300}","user_id":"u-{n}","reaction_id":"👍"}'
    turn called 'grpc add' "$1" add grpc-
    turn called 'grpc batch' "$1" batch batch-
}
rounds

report "gRPC beside REST" 'ratio=cpu_us/rest get' 'ratio=cpu_us/rest post' \
    "goal=grpc get:cpu_us/rest get<=1" "goal=grpc add:cpu_us/rest post<=1" \
    "goal=grpc batch:cpu_us/rest post<=1"
