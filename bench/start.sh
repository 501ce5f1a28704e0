#!/usr/bin/env bash
# From the start of the process to its first answer of 200, seen every 2 ms: the packaged jar with its
# servers up and its schema made, asked for GET /reactions of a stored entity. Control: an empty Boot
# web application (bench/empty), packaged by the same plug-in and started with the same JVM flags.
. "$(dirname "$0")/lib.sh"
options "$@"

boot=$(sed -n '/<parent>/,/<\/parent>/s/.*<version>\(.*\)<\/version>.*/\1/p' pom.xml)
./mvnw -q -B -f bench/empty/pom.xml -Dboot="$boot" -DbuildDirectory="$PWD/$OUT/empty" package \
    >"$OUT/empty.log" 2>&1 || fail "the empty application does not build, see $OUT/empty.log"

start_servers
start_service service # makes the schema
fill posts hot- 1 1 100
stop service

answer() { # subject, round, path, arguments of java…
    local subject=$1 round=$2 path=$3
    shift 3
    say "round $round, $subject"
    helper FirstAnswer "$OUT/$subject.log" "$path" "$JAVA" $(flags "$subject") "$@" | note "$subject" "$round"
}

measure() {
    turn answer empty "$1" / -jar "$OUT"/empty/empty.jar
    turn answer service "$1" '/reactions?namespace_id=posts&entity_id=hot-1&user_id=user-1' -jar "$JAR" \
        --spring.datasource.url="$POSTGRES" --spring.data.redis.url="$REDIS"
}
rounds
draw empty
draw service

report "Start to first answer" ratio=first_answer_s/empty "goal=service:first_answer_s/empty<=2"
