#!/usr/bin/env bash
# Processor time of a request on a Postgres without Citus, and on a Citus of a coordinator and 1, 2 and 3
# workers, at a constant rate: microseconds of the service, of each node of Postgres with all its
# processes, and of Redis. "post" is a POST to one of 300 entities, "new" one that creates an entity, and
# "get" a GET of such an entity that Redis does not have. "idle" is the same without requests, in
# microseconds a second. One service runs at a time, with an empty database of Redis. docker/citus starts
# the nodes, and deletes them at the end. Citus must be installed, so all.sh leaves this benchmark out.
# Linux only.
# Control: a database without the extension on the first worker.
. "$(dirname "$0")/lib.sh"
ROUNDS=3
RATE=300
WARMUP=20
options "$@"

[[ -e /proc/self/stat ]] || fail "needs /proc"
export CITUS_FOLDER=/var/tmp/ovation-bench-citus CITUS_PORT=30800
AFTER="docker/citus remove"
docker/citus remove 2>/dev/null || true
docker/citus start >"$OUT/nodes.log" 2>&1
docker/citus add >>"$OUT/nodes.log" 2>&1
start_servers
redis=$REDIS
pid() { head -1 "$CITUS_FOLDER/node$1/postmaster.pid"; }
address() { echo "jdbc:postgresql://127.0.0.1:$((CITUS_PORT + $1))/$2"; }

helper Sql "$(address 1 postgres)" "create database without"
for workers in 1 2 3; do
    docker/citus database "with_$workers" $workers >>"$OUT/nodes.log" 2>&1
done

# Each service has sessions of its own, in which functions have no plans at first: the warm-up of the same
# requests, which is not noted, goes before each measurement.
judged() { # subject, round, first number, port, arguments of constant…
    local subject=$1 round=$2 first=$3 port=$4 seconds=$WARMUP
    shift 4
    ((round > 0)) || seconds=$((WARMUP + SECONDS_EACH)) # creates all that the first round reads
    say "round $round, warm-up of $subject"
    FROM=$first load --ports="$port" --rate="$RATE" --seconds="$seconds" "${@: -1}" >/dev/null
    ((round > 0)) || return 0
    FROM=$((first + RATE * WARMUP)) constant "$subject" "$round" "$port" "$@"
    share "$subject" "$round" workers_us
}

one() { # workers, round
    local workers=$1 round=$2 cpu=--cpu=service: settings=(--ovation.partitions=64) node
    POSTGRES=$(address 1 without)
    if ((workers > 0)); then
        POSTGRES=$(address 0 "with_$workers")
        settings+=(--ovation.postgres.citus=true)
    fi
    REDIS=$redis/$((workers + 4 * (round % 4)))
    start_service service "${settings[@]}"
    cpu+=${PID[service]},redis:${PID[redis]}
    ((workers == 0)) || cpu+=,coordinator:$(pid 0)
    for ((node = 1; node <= (workers > 1 ? workers : 1); node++)); do
        cpu+=,node$node:$(pid "$node")
    done
    local port=${PORT[service]} made=$((RATE * (WARMUP + SECONDS_EACH)))
    # The entities that the round before created; this Redis has none of them.
    ((round == 0)) || judged "get $workers" "$round" $(((round - 1) * made + 1)) "$port" "$cpu" \
        'GET /reactions?namespace_id=posts&entity_id=new-{+}&user_id=someone'
    ((round == 0)) || judged "post $workers" "$round" 1 "$port" "$cpu" \
        'POST /reactions {"namespace_id":"posts","entity_id":"few-{1-300}","user_id":"u-{n}","reaction_id":"👍"}'
    judged "new $workers" "$round" $((round * made + 1)) "$port" "$cpu" \
        'POST /reactions {"namespace_id":"posts","entity_id":"new-{+}","user_id":"u-{n}","reaction_id":"👍"}'
    ((round == 0)) || RATE=0 constant "idle $workers" "$round" "$port" "$cpu"
    stop service
}

measure() {
    for workers in 0 1 2 3; do
        turn one "$workers" "$1"
    done
}
rounds

report "Processor time on a Postgres and on a Citus with 1, 2 and 3 workers" \
    "note=workers_us is the sum of the nodes with shards, without the coordinator." \
    "ratio=service_us/{first} 0" "ratio=workers_us/{first} 0" \
    "goal=get 1:node1_us/get 0<=1.1" "goal=post 1:node1_us/post 0<=1.1" \
    "goal=get 2:busiest<=1.25" "goal=get 3:busiest<=1.25" \
    "goal=post 2:busiest<=1.25" "goal=post 3:busiest<=1.25"
