/* The entities with the highest counts, the findings of the audit, and their repair. */

import { call, get } from "./api.js";
import { badge, confirmed, h, load, number, section, table, time } from "./dom.js";

export const title = "Entities";

async function top(namespace, reaction, signal) {
  const query = { namespace_id: namespace, reaction_id: reaction, limit: 50 };
  const { entities, as_of: asOf } = await get("entities/top", query, signal);
  if (entities.length === 0) return h("p", {}, "No entity has such reactions.");
  return [
    table(
      "Entities with the highest counts",
      ["Rank", "Entity", "Reactions"],
      entities.map((each, index) => [String(index + 1), each.entity_id, number(each.count)]),
    ),
    h("p", { class: "note" }, "As of ", time(asOf), "."),
  ];
}

const entitiesOf = (drift) => new Set(drift.map((each) => JSON.stringify([each.namespace_id, each.entity_id]))).size;

const entityCount = (count) => (count === 1 ? "1 entity" : `${number(count)} entities`);

/** The findings; those of a repair say whether their entity is consistent now. */
const driftTable = (drift, repair) =>
  table(
    repair ? "Repairs" : "Drift",
    ["Namespace", "Entity", "Wrong in", "Kind", "Reaction or user", "Expected", "Found", ...(repair ? ["Repair"] : [])],
    drift.map((each) => [
      each.namespace_id,
      each.entity_id,
      each.store,
      each.kind,
      each.reaction_id ?? each.user_id ?? "",
      each.expected,
      each.found,
      ...(repair ? [each.repaired ? badge("repaired", "good") : badge("not repaired", "bad")] : []),
    ]),
  );

async function audit(query, signal) {
  const { content } = await call("POST", "actuator/audit", { query, signal });
  const { checked, skipped, drift } = content;
  return [
    h("p", { role: "status" }, `${number(checked)} audited now, ${number(skipped)} skipped, ${number(drift.length)} findings.`),
    drift.length === 0 ? h("p", {}, "No drift: counters, rows and Redis agree.") : driftTable(drift, false),
    drift.length > 0 && repairForm(query.namespace_id, entitiesOf(drift)),
  ].filter(Boolean);
}

/** An audit with repair looks first at the entities that the instance found in drift. */
function repairForm(namespace, count) {
  const result = h("div");
  const repair = async () => {
    const query = { namespace_id: namespace, sample: count, repair: true };
    const { checked, skipped, drift } = (await call("POST", "actuator/audit", { query })).content;
    if (drift.length === 0) {
      const audited = `no drift in ${number(checked)} audited entities, ${number(skipped)} skipped. Repeat the audit.`;
      return h("p", { role: "status" }, `Nothing was repaired: ${audited}`);
    }
    const repaired = entitiesOf(drift.filter((each) => each.repaired));
    return [
      h("p", { role: "status" }, `${number(repaired)} of ${entityCount(entitiesOf(drift))} repaired.`),
      driftTable(drift, true),
    ];
  };
  return h(
    "div",
    {},
    h("p", {}, "A repair takes the users' reactions as correct: it corrects counters, and loads Redis again, beside writes."),
    h(
      "p",
      { class: "actions" },
      confirmed(`Repair ${entityCount(count)}`, "Really repair?", () => load(result, repair)),
    ),
    result,
  );
}

function form(submit, ...fields) {
  return h(
    "form",
    {
      class: "fields",
      onsubmit: (event) => {
        event.preventDefault();
        submit();
      },
    },
    ...fields,
  );
}

export function show(place, signal) {
  const ranking = h("div");
  const findings = h("div");
  const all = h("div");

  load(all, async () => {
    const { namespaces } = await get("actuator/namespaces", {}, signal);
    const options = () => namespaces.map((each) => h("option", { value: each.id }, each.id));
    const namespace = h("select", { id: "top-namespace" }, options());
    const reaction = h("input", { id: "top-reaction", size: 12 });
    const audited = h("select", { id: "audit-namespace" }, h("option", { value: "" }, "all"), options());
    const sample = h("input", { id: "audit-sample", type: "number", min: 1, max: 1000, value: 100, required: true });
    const list = () => load(ranking, () => top(namespace.value, reaction.value, signal));
    const look = () => load(findings, () => audit({ namespace_id: audited.value, sample: sample.value }, signal));
    if (namespaces.length > 0) list();
    return [
      section(
        "Top entities",
        form(
          list,
          h("label", { for: "top-namespace" }, "Namespace "),
          namespace,
          h("label", { for: "top-reaction" }, "Reaction (empty: all) "),
          reaction,
          h("button", { class: "main" }, "Show"),
        ),
        ranking,
      ),
      section(
        "Audit",
        h("p", {}, "The instance audits the next entities and names drift that it found. An audit repairs nothing. Repair corrects its findings."),
        form(
          look,
          h("label", { for: "audit-namespace" }, "Namespace "),
          audited,
          h("label", { for: "audit-sample" }, "Entities "),
          sample,
          h("button", { class: "main" }, "Audit"),
        ),
        findings,
      ),
    ];
  });
  place.append(all);
}
