#!/usr/bin/env bash
# Screens of 50 entities with a viewer, without people and with 3 people each: of 300 entities with 20
# reactors each, and of 300 with 5,000. 100 viewers have 50 friends each, 5 of whom react to each entity.
# All reactors have a name and an avatar. Nothing changes meanwhile, so users and friends are kept in the
# process. Control: the screen without people, by the processor time of the service, Redis and Postgres.
. "$(dirname "$0")/lib.sh"
WARMUP=20
CONNECTIONS=16
STORES=yes
options "$@"

start_servers
start_service service
fill posts hot- 1 300 20
fill posts crowd- 1 300 5000
# Friends are every fourth of the first 20 users, and users who react to nothing.
pairs="select 'viewer-' || v as a, 'user-' || case when n <= 5 then 4 * n else 10000 + n end as b
       from generate_series(1, 100) v, generate_series(1, 50) n"
helper Sql "$POSTGRES" \
    "insert into friendship select a, b from ($pairs) p union all select b, a from ($pairs) p" \
    "insert into user_profile select 'user-' || n, 'User ' || n, 'https://example.org/' || n || '.png'
     from generate_series(1, 5000) n" \
    'vacuum (analyze) friendship' 'vacuum (analyze) user_profile'

screen() { # subject, round, entities, more of the body
    ITEMS=50 closed "$1" "$2" service \
        "POST /reactions/query {\"namespace_id\":\"posts\",\"viewer_id\":\"viewer-{1-100}\",\"entities\":[<50:$3>]$4}"
}

measure() {
    for kind in hot crowd; do
        entity="\"$kind-{1-300}\""
        turn screen "$kind screen" "$1" "$entity" ''
        turn screen "$kind people" "$1" "$entity" ',"people":{"limit":3}'
        turn screen "$kind friends" "$1" "$entity" ',"people":{"limit":3,"friends":"first"}'
    done
}
rounds

report "Screens of 50 with 3 people each" 'ratio=all_us/hot screen' 'ratio=all_us/crowd screen' \
    "goal=hot people:all_us/hot screen<=1.5" "goal=hot friends:all_us/hot screen<=1.5" \
    "goal=crowd people:all_us/crowd screen<=1.5" "goal=crowd friends:all_us/crowd screen<=1.5"
