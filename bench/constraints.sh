#!/usr/bin/env bash
# POSTs answered after their commit, each by a new user, to 300 entities that have 10 reactors at the start of
# each round: of a namespace without constraints of its own, and of the same namespace with three that read
# stored state (docs/rules.md). Both are namespaces of one service. Every user is new and every entity shows one
# kind, so a user's last reaction is null and a total is the sum of one count.
. "$(dirname "$0")/lib.sh"
WARMUP=30
CONNECTIONS=64
# Processor time per request of the program, of Redis and of Postgres.
STORES=yes
options "$@"

rm -rf "$OUT/constraints-rules"
cp -r config "$OUT/constraints-rules"
cat >>"$OUT/constraints-rules/namespaces.yaml" <<'YAML'

- id: judged
  reaction_set_id: emotions
  max_uniq_reactions: 12
  mutually_exclusive_reactions:
    - [👍, 👍🏻, 👍🏽, 👍🏿, 👎]
  constraints:
    - id: three-each
      expression: size(user.reactions) + size(added) - size(removed) <= 3
      message: you may have three reactions here
    - id: not-so-fast
      expression: user.last_reacted_at == null || now - user.last_reacted_at >= duration("2s")
      message: wait two seconds between two reactions
    - id: crowded
      expression: entity.total + size(added) - size(removed) <= 100000000
      message: this entity has enough reactions
YAML

start_servers
start_service service --ovation.config-dir="$OUT/constraints-rules"
for ((round = 0; round <= ROUNDS; round++)); do
    fill posts "few-$round-" 1 300 10
    fill judged "few-$round-" 1 300 10
done

post() { # subject, namespace, round
    turn closed "$1" "$3" service \
        'POST /reactions {"namespace_id":"'"$2"'","entity_id":"few-'"$3"'-{1-300}","user_id":"u-{n}","reaction_id":"👍"}'
}

measure() { # round
    post plain posts "$1"
    post "three constraints" judged "$1"
}
rounds

report "Durable POST with three constraints" ratio=all_us/plain ratio=redis_us/plain ratio=requests_per_s/plain \
    "goal=three constraints:all_us/plain<=1.15"
