#!/usr/bin/env bash
# Single GETs of hot entities with a user: 300 entities of 100 reactors, any of the reactors asks.
# Control "empty": a servlet that answers "pong" on the same Tomcat with the same settings and JVM
# flags (dev.ovation.bench.EmptyHandler). Beside it "ping": GET /ping of the service itself.
# "get, key" and "get, token" go to a service that asks for credentials; the tokens are those of 100
# users, and name the user of each request. The control "get, header" sends the same tokens to the open
# service, which ignores them: against it a token costs what the service does with it, against "get" it
# also costs its 600 bytes, which the load sends, the kernel copies and Tomcat parses.
. "$(dirname "$0")/lib.sh"
# The JIT compiles the code of a GET for that long.
WARMUP=30
# The service keeps a checked token for a minute, and the rounds of a subject are almost that far apart. The lead
# checks the 100 tokens, so a round measures requests with known tokens.
LEAD=1
options "$@"

start_servers
start_service service
start_guarded guarded --ovation.limits.user-reads=999999999/1s
start_empty
fill posts hot- 1 300 100

measure() {
    turn closed empty "$1" empty 'GET /ping'
    turn closed ping "$1" service 'GET /ping'
    turn closed get "$1" service \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
    turn presenting key closed "get, key" "$1" guarded \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
    turn presenting tokens closed "get, header" "$1" service \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
    turn presenting tokens closed "get, token" "$1" guarded \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}'
}
rounds

report "Single hot GET with a user" ratio=requests_per_s/empty ratio=requests_per_s/ping \
    ratio=requests_per_s/get "ratio=requests_per_s/get, header" ratio=cpu_us/get \
    "ratio=cpu_us/get, header" "goal=get:requests_per_s/empty>=0.6" \
    "goal=get, key:requests_per_s/get>=0.97" "goal=get, token:requests_per_s/get>=0.97" \
    "goal=get, token:requests_per_s/get, header>=0.97"
