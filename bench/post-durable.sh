#!/usr/bin/env bash
# POSTs answered after their commit, each by a new user: spread over 300 entities; over 1,000,000
# with a Gaussian (deviation a sixth of them), each of which has a reaction already; all on one.
# Control: the strategy no-join of the thesis, on the same Postgres with the same settings.
#
# Of its own: --pools "N …"    connections of the control to Postgres (default 20); several are
#                              compared with the first of them, and the service is left out
. "$(dirname "$0")/lib.sh"
CONNECTIONS=128
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
    programs=(no-join service)
else
    programs=()
    for pool in "${POOLS[@]}"; do
        start_no_join "no-join-$pool" "$pool"
        programs+=("no-join-$pool")
    done
fi

post() { # entity
    echo 'POST /reactions {"namespace_id":"posts","entity_id":"'"$1"'","user_id":"u-{n}","reaction_id":"👍"}'
}

each() { # workload, round, entity
    for program in "${programs[@]}"; do
        turn closed "$program $1" "$2" "$program" "$(post "$3")"
    done
}

measure() {
    each few "$1" 'few-{1-300}'
    each many "$1" "many-{~$LARGEST}"
    each one "$1" one
}
rounds

note="note=few: 300 entities; many: $LARGEST; one: a single one."
if ((${#POOLS[@]} == 1)); then
    report "Durable POST" "$note" \
        "ratio=requests_per_s/no-join {rest}" "ratio=all_us/no-join {rest}" \
        "goal=service few:requests_per_s/no-join few>=4" \
        "goal=service many:requests_per_s/no-join many>=4" \
        "goal=service one:requests_per_s/no-join one>=8"
else
    report "POST to no-join, by its connections to Postgres" "$note" \
        "ratio=requests_per_s/no-join-${POOLS[0]} {rest}"
fi
