#!/usr/bin/env bash
# Bytes on disk of a reaction in Postgres: a million rows (--largest) of random users on 300 entities, in
# transactions of 50 rows, as the relay writes them, into the tables as the service makes them. Beside them
# the bytes of an entity, of a counter, of the answer to an idempotency key and of a row of the log of changes,
# with their indexes, right after the insertion of a tenth as many rows.
. "$(dirname "$0")/lib.sh"
ROUNDS=1
options "$@"

start_servers
start_service service --ovation.audit.rate=0

helper Storage "$POSTGRES" "$LARGEST" | note "user_reaction" 1

report "Bytes on disk per reaction" "note=$LARGEST rows." "goal=user_reaction:bytes<=200"
