#!/usr/bin/env bash
# POSTs answered after their commit, each by a new user: spread over 300 entities; over 1,000,000
# with a Gaussian (deviation a sixth of them), each of which has a reaction already; all on one.
# Control: the strategy no-join of the thesis, on the same Postgres with the same settings.
. "$(dirname "$0")/lib.sh"
CONNECTIONS=128
WARMUP=30
options "$@"

start_servers
start_service service
fill posts many- 1 "$LARGEST" 1
start_no_join posts many- "$LARGEST"

post() { # entity
    echo 'POST /reactions {"namespace_id":"posts","entity_id":"'"$1"'","user_id":"u-{n}","reaction_id":"👍"}'
}

both() { # workload, round, entity
    for program in no-join service; do
        turn closed "$program $1" "$2" $program "$(post "$3")"
    done
}

measure() {
    both few "$1" 'few-{1-300}'
    both many "$1" "many-{~$LARGEST}"
    both one "$1" one
}
rounds

report "Durable POST" "note=few: 300 entities; many: $LARGEST; one: a single one." \
    "ratio=requests_per_s/no-join {rest}" \
    "goal=service few:requests_per_s/no-join few>=4" \
    "goal=service many:requests_per_s/no-join many>=4" \
    "goal=service one:requests_per_s/no-join one>=8"
