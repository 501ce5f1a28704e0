#!/usr/bin/env bash
# GETs of one caller with a key, at the constant rate of --rate: alone, beside a key that asks ten times
# as often as its limit allows (2,000 queries of 100 entities a second, of which 200 fit), and beside
# 2,000 connections that send one byte a second.
. "$(dirname "$0")/lib.sh"
SECONDS_EACH=10
ROUNDS=7
RATE=500
GREEDY=2000
TRICKLING=2000
options "$@"

start_servers
start_guarded guarded
fill posts hot- 1 300 100
sed -n 2p "$OUT/access/keys" >"$OUT/access/other"
ENTITIES=$(seq -f '"hot-%g"' -s, 1 100)

caller() { # subject, round
    presenting key constant "$1" "$2" "${PORT[guarded]}" \
        'GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'
}

# The same beside a load that lasts longer, and that is measured by none.
beside() { # subject, round, command of the load…
    local subject=$1 round=$2 load
    shift 2
    "$@" >"$OUT/$NAME-beside.log" 2>&1 &
    load=$!
    PIDS+=("$load")
    sleep 2
    caller "$subject" "$round"
    kill -0 "$load" 2>/dev/null || fail "the load beside ended, see $OUT/$NAME-beside.log"
    kill "$load"
    wait "$load" 2>/dev/null || true
}

greedy() {
    presenting other exec "$JAVA" -XX:+UseSerialGC -Xmx128m -cp "$CLASSES" dev.ovation.bench.Load \
        --connections=16 --ports="${PORT[guarded]}" --rate=$GREEDY --seconds=600 \
        'POST /reactions/query {"namespace_id":"posts","entities":['"$ENTITIES"']}'
}

trickling() {
    exec "$JAVA" -XX:+UseSerialGC -Xmx256m -cp "$CLASSES" dev.ovation.bench.Trickle \
        "${PORT[guarded]}" $TRICKLING
}

measure() {
    turn caller alone "$1"
    turn beside "greedy key" "$1" greedy
    turn beside "trickling connections" "$1" trickling
}
rounds

limited=$(curl -s -H "Authorization: Bearer $KEY" "http://127.0.0.1:${PORT[guarded]}/actuator/prometheus" |
    sed -n 's/^ovation_requests_limited_total{.*principal="other".*} //p')
say "requests of the greedy key that were refused: ${limited:-none}"
[[ -n $limited ]] || fail "the greedy key met no limit"

report "One caller beside others that take too much" ratio=p99_ms/alone \
    "goal=greedy key:p99_ms/alone<=1.2" "goal=trickling connections:p99_ms/alone<=1.2"
