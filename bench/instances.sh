#!/usr/bin/env bash
# Processor time of a request with 1, 2 and 3 instances on one Redis and one Postgres, at a constant
# rate spread over all: microseconds of all services together, of Redis, and of Postgres with all its
# processes. "idle" is the same without requests, in microseconds a second: what does not grow with the
# number of instances is of the request, what grows is of each instance. Linux only.
# Control: one instance.
. "$(dirname "$0")/lib.sh"
ROUNDS=3
RATE=1000
options "$@"

[[ -e /proc/self/stat ]] || fail "needs /proc"
start_servers
ports=
pids=
measure() {
    local cpu=--cpu=${pids}redis:${PID[redis]},postgres:${PID[postgres]}
    (($1 == 0)) || RATE=0 constant "idle $instances" "$1" "$ports" "$cpu"
    constant "get $instances" "$1" "$ports" "$cpu" \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
    constant "post $instances" "$1" "$ports" "$cpu" \
        'POST /reactions {"namespace_id":"posts","entity_id":"few-{1-300}","user_id":"u-{n}","reaction_id":"👍"}'
}
for instances in 1 2 3; do
    start_service service-$instances
    ((instances > 1)) || fill posts hot- 1 300 100
    ports=${ports:+$ports,}${PORT[service-$instances]}
    pids+=services:${PID[service-$instances]},
    rounds
done

report "Processor time with 1, 2 and 3 instances" \
    "ratio=services_us/{first} 1" "ratio=redis_us/{first} 1" "ratio=postgres_us/{first} 1" \
    "goal=get 3:errors<=0" "goal=post 3:errors<=0"
