#!/usr/bin/env bash
# Lists of reactors: the first page, the tenth page by cursor, and the first page with friends first, of
# entities with 1,000 and with 1,000,000 reactors. The viewer has 10,000 friends, each hundredth user, so
# that one reactor in a hundred is a friend. A second viewer has 10,000 friends, a hundred of which
# reacted long ago: then each friend is looked up. There is one connection, so that no request waits.
# Control: the entity with 1,000 reactors.
. "$(dirname "$0")/lib.sh"
CONNECTIONS=1
ROUNDS=3
options "$@"

befriend() { # viewer, expression of friends by n
    local pairs="select '$1' a, 'user-' || ($2) b from generate_series(1, 10000) n"
    echo "insert into friendship select a, b from ($pairs) p union all select b, a from ($pairs) p"
}

page() { # size, what, round, more of the query
    closed "$1 $2" "$3" service "GET /reactions/users?namespace_id=posts&entity_id=crowd-$1$4"
}

tenth() { # size; prints the cursor of the tenth page
    local url="http://127.0.0.1:${PORT[service]}/reactions/users?namespace_id=posts&entity_id=crowd-$1" cursor=
    for _ in {1..9}; do
        cursor=$(curl -sf "$url&cursor=$cursor" | sed -n 's/.*"next_cursor":"\([^"]*\)".*/\1/p')
    done
    echo "$cursor"
}

start_servers
start_service service
declare -A TENTH
for size in 1000 "$LARGEST"; do
    fill posts crowd- "$size" "$size" "$size"
    TENTH[$size]=$(tenth "$size")
done
helper Sql "$POSTGRES" "$(befriend viewer 'n * 100')" \
    "$(befriend stranger "case when n <= 100 then n else $LARGEST + n end")" \
    'vacuum (analyze) friendship'

measure() {
    for size in 1000 "$LARGEST"; do
        turn page "$size" 'first page' "$1" ''
        turn page "$size" 'tenth page' "$1" "&cursor=${TENTH[$size]}"
        turn page "$size" 'friends first' "$1" '&friends=first&viewer_id=viewer'
        turn page "$size" 'friends first, few reacted' "$1" '&friends=first&viewer_id=stranger'
    done
}
rounds

report "Who reacted, as reactors grow" 'ratio=p50_ms/1000 {rest}' \
    "goal=$LARGEST first page:p50_ms/1000 first page<=1.5" \
    "goal=$LARGEST tenth page:p50_ms/1000 tenth page<=1.5" \
    "goal=$LARGEST friends first:p50_ms/1000 friends first<=1.5"
