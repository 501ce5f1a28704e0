#!/usr/bin/env bash
# GETs of one caller with a key, at the constant rate of --rate: alone, beside a key that asks ten times
# as often as its limit allows (2,000 queries of 10 entities a second, of which 200 fit), and beside
# 2,000 connections that send one byte a second. The loads beside have the lowest priority: they stand
# for other machines, and must not take the processors from the service. The control of the connections
# are the same to a sink outside the service, which ends them as late as the service does: it shows the
# time that the load itself takes from this machine.
. "$(dirname "$0")/lib.sh"
SECONDS_EACH=10
ROUNDS=7
RATE=500
GREEDY=2000
GREEDY_CONNECTIONS=20
TRICKLING=2000
options "$@"

start_servers
start_guarded guarded
fill posts hot- 1 300 100
sed -n 2p "$OUT/access/keys" >"$OUT/access/other"
ENTITIES=$(seq -f '"hot-%g"' -s, 1 10)

caller() { # subject, round
    presenting key constant "$1" "$2" "${PORT[guarded]}" \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
}

# The same beside a load that has begun, and that nothing measures.
beside() { # subject, round, load
    "$3"
    caller "$1" "$2"
    kill -0 "${PID[$3]}" 2>/dev/null || fail "the load beside ended, see $OUT/$3.log"
    stop "$3"
}

greedy() {
    PAUSE=$((1000 * GREEDY_CONNECTIONS / GREEDY)) presenting other \
        launch greedy '^Running' nice -n 19 stdbuf -oL wrk -t1 -c"$GREEDY_CONNECTIONS" -d600s \
        -s bench/load.lua "http://127.0.0.1:${PORT[guarded]}" -- \
        'POST /reactions/query {"namespace_id":"posts","entities":['"$ENTITIES"']}'
}

trickle() { # name, port
    launch "$1" '^connected' nice -n 19 "$JAVA" -XX:+UseSerialGC -Xmx256m -cp "$CLASSES" \
        dev.ovation.bench.Trickle "$2" $TRICKLING
}

trickling() { trickle trickling "${PORT[guarded]}"; }

sink() { trickle sink 0; }

measure() {
    turn caller alone "$1"
    turn beside "greedy key" "$1" greedy
    turn beside "trickling into a sink" "$1" sink
    turn beside "trickling connections" "$1" trickling
}
rounds

limited=$(curl -s -H "Authorization: Bearer $KEY" "http://127.0.0.1:${PORT[guarded]}/actuator/prometheus" |
    sed -n 's/^ovation_requests_limited_total{.*principal="other".*} //p')
say "requests of the greedy key that were refused: ${limited:-none}"
[[ -n $limited ]] || fail "the greedy key met no limit"

report "One caller beside others that take too much" ratio=p99_ms/alone \
    "ratio=p99_ms/trickling into a sink" "goal=greedy key:p99_ms/alone<=1.2" \
    "goal=trickling connections:p99_ms/trickling into a sink<=1.2"
