/* What a change of the rules does, and the button that makes it. */

import { failure, h, number, table } from "./dom.js";

const KINDS = {
  "retired-reaction": "The reaction is no longer offered; it stays where it was given",
  "over-limit": "Entities show more kinds of reactions than the new limit",
  "newly-exclusive": "Users have reactions that exclude each other",
  "namespace-removed": "The namespace vanishes; its reactions stay stored",
};

const loses = (impact) => impact.some((each) => each.kind === "namespace-removed");

function impactTable(impact) {
  if (impact.length === 0) return h("p", {}, "No stored reaction is affected.");
  return table(
    "Impact",
    ["Namespace", "Impact", "Reaction", "Entities", "Users", "Reactions"],
    impact.map((each) => [
      each.namespace_id,
      KINDS[each.kind] ?? each.kind,
      each.reaction_id ?? "",
      number(each.entities),
      each.users === undefined ? "" : number(each.users),
      number(each.reactions) + (each.exact ? "" : " (estimated)"),
    ]),
  );
}

/** The differences between two versions; many of them are folded. */
export function changeList(changes) {
  const list = h("ul", { class: "plain" }, changes.map((each) => h("li", {}, each)));
  return changes.length <= 5 ? list : h("details", {}, h("summary", {}, `${changes.length} changes`), list);
}

/** The outcome of a dry run. `apply` makes the change, given whether the loss of namespaces is accepted. */
export function preview({ changes, impact }, label, apply) {
  if (changes.length === 0) return h("p", { role: "status" }, "Nothing would change.");
  const accept = h("input", { type: "checkbox" });
  const outcome = h("div");
  const button = h(
    "button",
    {
      type: "button",
      class: "main",
      onclick: async () => {
        button.disabled = true;
        try {
          await apply(accept.checked);
        } catch (problem) {
          if (!problem.title) throw problem;
          outcome.replaceChildren(failure(problem), ...(problem.impact ? [impactTable(problem.impact)] : []));
          button.disabled = needsConsent();
        }
      },
    },
    label,
  );
  const needsConsent = () => loses(impact) && !accept.checked;
  button.disabled = needsConsent();
  accept.addEventListener("change", () => (button.disabled = needsConsent()));
  return h(
    "div",
    { class: "preview", role: "status" },
    h("h3", {}, "Dry run"),
    h("p", {}, "Nothing has changed yet. The change would be:"),
    changeList(changes),
    impactTable(impact),
    loses(impact) &&
      h("p", {}, h("label", {}, accept, " I accept that namespaces with reactions vanish.")),
    h("p", { class: "actions" }, button),
    outcome,
  );
}
