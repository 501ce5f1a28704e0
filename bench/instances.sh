#!/usr/bin/env bash
# Processor time of a request with 1, 2 and 3 instances on one Redis and one Postgres, at a constant
# rate spread over all: microseconds of all services together, of Redis, and of Postgres with all its
# processes. "idle" is the same without requests, in microseconds a second: what does not grow with the
# number of instances is of the request, what grows is of each instance. Only as many instances as are
# measured run, and each was warmed up by itself when it started, by as many requests as any other. Half
# of the rounds are on the way up from one instance to three, half on the way down, so that what changes
# with time hits all.
# Linux only.
# Control: one instance.
. "$(dirname "$0")/lib.sh"
ROUNDS=4
RATE=1000
# With 8 an idle instance took 176 ms a second in the first round and 36 to 62 later: the JIT.
WARMUP=20
options "$@"

[[ -e /proc/self/stat ]] || fail "needs /proc"
start_servers

measure() { # instances, round; of the warm-up only the newest takes part
    local ports="" cpu=--cpu=
    for ((i = $2 == 0 ? $1 : 1; i <= $1; i++)); do
        ports+=${ports:+,}${PORT[service-$i]}
        cpu+=services:${PID[service-$i]},
    done
    cpu+=redis:${PID[redis]},postgres:${PID[postgres]}
    (($2 == 0)) || RATE=0 constant "idle $1" "$2" "$ports" "$cpu"
    constant "get $1" "$2" "$ports" "$cpu" \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
    constant "post $1" "$2" "$ports" "$cpu" \
        'POST /reactions {"namespace_id":"posts","entity_id":"few-{1-300}","user_id":"u-{n}","reaction_id":"👍"}'
}

half=$(((ROUNDS + 1) / 2))
for instances in 1 2 3; do
    start_service service-$instances
    ((instances > 1)) || fill posts hot- 1 300 100
    for ((r = 0; r <= half; r++)); do
        measure $instances $r
    done
done
for instances in 3 2 1; do
    for ((r = half + 1; r <= ROUNDS; r++)); do
        measure $instances $r
    done
    stop service-$instances
done

report "Processor time with 1, 2 and 3 instances" \
    "ratio=services_us/{first} 1" "ratio=redis_us/{first} 1" "ratio=postgres_us/{first} 1"
