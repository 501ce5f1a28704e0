#!/usr/bin/env bash
# Bytes of Redis that a hot entity takes, by its number of reactors (one reaction each, four kinds):
# what it adds to used_memory, and what MEMORY USAGE says of its two keys. Above 1024 reactions an
# entity is held partially: only users that were asked for, here one.
# Control: an entity of one reactor.
. "$(dirname "$0")/lib.sh"
ROUNDS=1
options "$@"

start_servers
start_service service --ovation.audit.rate=0

ENTITIES=1000
weigh() { # reactors, round
    helper RedisMemory "$REDIS" "${PORT[service]}" posts "r$1-$2-" $ENTITIES
}
fill posts warm- 1 $ENTITIES 1
helper RedisMemory "$REDIS" "${PORT[service]}" posts warm- $ENTITIES >/dev/null
for ((r = 1; r <= ROUNDS; r++)); do
    for reactors in 1 10 100 1000 2000; do
        fill posts "r$reactors-$r-" 1 $ENTITIES $reactors
        weigh $reactors "$r" | note "reactors $reactors" "$r"
    done
done

report "Bytes of Redis per hot entity" "ratio=used_memory_bytes/reactors 1"
