#!/usr/bin/env bash
# gRPC beside REST on one instance, both at the constant rate of --rate: single GETs of hot entities with a
# user, as in get-hot.sh, and single POSTs, each by a new user. "batch" is WriteBatch, one stream of the
# same writes. The calls of gRPC share one connection. At full rate the programs of the load would differ
# in what they leave of the processors, and a lower rate costs more for each request.
. "$(dirname "$0")/lib.sh"
# The JIT compiles the code of a call for that long.
WARMUP=30
RATE=1000
options "$@"

start_servers
start_service service --spring.grpc.server.enabled=true --spring.grpc.server.port=0
GRPC=$(sed -nE 's/.*gRPC Server started.*:([0-9]+).*/\1/p' "$OUT/service.log" | head -1)
[[ -n $GRPC ]] || fail "the service has no port for gRPC, see $OUT/service.log"
fill posts hot- 1 300 100

called() { # subject, round, kind of call, entity prefix
    local seconds=$SECONDS_EACH
    (($2 > 0)) || seconds=$WARMUP
    say "round $2, $1"
    "$JAVA" -XX:+UseSerialGC -Xmx512m --enable-native-access=ALL-UNNAMED -cp "$CLASSES" \
        dev.ovation.bench.GrpcLoad "$GRPC" "${PID[service]}" "$3" posts "$4" 300 100 \
        "$((CONNECTIONS * 8))" "$RATE" "$seconds" | note "$1" "$2"
}

requested() { # subject, round, request
    constant "$1" "$2" "${PORT[service]}" "--cpu=service:${PID[service]}" "$3"
}

measure() {
    turn requested 'rest get' "$1" \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
    turn called 'grpc get' "$1" get hot-
    turn requested 'rest post' "$1" \
        'POST /reactions {"namespace_id":"posts","entity_id":"rest-{1-300}","user_id":"u-{n}","reaction_id":"👍"}'
    turn called 'grpc add' "$1" add grpc-
    turn called 'grpc batch' "$1" batch batch-
}
rounds

report "gRPC beside REST" 'ratio=service_us/rest get' 'ratio=service_us/rest post' \
    "goal=grpc get:service_us/rest get<=1" "goal=grpc add:service_us/rest post<=1" \
    "goal=grpc batch:service_us/rest post<=1"
