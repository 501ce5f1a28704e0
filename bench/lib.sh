# Shared by the benchmarks, which source it: builds what is missing, starts and stops servers and
# services, runs rounds, notes what they show. Everything is written below target/bench; whatever was
# started is stopped when the script ends, however it ends.
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
    echo "needs bash 4.4 or newer, this is $BASH_VERSION; on macOS: brew install bash" >&2
    exit 1
fi
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."

NAME=$(basename "$0" .sh)
OUT=target/bench
NOTES=$OUT/$NAME.tsv
PROFILE=
PIDS=()
TURNS=()
declare -A PORT PID
# A command that stops other servers, after all else.
AFTER=
# An API key of the services; one that asks for no credentials takes no notice of it.
KEY=none

usage() {
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    cat <<TEXT
Options: --seconds S      of each round of each subject (default $SECONDS_EACH)
         --rounds N       (default $ROUNDS)
         --warmup S       before the first round, for each subject (default $WARMUP)
         --connections N  kept connections of the load (default $CONNECTIONS)
         --rate N         requests a second, where the rate is constant (default $RATE)
         --largest N      entities or reactors, where there are many (default $LARGEST)
         --profile        also -Dprofile: a JFR recording and a flame graph of each service
TEXT
}

# Reads the options; the variables hold the script's defaults.
options() {
    : "${SECONDS_EACH:=5}" "${ROUNDS:=5}" "${WARMUP:=8}" "${CONNECTIONS:=32}" "${RATE:=2000}" "${LARGEST:=1000000}"
    while (($#)); do
        case $1 in
        --seconds) SECONDS_EACH=$2 && shift ;;
        --rounds) ROUNDS=$2 && shift ;;
        --warmup) WARMUP=$2 && shift ;;
        --connections) CONNECTIONS=$2 && shift ;;
        --rate) RATE=$2 && shift ;;
        --largest) LARGEST=$2 && shift ;;
        --profile | -Dprofile | -Dprofile=true) PROFILE=yes ;;
        --help | -h) usage && exit 0 ;;
        *) usage >&2 && exit 2 ;;
        esac
        shift
    done
    needs curl "see https://curl.se"
    alone
    build
    rm -f "$OUT/$NAME".* "$OUT/$NAME"-*.jfr "$OUT/$NAME"-*.html
}

# Benchmarks run one at a time, or they would measure each other.
alone() {
    mkdir -p "$OUT"
    if [[ -e $OUT/pid ]] && kill -0 "$(<"$OUT/pid")" 2>/dev/null; then
        fail "another benchmark runs, pid $(<"$OUT/pid")"
    fi
    echo $$ >"$OUT/pid"
}

say() { echo "$NAME: $*" >&2; }

fail() {
    say "$*"
    exit 1
}

needs() {
    command -v "$1" >/dev/null || fail "needs $1: $2"
}

# The packaged jar, the class path of the tests and the JDK that Maven's toolchain found.
build() {
    if [[ ! -e $OUT/built || -n $(find pom.xml src db -newer "$OUT/built" -print -quit) ]]; then
        say "building"
        rm -f "$OUT/built" target/ovation-*.jar
        ./mvnw -q -B -DskipTests package \
            dependency:build-classpath -Dmdep.outputFile="$OUT/classpath" -Dmdep.includeScope=test \
            exec:exec -Dexec.executable=java -Dexec.args="-XshowSettings:properties -version" \
            >"$OUT/build.log" 2>&1 || fail "the build failed, see $OUT/build.log"
        touch "$OUT/built"
    fi
    JAR=$(ls target/ovation-*.jar)
    JAVA=$(sed -n 's/^ *java\.home = //p' "$OUT/build.log" | tail -1)/bin/java
    CLASSES=target/test-classes:target/classes:$(<"$OUT/classpath")
}

# A helper of package dev.ovation.bench.
helper() {
    local class=$1
    shift
    "$JAVA" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx128m --enable-native-access=ALL-UNNAMED \
        -cp "$CLASSES" "dev.ovation.bench.$class" "$@"
}

# The load at a constant rate is a helper that has to be quick itself.
load() {
    "$JAVA" -XX:+UseSerialGC -Xmx512m -cp "$CLASSES" dev.ovation.bench.Load --connections="$CONNECTIONS" "$@"
}

