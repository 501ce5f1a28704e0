#!/usr/bin/env bash
# The requirements of a load, by the figures of docs/scaling.md: docs/scaling.sh <input>=<number>…
# Needs awk and nothing else. Inputs, with their defaults:
#   writes=0       POSTs a second
#   lookups=0      percent of them whose user must be looked up on a high-cardinality entity
#   keyed=100      percent of them with an Idempotency-Key
#   reads=0        GETs with a user a second
#   counts=0       GETs of counts alone a second
#   hot=0          entities in Redis
#   reactors=10    users who reacted, of each hot entity
#   entities=0     stored entities
#   kinds=3        kinds of reactions on each of them
#   reactions=0    stored reactions
#   answers=24     hours that answers to idempotency keys are kept
#   events=0       days that events are kept; 0: there is no consumer
#   instances=0    instances; 0: as few as carry the load, at least 2 of a cell
#   processors=2   processors of an instance
#   postgres=16    processors of a Postgres
#   busy=60        percent to which processors may be busy
set -euo pipefail
if (($# == 0)) || [[ $1 == -* ]]; then
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit 2
fi
LC_ALL=C exec awk -v script="$0" '
function refuse(text) {
    print "scaling: " text > "/dev/stderr"
    failed = 2
    exit failed
}
# The figure of a name.
function f(name) {
    if (!(name in figures)) refuse("the page has no figure " name)
    return figures[name]
}
function ceiling(value,   whole) {
    whole = int(value)
    return whole < value ? whole + 1 : whole
}
function short(value) {
    return sprintf(value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value)
}
function percent(value) { return sprintf("%.0f %%", value * 100) }
# Seconds of processor time in a second that the requests take of a process.
function busy_of(process,   writes) {
    writes = (1 - v["lookups"] / 100) * f("post." process) + v["lookups"] / 100 * f("lookup." process)
    return (v["writes"] * writes + reads(process)) / 1e6
}
function reads(process) {
    if (process == "postgres") return 0
    return v["reads"] * f("get." process) + (process == "service" ? v["counts"] * f("counts.service") : 0)
}
# Bytes of Redis of a hot entity, by the next size that was measured.
function hot_bytes(   size) {
    for (size = 1; size <= 1000; size *= 10)
        if (v["reactors"] <= size) return f("hot." size)
    return f("hot.partial")
}
BEGIN {
    while ((getline line < script) > 0)
        if (line ~ /^#   [a-z]+=[0-9]+ /) {
            split(line, part, /[ =]+/)
            v[part[2]] = part[3]
        }
    for (i = 1; i < ARGC - 1; i++) {
        split(ARGV[i], part, "=")
        if (!(part[1] in v)) refuse("there is no input " part[1] "; without inputs the script lists them")
        if (ARGV[i] !~ /^[a-z]+=[0-9]+(\.[0-9]+)?$/) refuse(part[1] " must be a number of 0 or more: " ARGV[i])
        v[part[1]] = part[2] + 0
        ARGV[i] = ""
    }
    split("lookups keyed busy", part, " ")
    for (i in part) if (v[part[i]] > 100) refuse(part[i] " is a percentage, at most 100")
    split("processors postgres busy", part, " ")
    for (i in part) if (v[part[i]] == 0) refuse(part[i] " must be above 0")
}
/^\| `[a-z]+\.[a-z0-9]+` \|/ {
    split($0, cell, /[`|]/)
    gsub(/,/, "", cell[5])
    figures[cell[3]] = cell[5] + 0
}
END {
    if (failed) exit failed
    may = v["busy"] / 100
    service = busy_of("service"); redis = busy_of("redis"); postgres = busy_of("postgres")
    redis_share = redis / may
    postgres_share = postgres / (v["postgres"] * may)
    first = redis_share >= postgres_share ? "Redis" : "Postgres"
    share = redis_share >= postgres_share ? redis_share : postgres_share
    cells = share > 1 ? ceiling(share) : 1
    idle = f("idle.service") / 1000
    if (v["processors"] * may <= idle) refuse("an instance of so few processors is busy without a request")
    n = v["instances"]
    if (n == 0) n = ceiling(service / (v["processors"] * may - idle))
    if (v["instances"] == 0 && n < 2 * cells) n = 2 * cells
    taken = service + n * idle

    printf "service    %s processors busy: %d instances of %s processors, %s of what they may be\n",
        short(taken), n, v["processors"], percent(taken / (n * v["processors"] * may))
    printf "Redis      %s processors busy, %s of what its core may be; %s GB for hot entities\n",
        short(redis), percent(redis_share), short(v["hot"] * hot_bytes() / 1e9)
    printf "Postgres   %s processors busy, %s of what %s processors may be\n",
        short(postgres), percent(postgres_share), v["postgres"]
    keys = v["writes"] * v["keyed"] / 100 * (v["answers"] + f("answers.period")) * 3600
    logged = v["writes"] * v["events"] * (1 + 1 / f("events.periods")) * 86400
    stored = v["entities"] * (f("disk.entity") + v["kinds"] * f("disk.counter"))
    printf "disk       %s GB of reactions, %s GB of entities, %s GB of answers, %s GB of events\n",
        short(v["reactions"] * f("disk.reaction") / 1e9), short(stored / 1e9),
        short(keys * f("disk.answer") / 1e9), short(logged * f("disk.event") / 1e9)
    printf "WAL        %s to %s MB a second\n",
        short(v["writes"] * f("wal.far") / 1e6), short(v["writes"] * f("wal.near") / 1e6)
    printf "sessions   %d of Postgres, %d of Redis\n",
        n * f("sessions.postgres"), n * f("sessions.redis")
    printf "cells      %d: %s is the first bound, at %s\n", cells, first, percent(share)
}' "$@" "$(dirname "$0")/scaling.md"
