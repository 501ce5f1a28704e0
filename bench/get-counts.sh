#!/usr/bin/env bash
# Single GETs of hot entities without a user: counts only, of 300 entities of 100 reactors, with the
# near cache as it is by default and without it.
# Controls and credentials as in get-hot.sh. An empty user_id asks for no user's view; the controls of the
# token send it too: "counts, no user" without the token, "counts, header" with it.
. "$(dirname "$0")/lib.sh"
# The JIT compiles the code of a GET for that long.
WARMUP=30
# As in get-hot.sh.
LEAD=1
options "$@"

start_servers
start_service service
start_service uncached --ovation.near-cache.max-age=0
start_guarded guarded --ovation.limits.user-reads=999999999/1s
start_empty
fill posts hot- 1 300 100

measure() {
    turn closed empty "$1" empty 'GET /ping'
    turn closed ping "$1" service 'GET /ping'
    turn closed counts "$1" service 'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}'
    turn presenting key closed "counts, key" "$1" guarded \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}'
    turn closed "counts, no user" "$1" service \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id='
    turn presenting tokens closed "counts, header" "$1" service \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id='
    turn presenting tokens closed "counts, token" "$1" guarded \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id='
    turn closed "counts, no near cache" "$1" uncached \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}'
}
rounds

report "Counts-only GET" ratio=requests_per_s/empty ratio=requests_per_s/ping \
    ratio=requests_per_s/counts "ratio=requests_per_s/counts, no user" \
    "ratio=requests_per_s/counts, header" ratio=cpu_us/counts "ratio=cpu_us/counts, no user" \
    "ratio=cpu_us/counts, header" "goal=counts:requests_per_s/empty>=0.85" \
    "goal=counts, key:requests_per_s/counts>=0.97" \
    "goal=counts, token:requests_per_s/counts, no user>=0.97" \
    "goal=counts, token:requests_per_s/counts, header>=0.97"