# Runs a command in the background and waits until its log matches; killed at the end.
launch() { # name, what to wait for, command…
    local log=$OUT/$1.log pattern=$2 name=$1
    shift 2
    : >"$log" # now: an earlier run's would match at once
    "$@" >>"$log" 2>&1 &
    PID[$name]=$!
    PIDS+=($!)
    for ((i = 0; i < 1200; i++)); do
        grep -qE "$pattern" "$log" && return
        kill -0 "${PID[$name]}" 2>/dev/null || break
        sleep 0.1
    done
    tail -20 "$log" >&2
    fail "$name did not start, see $log"
}

# An empty Postgres and an empty Redis.
start_servers() {
    rm -rf "$OUT"/servers/{postgres,redis}
    launch servers '^redis ' "$JAVA" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m \
        --enable-native-access=ALL-UNNAMED -cp "$CLASSES" dev.ovation.bench.Servers \
        --ovation.embedded.directory="$OUT/servers"
    POSTGRES=$(sed -n 's/^postgres //p' "$OUT/servers.log")
    REDIS=redis://:$(<"$OUT/servers/redis/password")@$(sed -n 's/^redis redis:\/\///p' "$OUT/servers.log")
    export SPRING_DATASOURCE_USERNAME=postgres SPRING_DATASOURCE_PASSWORD
    SPRING_DATASOURCE_PASSWORD=$(<"$OUT/servers/postgres/password")
    PID[postgres]=$(head -1 "$OUT/servers/postgres/data/postmaster.pid")
    PID[redis]=$(<"$OUT/servers/redis/redis.pid")
}

# The flags of the image, and those of a profile.
flags() { # name
    local recording="filename=$OUT/$NAME-$1.jfr,settings=profile"
    [[ $(uname) != Linux ]] || recording+=",jdk.CPUTimeSample#enabled=true"
    echo "@docker/jvm.options"
    [[ -z $PROFILE ]] || echo "-XX:StartFlightRecording=$recording"
    [[ -z $PROFILE ]] || echo "-XX:FlightRecorderOptions=stackdepth=256"
}

# Starts a program that serves HTTP with Tomcat; its port is ${PORT[name]}.
start_tomcat() { # name, arguments of java…
    local name=$1
    shift
    launch "$name" 'Tomcat started on port' "$JAVA" $(flags "$name") "$@" --server.port=0
    PORT[$name]=$(sed -nE 's/.*Tomcat started on port ([0-9]+).*/\1/p' "$OUT/$name.log" | head -1)
}

is_up() { echo "\"$1\":\{(\"details\":\{[^}]*\},)?\"status\":\"UP\""; }

# The packaged service on the servers; returns when it takes writes.
start_service() { # name, settings…
    local name=$1
    shift
    start_tomcat "$name" -jar "$JAR" --spring.datasource.url="$POSTGRES" \
        "--spring.data.redis.${REDIS_SETTING:-url}=$REDIS" "$@"
    for ((i = 0; i < 1200; i++)); do
        health=$(curl -s -H "Authorization: Bearer $KEY" \
            "http://127.0.0.1:${PORT[$name]}/actuator/health" || true)
        [[ $health =~ $(is_up redis) && $health =~ $(is_up relay) ]] && return
        sleep 0.1
    done
    fail "$name is not ready: $health"
}

# The same, which asks for credentials: those that Credentials makes.
start_guarded() { # name, settings…
    local name=$1 issuer=spring.security.oauth2.resourceserver.jwt
    shift
    helper Credentials "$OUT/access"
    KEY=$(head -1 "$OUT/access/keys")
    start_service "$name" --ovation.access.keys="$OUT/access/keys.yaml" \
        --$issuer.issuer-uri=https://issuer.invalid --$issuer.audiences=ovation \
        --$issuer.public-key-location="file:$OUT/access/public.pem" "$@"
    head -1 "$OUT/access/keys" >"$OUT/access/key"
}

# The control: a servlet that answers "pong" on the same Tomcat with the same settings and flags,
# see EmptyHandler. GET /ping of the service itself is shown beside it.
start_empty() {
    start_tomcat empty -cp "$CLASSES" dev.ovation.bench.EmptyHandler
}

