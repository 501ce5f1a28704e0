#!/usr/bin/env bash
# POST /imports of a CSV file of reactions, from the first byte sent to the end of its job: a user of
# its own in each row (of 10,000,000 rows at most), on as many entities as a twentieth of the rows, in
# random order. Control: a plain COPY of the same rows, with numbers for names, into a table like
# user_reaction with the same indexes, on the same Postgres.
. "$(dirname "$0")/lib.sh"
LARGEST=500000 ROUNDS=3
options "$@"

start_servers
start_service service

FILE=$OUT/import.csv
awk -v rows="$LARGEST" 'BEGIN {
    srand(377)
    split("👍 😂 😮 🔥", reactions, " ")
    print "namespace_id,entity_id,user_id,reaction_id,reacted_at"
    for (i = 0; i < rows; i++)
        printf "posts,entity-%d,user-%d,%s,%.0f\n", rand() * rows / 20, i * 7368787 % 9999991, \
            reactions[1 + int(rand() * 4)], 1700000000000 + i
}' >"$FILE"
NUMBERS=$OUT/import-numbers.csv # p, number of the entity, number of the reaction, user, time
awk -F, 'NR == 1 { print "reacted_at,entity_no,p,reaction,user_id"; next } {
    split($2, entity, "-")
    if (!($4 in reactions)) reactions[$4] = ++kinds
    printf "%.0f,%d,%d,%d,%s\n", $5 * 1000, 1 + entity[2] / 64, entity[2] % 64, reactions[$4], $3
}' "$FILE" >"$NUMBERS"
helper Sql "$POSTGRES" "create table plain (like user_reaction including all)"

# No purge runs during the next measurement.
empty() {
    helper Sql "$POSTGRES" "truncate plain, user_reaction, counter, entity, reaction_name, import_row, changed_entity, ranking_waiting, ranking, ranking_list, ranking_refill" checkpoint
}

copy() { # round
    say "round $1, copy"
    empty
    helper CopyFile "$POSTGRES" plain "$NUMBERS" | note copy "$1"
}

job() { curl -fsS "http://127.0.0.1:${PORT[service]}/jobs?job_id=$1"; }

import() { # round
    say "round $1, import"
    empty
    local start end job state
    start=$(date +%s%N)
    job=$(curl -fsS -H 'Content-Type: text/csv' -T "$FILE" -X POST \
        "http://127.0.0.1:${PORT[service]}/imports?kind=reactions" | sed -E 's/.*"job_id":"([0-9]+)".*/\1/')
    until state=$(job "$job") && [[ $state == *finished_at* ]]; do sleep 0.05; done
    end=$(date +%s%N)
    [[ $state == *'"state":"done"'* ]] || fail "the import failed: $state"
    printf 'rows_per_s\t%s\nerrors\t0\n' "$((LARGEST * 1000 / ((end - start) / 1000000)))" | note import "$1"
}

measure() {
    (($1 > 0)) || turn import "$1" # the JIT compiles for longer than one import takes
    turn copy "$1"
    turn import "$1"
}
rounds

report "Import" "note=$LARGEST rows." ratio=rows_per_s/copy "goal=import:rows_per_s/copy>=0.5"
