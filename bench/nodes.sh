#!/usr/bin/env bash
# Processor time of a request on a Redis without a cluster, and on a Redis Cluster of 1, 2 and 3 masters,
# at a constant rate: microseconds of the service, of each node of Redis, and of Postgres with all its
# processes. All services share one Postgres; each has a database of its own there. The subjects take
# turns.
# Linux only.
# Control: the Redis without a cluster.
. "$(dirname "$0")/lib.sh"
ROUNDS=4
RATE=1000
WARMUP=20
options "$@"

[[ -e /proc/self/stat ]] || fail "needs /proc"
start_servers
single=$REDIS
first=$POSTGRES
declare -A CPU

CPU[0]=node1:${PID[redis]}
for masters in 0 1 2 3; do
    if ((masters > 0)); then
        launch nodes-$masters '^nodes ' "$JAVA" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m \
            --enable-native-access=ALL-UNNAMED -cp "$CLASSES" dev.ovation.bench.Nodes "$masters"
        REDIS=$(sed -n 's/^nodes //p' "$OUT/nodes-$masters.log")
        REDIS_SETTING=cluster.nodes
        CPU[$masters]=$(sed -n 's/^pids //p' "$OUT/nodes-$masters.log" |
            awk '{ for (i = 1; i <= NF; i++) printf("%snode%d:%s", (i > 1 ? "," : ""), i, $i) }')
        helper Sql "$first" "create database nodes_$masters"
        POSTGRES=${first%/*}/nodes_$masters
    else
        REDIS=$single REDIS_SETTING=url
    fi
    start_service service-$masters
    fill posts hot- 1 300 100
done

judged() { # subject, round, arguments of constant…
    constant "$@"
    share "$1" "$2" redis_us
}

one() { # masters, round
    local cpu=--cpu=service:${PID[service-$1]},${CPU[$1]},postgres:${PID[postgres]}
    local port=${PORT[service-$1]}
    judged "get $1" "$2" "$port" "$cpu" \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
    judged "post $1" "$2" "$port" "$cpu" \
        'POST /reactions {"namespace_id":"posts","entity_id":"few-{1-300}","user_id":"u-{n}","reaction_id":"👍"}'
    judged "screen $1" "$2" "$port" "$cpu" \
        'POST /reactions/query {"namespace_id":"posts","viewer_id":"user-{1-100}","entities":["hot-{1-60}","hot-{61-120}","hot-{121-180}","hot-{181-240}","hot-{241-300}"]}'
}

measure() {
    for masters in 0 1 2 3; do
        turn one "$masters" "$1"
    done
}
rounds

report "Processor time on a Redis and on 1, 2 and 3 masters of a Redis Cluster" \
    "ratio=service_us/{first} 0" "ratio=redis_us/{first} 0" \
    "goal=get 1:node1_us/get 0<=1.1" "goal=post 1:node1_us/post 0<=1.1" \
    "goal=get 2:busiest<=1.25" "goal=get 3:busiest<=1.25" \
    "goal=post 2:busiest<=1.25" "goal=post 3:busiest<=1.25"
