#!/usr/bin/env bash
# The thesis' workload on its four strategies and on Ovation, all on one Postgres with copies of the
# same rows and the same JVM flags: its Table II with the numbers of this machine. A strategy whose
# users fell more than 3 turns behind is shown as "—", one that gave a wrong answer as "wrong", one
# that kept up but for errors or time-outs as "failed". Writes target/bench/strategies.md;
# target/bench/strategies has the result of each run.
# Options: --users "100 500 1000"  users at the same time
#          --strategies "…"        which of them
#          --turns N               measured, of a second each (default 60; the thesis: 240)
#          --warmup N              turns before those (default 60; with 10, services that share two
#                                  processors with their users still compile their code)
#          --rows N                elsewhere (default 1000000; the thesis: 10000000)
#          --rounds N              in turn forwards and backwards; medians are shown (default 2)
#          --pools "N …"           compares these numbers of connections to Postgres instead, of
#                                  all but Ovation
#          --profile               also a JFR recording and a flame graph of each run
#          -D…                     handed on to the simulation, as -Dkeepalive=false
. "$(dirname "$0")/lib.sh"

USERS="100 500 1000" TURNS=60 WARMUP=60 ROWS=1000000 ROUNDS=2 POOLS="" MORE=()
STRATEGIES="mvp runtime-join no-join async-join ovation"
while (($#)); do
    case $1 in
    --users) USERS=$2 && shift ;;
    --strategies) STRATEGIES=$2 && shift ;;
    --turns) TURNS=$2 && shift ;;
    --warmup) WARMUP=$2 && shift ;;
    --rows) ROWS=$2 && shift ;;
    --rounds) ROUNDS=$2 && shift ;;
    --pools) POOLS=$2 && shift ;;
    --profile) MORE+=(-Dprofile) ;;
    -D*) MORE+=("$1") ;;
    --help | -h) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit 0 ;;
    *) fail "unknown option $1, see --help" ;;
    esac
    shift
done

# The number is that of the strategies; what Ovation does with Postgres has settings of its own.
[[ -z $POOLS ]] || STRATEGIES=${STRATEGIES//ovation/}

alone
build
RUNS=$OUT/strategies
rm -rf "$RUNS" && mkdir -p "$RUNS"

run() { # users, round, strategy, pool or nothing
    local label=$3${4:+, $4 connections}
    local result=$RUNS/$1_$2_$label.json
    say "$1 users, round $2, $label"
    rm -f target/strategies/staleness.json
    # It fails on errors, which its result lists.
    "$JAVA" -Xmx1g --enable-native-access=ALL-UNNAMED \
        --add-opens=java.base/java.lang=ALL-UNNAMED \
        -Dlogback.configurationFile=simulation/gatling-logback.xml \
        -Dstrategy="$3" -Dstrategy.rows="$ROWS" -Dstrategy.pool="${4:-}" \
        -Dsimulation.config=thesis-1000 -Dsimulation.result="$result" -Dreads=entity \
        -Dusers="$1" -Dturns="$TURNS" -Dwarmup.turns="$WARMUP" -Dmax.lag=3 "${MORE[@]}" -cp "$CLASSES" \
        io.gatling.app.Gatling -s dev.ovation.simulation.ScrollSimulation -rf target/gatling -nr \
        >"$RUNS/$1_$2_$label.log" 2>&1 || true
    [[ -e $result ]] || fail "no result, see $RUNS/$1_$2_$label.log"
    [[ ! -e target/strategies/staleness.json ]] ||
        mv target/strategies/staleness.json "${result%.json}.staleness"
}

backwards() {
    local reversed=()
    for each in "$@"; do
        reversed=("$each" "${reversed[@]}")
    done
    echo "${reversed[@]}"
}

for ((round = 1; round <= ROUNDS; round++)); do
    order=$STRATEGIES
    ((round % 2)) || order=$(backwards $STRATEGIES)
    for users in $USERS; do
        for strategy in $order; do
            for pool in ${POOLS:-default}; do
                run "$users" "$round" "$strategy" ${pool#default}
            done
        done
    done
done

"$JAVA" -cp "$CLASSES" dev.ovation.strategies.Table "$RUNS" | tee "$OUT/strategies.md"
