#!/usr/bin/env bash
# GETs of one caller with a key, at the constant rate of --rate, each slice for --seconds: alone, beside
# a key that asks ten times as often as its limit allows (2,000 queries of 10 entities a second, of which
# 200 fit), and beside 2,000 connections that send one byte a second.
# - Latencies count from the time at which a request was due (open loop), so a stall delays all requests
#   that were due in it. One process measures all slices; the rate leaves both processors mostly idle.
# - The loads beside stand for other machines. They have the lowest priority (chrt --idle, or nice), so
#   they run when nothing else wants a processor; beside_cpu is the number of processors that they take.
#   The report also shows that they were as strong as they are to be: on a busy machine they are not.
# - "Trickling into a sink", beside the verdict, is the same 2,000 connections to a program outside the service,
#   which ends them as late as the service does: their load on this machine, without the service's part.
# - A round has one slice of each subject, so a ratio compares slices of the same minute. The verdict is
#   by the median of these ratios, with the interval that holds it with 95 %.
. "$(dirname "$0")/lib.sh"
SECONDS_EACH=6
ROUNDS=12
RATE=500
WARMUP=30
GREEDY=2000
GREEDY_CONNECTIONS=20
TRICKLING=2000
# Until the service has forgotten the connections of the slice before.
SETTLE=2
options "$@"
((SECONDS_EACH * RATE >= 1000)) ||
    fail "a p99 needs 1,000 requests a slice, these are $((SECONDS_EACH * RATE))"

start_servers
start_guarded guarded
fill posts hot- 1 300 100
sed -n 2p "$OUT/access/keys" >"$OUT/access/other"
ENTITIES=$(seq -f '"hot-%g"' -s, 1 10)
REQUEST='GET /reactions?namespace_id=posts&entity_id=hot-{1-300}&user_id=user-{1-100}'

# The processors that a program took since then; nothing where the system does not show it.
processors() { # measure, program, ticks before, subject, round
    [[ -n $3 ]] || return 0
    awk -v measure="$1" -v ticks="$(($(ticks "$2") - $3))" -v seconds="$SECONDS_EACH" \
        'BEGIN { printf "%s\t%.3f\n", measure, ticks / 100 / seconds }' | note "$4" "$5"
}

# Requests of the greedy key that were refused so far.
refused() {
    curl -s -H "Authorization: Bearer $KEY" "http://127.0.0.1:${PORT[guarded]}/actuator/prometheus" |
        awk '/^ovation_requests_limited_total\{.*principal="other"/ { refused = $2 } END { print refused + 0 }'
}

# How strong the load beside was during the slice.
strength() { # load, refused before
    if [[ $1 == greedy ]]; then
        awk -v refused="$(refused)" -v before="$2" -v seconds="$SECONDS_EACH" \
            'BEGIN { printf "refused_per_s\t%.0f\n", (refused - before) / seconds }'
    else
        tail -n "$SECONDS_EACH" "$OUT/$1.log" |
            awk '/^sent/ { sent += $2; n++ } END { if (n) printf "sent_per_s\t%.0f\n", sent / n }'
    fi
}

caller() { # subject, round[, load beside]
    local service load= before=
    service=$(ticks guarded)
    [[ $# -lt 3 ]] || load=$(ticks "$3") before=$(refused)
    slice "$1" "$2"
    [[ $# -lt 3 ]] || strength "$3" "$before" | note "$1" "$2"
    processors service_cpu guarded "$service" "$1" "$2"
    [[ $# -lt 3 ]] || processors beside_cpu "$3" "$load" "$1" "$2"
}

# The same beside a load that has begun.
beside() { # subject, round, load
    "$3"
    caller "$1" "$2" "$3"
    kill -0 "${PID[$3]}" 2>/dev/null || fail "the load beside ended, see $OUT/$3.log"
    stop "$3"
    sleep "$SETTLE"
}

greedy() {
    PAUSE=$((1000 * GREEDY_CONNECTIONS / GREEDY)) presenting other \
        launch greedy '^Running' idly stdbuf -oL wrk -t1 -c"$GREEDY_CONNECTIONS" -d600s \
        -s bench/load.lua "http://127.0.0.1:${PORT[guarded]}" -- \
        'POST /reactions/query {"namespace_id":"posts","entities":['"$ENTITIES"']}'
}

trickle() { # name, port
    launch "$1" '^connected' idly "$JAVA" -XX:+UseSerialGC -Xmx256m -cp "$CLASSES" \
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

# At full rate, so that the JIT has compiled the code of a GET before the slices.
presenting key closed "warm-up" 0 guarded "$REQUEST"
presenting key start_slices "${PORT[guarded]}" "$REQUEST"
rounds

report "One caller beside others that take too much" ratio=p99_ms/alone \
    "ratio=p99_ms/trickling into a sink" "goal=greedy key:p99_ms/alone<=1.2" \
    "goal=trickling connections:p99_ms/alone<=1.2" \
    "goal=greedy key:refused_per_s>=1200" "goal=trickling connections:sent_per_s>=1200" \
    "goal=trickling into a sink:sent_per_s>=1200"