# The second control: the thesis' fastest strategy on Postgres alone, in a database of its own on the
# same Postgres, with one reaction on each of the given entities at first.
fill_no_join() { # namespace, prefix, entities
    NO_JOIN=${POSTGRES%/*}/no_join
    helper Sql "$POSTGRES" "create database no_join"
    "$JAVA" -cp "$CLASSES" dev.ovation.strategies.Stored "$NO_JOIN" no-join "$@" 👍 >"$OUT/stored.log" ||
        fail "no-join cannot be filled, see $OUT/stored.log"
}

start_no_join() { # name, connections to Postgres
    start_tomcat "$1" -cp "$CLASSES" dev.ovation.strategies.StrategyApplication \
        --strategies.name=no-join --strategies.pool="$2" --spring.datasource.url="$NO_JOIN"
}

# Ends one program in order; a profile becomes a flame graph.
stop() { # name
    kill "${PID[$1]}" 2>/dev/null || true
    wait "${PID[$1]}" 2>/dev/null || true
    unset "PID[$1]"
    draw "$1"
}

draw() { # name
    [[ -n $PROFILE && -e $OUT/$NAME-$1.jfr ]] || return 0
    helper FlameGraph "$OUT/$NAME-$1.jfr" "$OUT/$NAME-$1.html"
    say "profile: $OUT/$NAME-$1.jfr, $OUT/$NAME-$1.html"
}

stop_all() {
    local status=$?
    trap '' INT TERM
    unset "PID[postgres]" "PID[redis]" "PID[standby]"
    for name in "${!PID[@]}"; do
        [[ $name == servers ]] || stop "$name"
    done
    [[ -z ${PID[servers]:-} ]] || stop servers
    for pid in "${PIDS[@]}"; do
        kill -9 "$pid" 2>/dev/null || true
    done
    [[ -z ${AFTER:-} ]] || $AFTER >/dev/null 2>&1 || true
    [[ $(cat "$OUT/pid" 2>/dev/null) != $$ ]] || rm "$OUT/pid"
    exit "$status"
}
trap stop_all EXIT
trap 'exit 130' INT TERM

# Notes measures from standard input (name, tabulator, value; other lines are logs); round 0 is the
# warm-up.
note() { # subject, round
    { grep -E $'^[a-z0-9_]+\t' || fail "nothing was measured"; } | while IFS=$'\t' read -r measure value; do
        [[ $measure == errors && $value != 0 && $value != 0.0 ]] && say "$1, round $2: $value errors"
        (($2 == 0)) || printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$measure" "$value" >>"$NOTES"
    done
}

# Processor time in hundredths of a second; empty where the system does not show it. That of Postgres
# and of a standby is the sum of all its processes, ended ones included.
ticks() { # name
    [[ -r /proc/${PID[$1]}/stat ]] || return 0
    { cat /proc/[0-9]*/stat 2>/dev/null || true; } | awk -v pid="${PID[$1]}" -v name="$1" '
        { own = $1 == pid; sub(/.*\) /, "") }
        own { ticks += $12 + $13 }
        name ~ /^(postgres|standby)$/ && own { ticks += $14 + $15 }
        name ~ /^(postgres|standby)$/ && $2 == pid { ticks += $12 + $13 }
        END { print ticks }'
}

