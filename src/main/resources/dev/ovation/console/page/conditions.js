/* The constraints of the namespaces, and the reactions that a season or an audience restricts. */

import { get } from "./api.js";
import { badge, h, table, time } from "./dom.js";

const MOST = 200;

/** Ids that differ in the invisible U+FE0F are one reaction. */
const key = (id) => id.replaceAll("\ufe0f", "");

/** The constraints in CEL, in the order in which they are judged. */
export function constraints({ namespaces }) {
  const rows = namespaces.flatMap((namespace) =>
    (namespace.constraints ?? []).map((each) => [namespace.id, each.id, h("code", {}, each.expression), each.message]),
  );
  if (rows.length === 0) return h("p", {}, "No namespace has constraints of its own.");
  return table("Constraints", ["Namespace", "Constraint", "Condition of a change", "Message of a refusal"], rows);
}

function state({ from, until }) {
  const now = Date.now();
  if (until && new Date(until) <= now) return badge("over", "idle");
  return from && new Date(from) > now ? badge("later", "busy") : badge("now", "good");
}

function audience(each) {
  if (!each) return "all";
  const { age, ...others } = each;
  const words = Object.entries(others).map(([name, values]) => `${name} ${values.join(", ")}`);
  return [age && `age ${age.min ?? 0} to ${age.max ?? "any"}`, ...words]
    .filter(Boolean)
    .map((text) => h("div", {}, text));
}

const row = (set, { id, available }, place, effect = state(available)) => [
  set,
  id,
  effect,
  available.from ? time(available.from) : "always",
  available.until ? time(available.until) : "for ever",
  audience(available.audience),
  place,
];

/** A seasonal reaction has no effect without its set, and beside a reaction of the same id. */
function effectOf({ reaction_set_id: set, reaction }, { reaction_sets: sets, reactions }) {
  const hasEffect = sets.some((each) => each.id === set) && !reactions.some((each) => key(each.id) === key(reaction.id));
  return hasEffect ? state(reaction.available) : badge("no effect", "bad");
}

/** The restricted reactions of the lists, and those that were added beside them. */
export async function seasons(configuration, signal) {
  const { reactions: added, next_cursor: more } = await get("configuration/seasonal", { limit: MOST }, signal);
  const restricted = new Map(
    configuration.reactions.filter((each) => each.available).map((each) => [key(each.id), each]),
  );
  const rows = [
    ...configuration.reaction_sets.flatMap((set) =>
      set.reaction_ids
        .filter((id) => restricted.has(key(id)))
        .map((id) => row(set.id, restricted.get(key(id)), "lists")),
    ),
    ...added.map((each) => row(each.reaction_set_id, each.reaction, "API", effectOf(each, configuration))),
  ];
  if (rows.length === 0) return h("p", {}, "No reaction is restricted to a season or an audience.");
  const headings = ["Reaction set", "Reaction", "Season", "From", "Until", "Audience", "Defined in"];
  return [
    table("Seasons and audiences", headings, rows),
    more && h("p", { class: "note" }, `The first ${MOST} of the API are shown.`),
  ].filter(Boolean);
}
