#!/usr/bin/env bash
# p99 of GETs with a user at a constant rate, as there are more entities (10^3 to 10^6 of 2 reactors;
# 1,000 hot ones, spread over all) and as one entity has more reactors (10 to 10^6; 200 users ask).
# Beside the hot GETs cold ones, each entity read once, and GET /ping of the same moment.
# Control: the same at the smallest size.
. "$(dirname "$0")/lib.sh"
ROUNDS=3
options "$@"

start_servers
start_service service

hot() { # what, size, round, entity, users
    constant "hot, $1 $2" "$3" "${PORT[service]}" \
        "GET /reactions?namespace_id=posts&entity_id=$4&user_id=user-{1-$5}"
}

cold() { # size; 300 a second for 3 seconds: 900 entities that nobody has read
    say "cold, entities $1"
    FROM=$(($1 / 10 + 1)) load --ports="${PORT[service]}" --rate=300 --seconds=3 \
        'GET /reactions?namespace_id=posts&entity_id=g-{+}&user_id=user-1' | note "cold, entities $1" 1
}

# Cold GETs need a warm JVM as well; these entities are of no other part.
FROM=1 RATE=300 constant warm 0 "${PORT[service]}" \
    'GET /reactions?namespace_id=posts&entity_id=warm-{+}&user_id=user-1'
filled=0
zeros=
for size in 1000 10000 100000 1000000; do
    ((size <= LARGEST)) || break
    fill posts g- $((filled + 1)) $size 2
    filled=$size
    cold $size
    measure() {
        hot entities $size "$1" "g-{1-1000}$zeros" 2
        constant "ping, entities $size" "$1" "${PORT[service]}" 'GET /ping'
    }
    # The smallest, which the others are compared with, must not meet a cold JVM.
    ((size > 1000)) || for _ in 1 2 3; do measure 0; done
    rounds
    zeros+=0
done

sizes=()
for ((size = 10; size <= LARGEST; size *= 10)); do
    sizes+=($size)
    fill posts crowd- "$size" "$size" "$size"
done
measure() {
    for size in "${sizes[@]}"; do
        hot reactors "$size" "$1" "crowd-$size" 200
    done
}
rounds

helper Chart "$NOTES" p99_ms
report "GET as entities and reactors grow" "note=![p99](growth.svg)" \
    "goal=hot, entities $LARGEST:p99_ms/hot, entities 1000<=1.3" \
    "goal=hot, reactors $LARGEST:p99_ms/hot, reactors 10<=1.3"