# One round with wrk, as many requests as go through; see load.lua for the form of requests. Beside
# wrk's measures the processor time that the program takes for each request, and with STORES=yes that
# of Redis, of Postgres and of all three. With LEAD=seconds the load begins that long before the measure.
closed() { # subject, round, program, request…
    local subject=$1 round=$2 program=$3 port=${PORT[$3]} seconds=$SECONDS_EACH name
    local -A before=()
    shift 3
    ((round > 0)) || seconds=$WARMUP
    needs wrk "on Debian and Ubuntu: apt-get install wrk; on macOS: brew install wrk"
    say "round $round, $subject"
    ((round == 0 || ${LEAD:-0} == 0)) || press "$LEAD" "$port" "$@"
    for name in "$program" ${STORES:+redis postgres} ${PID[standby]:+standby}; do
        before[$name]=$(ticks "$name")
    done
    press "$seconds" "$port" "$@"
    : >"$OUT/cpu.log"
    if [[ -n ${before[$program]} ]]; then
        for name in "${!before[@]}"; do
            echo "$name $(($(ticks "$name") - before[$name]))"
        done | awk -v made="$(sed -n 's/^made //p' "$OUT/wrk.log")" -v program="$program" '
            { us = $2 * 10000 / made; all += us }
            { printf "%s_us\t%.1f\n", $1 == program ? "cpu" : $1, us }
            END { if (NR > 1) printf "all_us\t%.1f\n", all }' >"$OUT/cpu.log"
    fi
    cat "$OUT/wrk.log" "$OUT/cpu.log" | note "$subject" "$round"
}

press() { # seconds, port, request…
    local seconds=$1 port=$2
    shift 2
    wrk -t1 -c"$CONNECTIONS" -d"${seconds}s" --timeout 10s -s bench/load.lua \
        "http://127.0.0.1:$port" -- "$@" >"$OUT/wrk.log" || fail "see $OUT/wrk.log"
}

# Another round, whose requests present the credentials in a file by turns.
presenting() { # file below target/bench/access, command…
    local -x CREDENTIALS=$OUT/access/$1
    shift
    "$@"
}

# One round at the constant rate RATE; see Load for the arguments.
constant() { # subject, round, ports, arguments…
    local subject=$1 round=$2 ports=$3 seconds=$SECONDS_EACH
    shift 3
    ((round > 0)) || seconds=$WARMUP
    say "round $round, $subject"
    load --ports="$ports" --rate="$RATE" --seconds="$seconds" "$@" | note "$subject" "$round"
}

# The same load in one process for all rounds; each slice of it takes no start of a process.
start_slices() { # ports, arguments…
    local ports=$1
    shift
    coproc SLICES {
        exec "$JAVA" -XX:+UseSerialGC -Xmx512m -cp "$CLASSES" dev.ovation.bench.Load \
            --connections="$CONNECTIONS" --ports="$ports" --rate="$RATE" --slices "$@" \
            2>"$OUT/slices.log"
    }
    PIDS+=("$SLICES_PID")
    # Copies, because a subshell does not have those of a coprocess.
    exec {SLICES_FROM}<&"${SLICES[0]}" {SLICES_TO}>&"${SLICES[1]}"
}

slice() { # subject, round
    local subject=$1 round=$2 line
    say "round $round, $subject"
    echo "$SECONDS_EACH" >&"$SLICES_TO"
    while read -r -u "$SLICES_FROM" line; do
        [[ $line != end ]] || break
        echo "$line"
    done | note "$subject" "$round"
}

# Runs a command when nothing else wants a processor.
idly() { # command…
    if chrt --idle 0 true 2>/dev/null; then
        exec chrt --idle 0 "$@"
    fi
    exec nice -n 19 "$@"
}

# Calls measure with 0 for the warm-up, then with each round. The subjects that it passes to turn run
# then, in reverse order in every second round, so that no subject always runs after the same other one.
rounds() {
    for ((r = 0; r <= ROUNDS; r++)); do
        TURNS=()
        measure "$r"
        for ((t = 0; t < ${#TURNS[@]}; t++)); do
            eval "${TURNS[r % 2 ? t : ${#TURNS[@]} - 1 - t]}"
        done
    done
}

turn() { # command…
    TURNS+=("$(printf '%q ' "$@")")
}

# Notes the time of all nodes for a request, and that of the busiest one as a multiple of its fair share.
share() { # subject, round, name of the sum
    (($2 > 0)) || return 0
    awk -F'\t' -v subject="$1" -v round="$2" -v name="$3" '
        $1 == subject && $2 == round && $3 ~ /^node[0-9]+_us$/ { n++; all += $4; if ($4 > most) most = $4 }
        END { if (n) printf "%s\t%.1f\nbusiest\t%.3f\n", name, all, most * n / all }' "$NOTES" | note "$1" "$2"
}

fill() { helper Fill "$POSTGRES" "$@"; }

report() { helper Report "$NOTES" "$@"; }
