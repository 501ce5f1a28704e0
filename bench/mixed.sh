#!/usr/bin/env bash
# Fifty GETs with a user to one durable POST by a new one, over 300 entities of 100 reactors.
# Control "empty" as in get-hot.sh.
. "$(dirname "$0")/lib.sh"
CONNECTIONS=64
WARMUP=30
options "$@"

start_servers
start_service service
start_empty
fill posts hot- 1 300 100

measure() {
    turn closed empty "$1" empty 'GET /ping'
    turn closed get "$1" service \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
    turn closed "50:1" "$1" service \
        '50 GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}' \
        'POST /reactions {"namespace_id":"posts","entity_id":"hot-{1-300}","user_id":"u-{n}","reaction_id":"👍"}'
}
rounds

report "Fifty GETs to one POST" ratio=requests_per_s/empty ratio=requests_per_s/get
