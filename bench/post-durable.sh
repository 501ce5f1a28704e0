#!/usr/bin/env bash
# POSTs answered after their commit, each by a new user, at 64 and at 256 connections:
#   few    300 entities that have 10 reactors at the start of each round
#   crowd  300 entities that have 5,000 reactors
#   many   1,000,000 entities with a Gaussian (deviation a sixth of them), each with a reaction; 64 only
#   one    a single entity
# Control: the strategy no-join of the thesis, on the same Postgres with the same settings.
#
# Of its own: --pools "N …"    connections of the control to Postgres (default 20); several are
#                              compared with the first of them, and the service is left out
. "$(dirname "$0")/lib.sh"
WARMUP=30
# Processor time per request of the program, of Redis and of Postgres.
STORES=yes
POOLS=(20)
common=()
while (($#)); do
    case $1 in
    --pools) POOLS=($2) && shift ;;
    *) common+=("$1") ;;
    esac
    shift
done
options "${common[@]}"

start_servers
fill_no_join posts many- "$LARGEST"
if ((${#POOLS[@]} == 1)); then
    start_no_join no-join "${POOLS[0]}"
    start_service service
    fill posts many- 1 "$LARGEST" 1
    for ((round = 0; round <= ROUNDS; round++)); do
        for connections in 64 256; do
            fill posts "few-$connections-$round-" 1 300 10
        done
    done
    fill posts crowd- 1 300 5000
    programs=(no-join service)
else
    programs=()
    for pool in "${POOLS[@]}"; do
        start_no_join "no-join-$pool" "$pool"
        programs+=("no-join-$pool")
    done
fi

at() { # connections, command…
    local CONNECTIONS=$1
    shift
    "$@"
}

post() { # workload, connections, round, entity
    for program in "${programs[@]}"; do
        [[ $1 != crowd || $program == service ]] || continue
        turn at "$2" closed "$program $1, $2" "$3" "$program" \
            'POST /reactions {"namespace_id":"posts","entity_id":"'"$4"'","user_id":"u-{n}","reaction_id":"👍"}'
    done
}

measure() { # round
    for connections in 64 256; do
        post few "$connections" "$1" "few-$connections-$1-{1-300}"
        post crowd "$connections" "$1" 'crowd-{1-300}'
        post one "$connections" "$1" one
    done
    post many 64 "$1" "many-{~$LARGEST}"
}
rounds

note="note=The number is that of the connections; few: 300 entities, 10 reactors; crowd: 300 entities, 5,000 \
reactors; one: a single entity; many: $LARGEST entities."
if ((${#POOLS[@]} == 1)); then
    report "Durable POST" "$note" \
        "ratio=requests_per_s/no-join {rest}" "ratio=all_us/no-join {rest}" \
        "goal=service few, 64:all_us<=190" "goal=service few, 256:all_us<=150" \
        "goal=service crowd, 64:all_us<=190" "goal=service crowd, 256:all_us<=150" \
        "goal=service few, 64:requests_per_s/no-join few, 64>=3" \
        "goal=service few, 256:requests_per_s/no-join few, 256>=4" \
        "goal=service one, 256:requests_per_s/no-join one, 256>=8"
else
    report "POST to no-join, by its connections to Postgres" "$note" \
        "ratio=requests_per_s/no-join-${POOLS[0]} {rest}"
fi
