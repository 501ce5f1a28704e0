#!/usr/bin/env bash
# Batch reads of counts, 10 and 100 different entities a request, of 10,000 entities with a Gaussian hot set
# (deviation a sixth of them), 20 reactors each; with the near cache as it is by default and without.
# Control "empty" as in get-hot.sh, in requests; what counts is entities a second.
. "$(dirname "$0")/lib.sh"
WARMUP=30
options "$@"

start_servers
start_service cached
start_service uncached --ovation.near-cache.max-age=0
start_empty
fill posts hot- 1 10000 20

batch() { # subject, round, program, entities a request
    ITEMS=$4 closed "$1" "$2" "$3" \
        "POST /reactions/query {\"namespace_id\":\"posts\",\"entities\":[<$4:\"hot-{~10000}\">]}"
}

measure() {
    turn closed empty "$1" empty 'GET /ping'
    for size in 10 100; do
        turn batch "$size" "$1" cached $size
        turn batch "$size, no near cache" "$1" uncached $size
    done
}
rounds

report "Batch read, counts only" ratio=requests_per_s/empty \
    "goal=100:entities_per_s>=300000" "goal=10:entities_per_s>=120000"
