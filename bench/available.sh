#!/usr/bin/env bash
# Filtered reads of what an audience can add: GET /configuration/available_reactions of a set of 20 permanent
# and 3,000 seasonal reactions, whose audiences and whose requests are drawn by Zipf's law. About every
# second a season ends. The controls: the empty handler, GET /ping, and the same reads without an audience.
. "$(dirname "$0")/lib.sh"
# The JIT compiles the code of a GET for that long.
WARMUP=30
options "$@"

COUNTRIES=(TW JP US DE FR GB IN BR ID KR TH VN PH MY SG AU CA IT ES MX)
PLATFORMS=(android ios web)

# A number from 0, the k-th k times as rarely as the first.
zipf() { # how many
    local n=$1 sum=0 k drawn
    for ((k = 1; k <= n; k++)); do sum=$((sum + 1000000 / k)); done
    drawn=$(((RANDOM * 32768 + RANDOM) % sum))
    for ((k = 1; k < n && drawn >= 1000000 / k; k++)); do drawn=$((drawn - 1000000 / k)); done
    ZIPF=$((k - 1))
}

# Four in five audiences name countries, two in five platforms, half of them ages, one in five a gender.
seasonal() { # number
    local until audience=() country least
    printf -v until '%(%Y-%m-%dT%H:%M:%SZ)T' $((START + 60 + RANDOM % 3600))
    if ((RANDOM % 5 > 0)); then
        zipf 20
        country=${COUNTRIES[ZIPF]}
        audience+=("\"country\":[\"$country\"]")
    fi
    if ((RANDOM % 5 > 2)); then
        zipf 3
        audience+=("\"platform\":[\"${PLATFORMS[ZIPF]}\"]")
    fi
    if ((RANDOM % 2 > 0)); then
        least=$((10 + 5 * (RANDOM % 10)))
        audience+=("\"age\":{\"min\":$least,\"max\":$((least + 5 + RANDOM % 30))}")
    fi
    if ((RANDOM % 5 > 3)); then
        audience+=('"gender":["f"]')
    fi
    local IFS=,
    printf '{"id":"s%d","type":"unicode","code":"*","available":{"until":"%s","audience":{%s}}}' \
        "$1" "$until" "${audience[*]}"
}

configuration() {
    local i reactions=() ids=()
    START=$(date +%s)
    RANDOM=377
    for ((i = 0; i < 20; i++)); do
        reactions+=("{\"id\":\"p$i\",\"type\":\"unicode\",\"code\":\"*\"}")
        ids+=("\"p$i\"")
    done
    for ((i = 0; i < 3000; i++)); do
        reactions+=("$(seasonal $i)")
        ids+=("\"s$i\"")
    done
    local IFS=,
    printf '{"reactions":[%s],"reaction_sets":[{"id":"s","reaction_ids":[%s]}],' \
        "${reactions[*]}" "${ids[*]}"
    printf '"namespaces":[{"id":"seasons","reaction_set_id":"s","max_uniq_reactions":20}]}'
}

start_servers
start_service service
start_empty
TZ=UTC configuration >"$OUT/$NAME.json"
curl -sf -H 'Content-Type: application/json' --data-binary "@$OUT/$NAME.json" \
    "http://127.0.0.1:${PORT[service]}/configuration" >/dev/null || fail "the configuration is refused"

AVAILABLE='GET /configuration/available_reactions?namespace_id=seasons'
TRAITS='&country={^TW|JP|US|DE|FR|GB|IN|BR|ID|KR|TH|VN|PH|MY|SG|AU|CA|IT|ES|MX}'
TRAITS+='&platform={^android|ios|web}&gender={^f|m}&age={10-70}'

measure() {
    turn closed empty "$1" empty 'GET /ping'
    turn closed ping "$1" service 'GET /ping'
    turn closed all "$1" service "$AVAILABLE&limit=5"
    turn closed filtered "$1" service "$AVAILABLE$TRAITS&limit=5&offset={^0|5|10|15|20|25}"
    turn closed "filtered, 20 each" "$1" service "$AVAILABLE$TRAITS&limit=20"
}
rounds

report "Reactions of an audience" "note=20 permanent and 3,000 seasonal reactions." \
    ratio=requests_per_s/empty ratio=requests_per_s/ping "goal=filtered:requests_per_s>=45000"
