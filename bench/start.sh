#!/usr/bin/env bash
# From the start of the process to its first answer of 200, seen every 2 ms: the packaged jar with its
# servers up and its schema made, asked for GET /reactions of a stored entity; the same extracted and
# with the AOT cache of ./mvnw -Paot package, as the image starts. Control: an empty Boot web
# application (bench/empty) without a cache, packaged by the same plug-in and started with the same JVM
# flags.
. "$(dirname "$0")/lib.sh"
options "$@"

boot=$(sed -n '/<parent>/,/<\/parent>/s/.*<version>\(.*\)<\/version>.*/\1/p' pom.xml)
./mvnw -q -B -f bench/empty/pom.xml -Dboot="$boot" -DbuildDirectory="$PWD/$OUT/empty" package \
    >"$OUT/empty.log" 2>&1 || fail "the empty application does not build, see $OUT/empty.log"

./mvnw -q -B -Paot -DskipTests package >"$OUT/aot.log" 2>&1 ||
    fail "the AOT cache cannot be trained, see $OUT/aot.log"
EXTRACTED=target/aot/$(basename "$JAR")

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

answer_read() { # subject, round, arguments of java…
    answer "$1" "$2" '/reactions?namespace_id=posts&entity_id=hot-1&user_id=user-1' "${@:3}" \
        --spring.datasource.url="$POSTGRES" --spring.data.redis.url="$REDIS"
}

measure() {
    turn answer empty "$1" / -jar "$OUT"/empty/empty.jar
    turn answer_read service "$1" -jar "$JAR"
    turn answer_read cached "$1" -XX:AOTCache=target/aot/ovation.aot -jar "$EXTRACTED"
}
rounds
draw empty
draw service
draw cached

report "Start to first answer" ratio=first_answer_s/empty "goal=cached:first_answer_s/empty<=1.2"
