/* The rules in force, the files' difference, and an editor with a dry run. */

import { call, get } from "./api.js";
import { constraints, seasons } from "./conditions.js";
import { badge, h, load, section, table, time } from "./dom.js";
import { preview } from "./impact.js";

export const title = "Rules";

const WIDEST = 110;

/** JSON with one line for each short value. */
function pretty(value, indent = "") {
  const short = JSON.stringify(value);
  if (typeof value !== "object" || value === null || (indent.length > 1 && short.length < WIDEST)) return short;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => pretty(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pretty(each, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return parts.length === 0 ? open + close : `${open}\n${parts.map((each) => inner + each).join(",\n")}\n${indent}${close}`;
}

function inForce(rules) {
  return [
    h("p", {}, `Version ${rules.version}, from ${rules.source}, in force since `, time(rules.since), "."),
    table(
      "Namespaces",
      ["Namespace", "Reaction set", "Kinds on an entity", "Reactions of a user", "Exclusive groups"],
      rules.namespaces.map((each) => [
        each.id,
        each.reaction_set_id,
        `at most ${each.max_uniq_reactions}`,
        each.max_reactions_per_user === undefined ? "no limit" : `at most ${each.max_reactions_per_user}`,
        each.mutually_exclusive_reactions.map((group) => h("div", {}, group.join("  "))),
      ]),
    ),
  ];
}

function files({ files: state }, again, signal) {
  const result = h("div");
  const dryRun = () =>
    load(result, async () => {
      const { content } = await call("POST", "actuator/refresh", { query: { dry_run: true }, signal });
      return preview(content, "Apply the files", async (acceptLoss) => {
        await call("POST", "actuator/refresh", {
          query: { accept_loss: acceptLoss, files_hash: content.files_hash },
          headers: { "If-Match": `"${content.version}"` },
        });
        again("The files are in force.");
      });
    });
  return [
    h(
      "p",
      {},
      h("code", {}, state.directory),
      " ",
      state.differ ? badge("differ from the rules in force", "bad") : badge("equal the rules in force", "good"),
    ),
    state.violations && h("ul", {}, state.violations.map((each) => h("li", {}, each))),
    state.differ && h("p", { class: "actions" }, h("button", { type: "button", onclick: dryRun }, "Show the difference")),
    result,
  ].filter(Boolean);
}

function editor({ content, headers }, again) {
  const original = pretty({
    namespaces: content.namespaces,
    reaction_sets: content.reaction_sets,
    reactions: content.reactions,
  });
  const tag = headers.get("ETag");
  const result = h("div");
  const text = h("textarea", {
    id: "configuration",
    rows: 20,
    spellcheck: "false",
    wrap: "off",
    oninput: () => result.replaceChildren(),
  });
  text.value = original;
  const post = (query) =>
    call("POST", "configuration", {
      query,
      headers: { "Content-Type": "application/json", "If-Match": tag },
      body: text.value,
    });
  const dryRun = () =>
    load(result, async () => {
      const asked = text.value;
      const { content: outcome } = await post({ dry_run: true });
      if (asked !== text.value) return h("p", { role: "status" }, "The text has changed; repeat the dry run.");
      return preview(outcome, "Apply", async (acceptLoss) => {
        await post({ accept_loss: acceptLoss });
        again("The change is in force.");
      });
    });
  return [
    h("p", {}, h("label", { for: "configuration" }, "The whole configuration as JSON")),
    text,
    h(
      "p",
      { class: "actions" },
      h("button", { type: "button", class: "main", onclick: dryRun }, "Dry run"),
      h("button", { type: "button", onclick: () => again("") }, "Start again from the rules in force"),
    ),
    result,
  ];
}

export function show(place, signal) {
  const news = h("p", { role: "status", class: "news" });
  const rules = h("div");
  const state = h("div");
  const conditions = h("div");
  const edit = h("div");

  async function again(message) {
    news.textContent = message;
    const read = get("actuator/namespaces", {}, signal);
    const configuration = call("GET", "configuration", { signal });
    await Promise.all([
      load(rules, async () => inForce(await read)),
      load(state, async () => files(await read, again, signal)),
      load(conditions, async () => {
        const { content } = await configuration;
        return [constraints(content), await seasons(content, signal)];
      }),
      load(edit, async () => editor(await configuration, again)),
    ]);
  }

  place.append(
    news,
    section("In force", rules),
    section("Constraints, seasons and audiences", conditions),
    section("Files of the instance", state),
    section("Edit", edit),
  );
  again("");
}
