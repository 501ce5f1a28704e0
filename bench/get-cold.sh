#!/usr/bin/env bash
# GETs with a user of entities that are not in Redis: each of 300,000 entities of 3 reactors is read
# once at most. Control "empty" as in get-hot.sh.
. "$(dirname "$0")/lib.sh"
options "$@"

ENTITIES=300000
start_servers
start_service service
start_empty
fill posts cold- 1 $ENTITIES 3

FROM=1
cold() { # round
    FROM=$FROM closed cold "$1" service \
        'GET /reactions?namespace_id=posts&entity_id=cold-{+}&user_id=user-1'
    # Some that were sent were not answered.
    FROM=$((FROM + $(sed -n 's/^made //p' "$OUT/wrk.log") + CONNECTIONS))
    ((FROM <= ENTITIES)) || fail "all entities were read: fewer or shorter rounds"
}

measure() {
    turn closed empty "$1" empty 'GET /ping'
    turn cold "$1"
}
rounds

report "Cold GET" ratio=requests_per_s/empty
