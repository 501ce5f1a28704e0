#!/usr/bin/env bash
# POSTs at the constant rate of --rate, alone and while streams watch the entities: --connections is
# the number of POSTs' connections, WATCHERS and ENTITIES that of streams and of the entities that they
# watch, one each. The lag counts from the time of a reaction, which is before its commit, to the
# arrival of the event. all_cpu_delivery_us is the processor time of the whole service, its POSTs
# included, for each event.
. "$(dirname "$0")/lib.sh"
SECONDS_EACH=10
ROUNDS=3
RATE=500
WATCHERS=${WATCHERS:-10000}
ENTITIES=${ENTITIES:-1000}
options "$@"

start_servers
start_service live --ovation.live.watchers="$WATCHERS"

post() { # subject, round
    constant "$1" "$2" "${PORT[live]}" 'POST /reactions?if_exists=ok {"namespace_id":"posts","entity_id":"live-{1-'"$ENTITIES"'}","user_id":"user-{1-100000}","reaction_id":"👍"}'
}

watched() { # subject, round
    local seconds=$SECONDS_EACH
    (($2 > 0)) || seconds=$WARMUP
    launch watch '^connected' "$JAVA" -XX:+UseSerialGC -Xmx1g -cp "$CLASSES" dev.ovation.bench.Watch \
        "${PORT[live]}" "${PID[live]}" posts live- "$ENTITIES" "$WATCHERS" $((seconds + 3))
    post "$1" "$2"
    wait "${PID[watch]}" || fail "see $OUT/watch.log"
    unset "PID[watch]"
    note "$1" "$2" <"$OUT/watch.log"
}

measure() {
    turn post alone "$1"
    turn watched watched "$1"
}
rounds

report "POST with and without watchers, and their lag" ratio=p99_ms/alone \
    "goal=watched:p99_ms/alone<=1.1" "goal=watched:lag_p99_ms<=300"
