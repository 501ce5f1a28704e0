"""Calls the service with the generated client. Arguments: address of the service, id of an entity."""

import sys
import uuid

from openapi_client import (
    ApiClient,
    ApiException,
    Batch,
    BatchOperation,
    Configuration,
    CrowdsApi,
    OneReaction,
    ReactionsApi,
    Screen,
    ScreenItem,
    WholeSet,
)

address, entity = sys.argv[1:]
sys.stdout.reconfigure(encoding="utf-8")
client = ApiClient(Configuration(host=address))
reactions = ReactionsApi(client)
crowds = CrowdsApi(client)
key = str(uuid.uuid4())


def reaction(user, reaction_id, of=entity):
    return OneReaction(namespace_id="posts", entity_id=of, user_id=user, reaction_id=reaction_id)


# A repeated key answers the first result and changes nothing.
for attempt in ["add", "retry"]:
    added = reactions.add_reaction(reaction("ann", "👍"), idempotency_key=key, prefer="return=representation")
    print(attempt, added.outcome.value, *added.added)

try:
    reactions.add_reaction(reaction("ann", "👎"))
except ApiException as e:
    refusal = e.data
    print("conflict", e.status, refusal.code, refusal.outcome.value, *refusal.conflicting)

try:
    reactions.add_reaction(reaction("ann", "👍", "é" * 200))
except ApiException as e:
    print("malformed", e.data.violations[0].var_field)

wanted = WholeSet(namespace_id="posts", entity_id=entity, user_id="ann", reaction_ids=["👎"])
written = reactions.set_reactions(wanted, idempotency_key=str(uuid.uuid4()))
print("set", written.outcome.value, *written.added, *written.removed)

item = ScreenItem(entity_id=entity, version=written.entity.version)
screen = Screen(namespace_id="posts", viewer_id="ann", details=True, entities=[item])
unchanged = reactions.query_reactions(screen).entities[0]
print("screen", "unchanged", str(unchanged.unchanged).lower())
screen = Screen(namespace_id="posts", viewer_id="ann", reactors=2, entities=[ScreenItem(entity_id=entity)])
seen = reactions.query_reactions(screen).entities[0]
print("screen", seen.reactions_count[0].count, *seen.user_reactions.reactions, seen.reactors[0].user_id)


def operation(user):
    return BatchOperation(op="add", namespace_id="posts", entity_id=entity, user_id=user, reaction_id="👎")


batch = Batch(operations=[operation("ben"), operation("ann")])
results = reactions.write_reactions(batch, idempotency_key=str(uuid.uuid4())).results
print("batch", *[word for each in results for word in [each.outcome] + ([each.problem.code] if each.problem else [])])

cursor = None
while True:
    page = crowds.list_reactors("posts", entity, order="oldest", limit=1, cursor=cursor)
    for each in page.users:
        print("page", each.user_id)
    cursor = page.next_cursor
    if cursor is None:
        break
