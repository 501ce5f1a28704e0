#!/usr/bin/env bash
# POSTs at the constant rate of --rate, without a consumer of the changes and with one webhook that is sent each of
# them. The log of changes is closed for the rounds without (docs/events.md). service_us is the processor time of the
# service for each POST, that of sending included, stores_us that of Redis and Postgres, all_us both.
# delivered_ratio is the events that the receiver gets in a second, for each POST in a second.
. "$(dirname "$0")/lib.sh"
SECONDS_EACH=10
ROUNDS=7
RATE=1000
WARMUP=30
options "$@"

start_servers
start_service webhook --ovation.webhooks.allow-private=true
launch receiver '^port ' "$JAVA" -XX:+UseSerialGC -Xmx128m -cp "$CLASSES" dev.ovation.bench.Receiver
RECEIVER=http://127.0.0.1:$(sed -n 's/^port //p' "$OUT/receiver.log")

call() { # curl's arguments
    curl -sSf -H "Authorization: Bearer $KEY" "$@" || fail "no answer to $*"
}

webhooks() { echo "http://127.0.0.1:${PORT[webhook]}/webhooks?webhook_id=bench"; }

post() { # subject, round
    constant "$1" "$2" "${PORT[webhook]}" "--cpu=service:${PID[webhook]},stores:${PID[redis]},stores:${PID[postgres]}" \
        'POST /reactions?if_exists=ok {"namespace_id":"posts","entity_id":"e-{1-1000}","user_id":"user-{1-1000000}","reaction_id":"👍"}'
}

subscribed() { # round
    call -X PUT -d "{\"url\":\"$RECEIVER\",\"kinds\":[\"changed\"]}" "$(webhooks)" >/dev/null
    call "$RECEIVER/reset" >/dev/null
    post subscribed "$1"
    (($1 == 0)) || call "$RECEIVER/events" | note subscribed "$1"
    call -X DELETE "$(webhooks)" >/dev/null
    # As the service does after the retention.
    helper Sql "$POSTGRES" 'update change_log_state set open = false' \
        'update partition set logged = false where logged' 'truncate change_log'
}

measure() {
    turn post plain "$1"
    turn subscribed "$1"
}
rounds

awk -F'\t' -v OFS='\t' '
    { value[$1, $2, $3] = $4; if ($2 > last) last = $2 }
    END {
        for (round = 1; round <= last; round++) {
            for (i = split("plain subscribed", subjects, " "); i > 0; i--) {
                subject = subjects[i]
                if (!((subject, round, "service_us") in value)) exit 1
                print subject, round, "all_us", value[subject, round, "service_us"] + value[subject, round, "stores_us"]
            }
            print "subscribed", round, "delivered_ratio",
                value["subscribed", round, "events_per_s"] / value["subscribed", round, "requests_per_s"]
        }
    }' "$NOTES" >"$OUT/sums.log" || fail "a round has no processor time"
cat "$OUT/sums.log" >>"$NOTES"

report "POST with and without a webhook" ratio=all_us/plain ratio=service_us/plain ratio=stores_us/plain \
    "goal=subscribed:all_us/plain<=1.1"
