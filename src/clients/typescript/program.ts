// Calls the service with the generated client. Arguments: address of the service, id of an entity.
import {
  BatchOperation,
  BatchOperationOpEnum,
  Configuration,
  CrowdsApi,
  ListReactorsOrderEnum,
  MalformedRequestProblemFromJSON,
  OneReaction,
  ReactionsApi,
  RefusalProblemFromJSON,
  ResponseError,
} from "./client/index.js";
import { randomUUID } from "node:crypto";

const [address, entityId] = process.argv.slice(2) as [string, string];
const configuration = new Configuration({ basePath: address });
const reactions = new ReactionsApi(configuration);
const crowds = new CrowdsApi(configuration);
const key = randomUUID();

function reaction(userId: string, reactionId: string, of = entityId): OneReaction {
  return { namespaceId: "posts", entityId: of, userId, reactionId };
}

// A repeated key answers the first result and changes nothing.
for (const attempt of ["add", "retry"]) {
  const added = await reactions.addReaction({
    oneReaction: reaction("ann", "👍"),
    idempotencyKey: key,
    prefer: "return=representation",
  });
  console.log(attempt, added.outcome, ...(added.added ?? []));
}

try {
  await reactions.addReaction({ oneReaction: reaction("ann", "👎") });
} catch (error) {
  if (!(error instanceof ResponseError)) throw error;
  const refusal = RefusalProblemFromJSON(await error.response.json());
  console.log("conflict", error.response.status, refusal.code, refusal.outcome, ...(refusal.conflicting ?? []));
}

try {
  await reactions.addReaction({ oneReaction: reaction("ann", "👍", "é".repeat(200)) });
} catch (error) {
  if (!(error instanceof ResponseError)) throw error;
  const malformed = MalformedRequestProblemFromJSON(await error.response.json());
  console.log("malformed", malformed.violations[0]?.field);
}

const set = await reactions.setReactions({
  wholeSet: { namespaceId: "posts", entityId, userId: "ann", reactionIds: ["👎"] },
  idempotencyKey: randomUUID(),
});
console.log("set", set.outcome, ...set.added, ...set.removed);

const again = await reactions.queryReactions({
  screen: {
    namespaceId: "posts",
    viewerId: "ann",
    details: true,
    entities: [{ entityId, version: set.entity.version }],
  },
});
console.log("screen unchanged", again.entities[0]?.unchanged);
const seen = await reactions.queryReactions({
  screen: { namespaceId: "posts", viewerId: "ann", reactors: 2, entities: [{ entityId }] },
});
const entity = seen.entities[0];
console.log(
  "screen",
  entity?.reactionsCount?.[0]?.count,
  ...(entity?.userReactions?.reactions ?? []),
  entity?.reactors?.[0]?.userId,
);

function operation(userId: string): BatchOperation {
  return { op: BatchOperationOpEnum.Add, namespaceId: "posts", entityId, userId, reactionId: "👎" };
}
const answer = await reactions.writeReactions({
  batch: { operations: [operation("ben"), operation("ann")] },
  idempotencyKey: randomUUID(),
});
console.log("batch", ...answer.results.flatMap((each) => [each.outcome, ...(each.problem ? [each.problem.code] : [])]));

let cursor: string | undefined;
do {
  const page = await crowds.listReactors({
    namespaceId: "posts",
    entityId,
    order: ListReactorsOrderEnum.Oldest,
    limit: 1,
    cursor,
  });
  page.users.forEach((each) => console.log("page", each.userId));
  cursor = page.nextCursor;
} while (cursor !== undefined);
