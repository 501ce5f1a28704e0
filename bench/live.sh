#!/usr/bin/env bash
# POSTs at the constant rate of --rate, alone and while streams watch the entities. WATCHERS and ENTITIES are
# the numbers of streams and of the entities that they watch, one each. The lag counts from the time of a
# reaction, which is before its commit, to the arrival of the event. Of the service, delivery_us is its
# processor time with watchers less that of the same POSTs alone, for each event, and deliveries_cpu_s the
# events for each second of this time. stores_us is the processor time of Redis and Postgres for each POST, all_us
# that of the service, its events included, Redis and Postgres.
# watcher_kb is what a stream adds to the resident memory, watcher_heap_kb to the heap after a collection, when
# all streams are opened for the first time.
#
# OTHER adds another server of events, which publishes --rate events a second by itself, each with
# "last_reacted_at":"<RFC 3339>": OTHER='http://127.0.0.1:8000/sse?channel={entity}' in which {entity} stands for
# live-1 to live-$ENTITIES. OTHER_PID is its process, all of whose processor time counts for its events, and
# OTHER_FIRST a text of the first event of each stream.
. "$(dirname "$0")/lib.sh"
SECONDS_EACH=10
ROUNDS=3
RATE=500
WARMUP=30
WATCHERS=${WATCHERS:-10000}
ENTITIES=${ENTITIES:-1000}
OTHER=${OTHER:-}
options "$@"

goals=("goal=watched:lag_p99_ms<=300" "goal=watched:all_us/alone<=1.1")
if [[ -n $OTHER ]]; then
    [[ $OTHER =~ ^http://127\.0\.0\.1:([0-9]+)(/.*)$ ]] || fail "OTHER is no http://127.0.0.1:<port>/<path>: $OTHER"
    PORT[other]=${BASH_REMATCH[1]}
    OTHER_PATH=${BASH_REMATCH[2]}
    : "${OTHER_PID:?is the process of OTHER}" "${OTHER_FIRST:?is a text of the first event of a stream of OTHER}"
    kill -0 "$OTHER_PID" || fail "there is no process OTHER_PID=$OTHER_PID"
    goals+=("goal=watched:deliveries_cpu_s/other>=1")
fi

start_servers
start_service live --ovation.live.watchers="$WATCHERS"

post() { # subject, round
    constant "$1" "$2" "${PORT[live]}" "--cpu=service:${PID[live]},stores:${PID[redis]},stores:${PID[postgres]}" \
        'POST /reactions?if_exists=ok {"namespace_id":"posts","entity_id":"live-{1-'"$ENTITIES"'}","user_id":"user-{1-100000}","reaction_id":"👍"}'
}

# Opens the streams; they measure for the time of the round less a second, from their first change on.
watch() { # subject, round, port, pid, path, text of the first event
    local seconds=$SECONDS_EACH
    (($2 > 0)) || seconds=$WARMUP
    say "round $2, $1: $WATCHERS streams"
    launch watch '^connected' "$JAVA" -XX:+UseSerialGC -Xmx1g -cp "$CLASSES" dev.ovation.bench.Watch \
        "$3" "$4" "$5" "$6" live- "$ENTITIES" "$WATCHERS" $((seconds - 1))
}

measured() { # subject, round
    wait "${PID[watch]}" || fail "see $OUT/watch.log"
    unset "PID[watch]"
    # Servers keep buffers of ended streams for the next ones, so memory is that of the first opening.
    if (($2 == 0)); then
        grep '^watcher_' "$OUT/watch.log" | note "$1" 1
    else
        grep -v '^watcher_' "$OUT/watch.log" | note "$1" "$2"
    fi
}

watched() { # subject, round
    watch "$1" "$2" "${PORT[live]}" "${PID[live]}" \
        '/reactions/stream?namespace_id=posts&entity_id={entity}' 'event: snapshot'
    post "$1" "$2"
    measured "$1" "$2"
}

other() { # subject, round
    watch "$1" "$2" "${PORT[other]}" "$OTHER_PID" "$OTHER_PATH" "$OTHER_FIRST"
    measured "$1" "$2"
}

measure() {
    turn post alone "$1"
    turn watched watched "$1"
    [[ -z $OTHER ]] || turn other other "$1"
}
rounds

awk -F'\t' -v OFS='\t' '
    function deliveries(subject, round, used) {
        if (used <= 0) return
        print subject, round, "delivery_us", used * 1e6 / value[subject, round, "deliveries_s"]
        print subject, round, "deliveries_cpu_s", value[subject, round, "deliveries_s"] / used
    }
    function both(subject, round) {
        print subject, round, "all_us", value[subject, round, "service_us"] + value[subject, round, "stores_us"]
    }
    { value[$1, $2, $3] = $4 }
    $3 == "server_cpu" { last = $2 > last ? $2 : last }
    END {
        for (round = 1; round <= last; round++) {
            if (!(("alone", round, "service_us") in value)) exit 1
            both("alone", round)
            both("watched", round)
            alone = value["alone", round, "service_us"] * value["alone", round, "requests_per_s"] / 1e6
            deliveries("watched", round, value["watched", round, "server_cpu"] - alone)
            if (("other", round, "server_cpu") in value)
                deliveries("other", round, value["other", round, "server_cpu"])
        }
    }' "$NOTES" >"$OUT/deliveries.log"
cat "$OUT/deliveries.log" >>"$NOTES"

report "POST with and without watchers, and their lag" \
    ratio=p50_ms/alone ratio=p99_ms/alone ratio=all_us/alone ratio=stores_us/alone ${OTHER:+ratio=deliveries_cpu_s/other} "${goals[@]}"
