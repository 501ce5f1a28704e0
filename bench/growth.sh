#!/usr/bin/env bash
# p99 of GETs with a user at a constant rate, as there are more entities (10^3 to 10^6 of 2 reactors,
# each number in a database and a service of its own on the same servers) and as one entity has more
# reactors (10 to 10^6; 200 users ask). Of the entities 100 are hot; cold GETs read others, each
# once; both lie spread over all. Beside them GET /ping of the same service.
# Control: the same at the smallest size.
. "$(dirname "$0")/lib.sh"
ROUNDS=3
options "$@"

COLD=900 # entities of each size that are read once, as many in each round, of 3 or more

hot() { # what, size, round, service, entity, users
    constant "hot, $1 $2" "$3" "${PORT[$4]}" \
        "GET /reactions?namespace_id=posts&entity_id=$5&user_id=user-{1-$6}"
}

# What is left of a size's name without the 1 and three zeros: the step between entities that are read.
zeros() { echo "${1#1000}"; }

cold() { # size, round; the warm-up has entities of its own
    local port=${PORT[entities-$1]} each=$((COLD / (ROUNDS > 3 ? ROUNDS : 3)))
    if (($2 == 0)); then
        FROM=1 RATE=300 constant "cold, entities $1" 0 "$port" \
            'GET /reactions?namespace_id=posts&entity_id=warm-{+}&user_id=user-1'
    else
        FROM=$((($2 - 1) * each + 1)) RATE=$((each / 3)) SECONDS_EACH=3 \
            constant "cold, entities $1" "$2" "$port" \
            "GET /reactions?namespace_id=posts&entity_id=g-{+}$(zeros "$1")&user_id=user-1"
    fi
}

start_servers
entities=()
for ((size = 1000; size <= LARGEST; size *= 10)); do
    entities+=($size)
    name=entities-$size
    helper Sql "$POSTGRES" "create database \"$name\""
    POSTGRES=${POSTGRES%/*}/$name REDIS=$REDIS/${#entities[@]} start_service "$name"
    POSTGRES=${POSTGRES%/*}/$name fill posts g- 1 $size 2
    POSTGRES=${POSTGRES%/*}/$name fill posts warm- 1 $((300 * WARMUP)) 2
done
measure() {
    for size in "${entities[@]}"; do
        turn hot entities $size "$1" entities-$size "g-{901-1000}$(zeros $size)" 2
        # The warm-up of hot GETs is its warm-up too.
        (($1 == 0)) || turn constant "ping, entities $size" "$1" "${PORT[entities-$size]}" 'GET /ping'
        turn cold $size "$1"
    done
}
rounds
for size in "${entities[@]}"; do
    stop entities-$size
done

start_service crowds
crowds=()
for ((size = 10; size <= LARGEST; size *= 10)); do
    crowds+=($size)
    fill posts crowd- "$size" "$size" "$size"
done
WARMUP=$((WARMUP / 2)) # all of them warm up one service
measure() {
    for size in "${crowds[@]}"; do
        turn hot reactors "$size" "$1" crowds "crowd-$size" 200
    done
}
rounds

helper Chart "$NOTES" p99_ms
report "GET as entities and reactors grow" "note=![p99](growth.svg)" \
    "goal=hot, entities $LARGEST:p99_ms/hot, entities 1000<=1.3" \
    "goal=hot, reactors $LARGEST:p99_ms/hot, reactors 10<=1.3"
