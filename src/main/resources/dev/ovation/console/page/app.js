/* The frame of the console: its views and the dialog for the key. */

import { credential } from "./api.js";
import { failure, h } from "./dom.js";
import * as entities from "./entities.js";
import * as jobs from "./jobs.js";
import * as overview from "./overview.js";
import * as rules from "./rules.js";
import * as versions from "./versions.js";

const VIEWS = { overview, rules, versions, jobs, entities };

const main = document.getElementById("main");
const dialog = document.getElementById("key-dialog");
const input = document.getElementById("key");
const reason = document.getElementById("key-problem");

let shown = new AbortController();
let declined = false;

function show() {
  shown.abort();
  shown = new AbortController();
  const asked = location.hash.slice(1);
  const name = Object.hasOwn(VIEWS, asked) ? asked : "overview";
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const { title } = VIEWS[name];
  document.title = `${title} – Ovation console`;
  const place = h("div");
  main.replaceChildren(h("h1", {}, title), place);
  VIEWS[name].show(place, shown.signal);
}

function ask(problem) {
  reason.replaceChildren(...(problem ? [failureWithoutButton(problem)] : []));
  if (dialog.open) return;
  input.value = credential.key;
  dialog.showModal();
  input.select();
}

function failureWithoutButton(problem) {
  const shownProblem = failure(problem);
  shownProblem.removeAttribute("role"); // the place around it is an alert
  shownProblem.querySelector("button")?.remove();
  return shownProblem;
}

document.getElementById("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const key = input.value.trim();
  if (/[^\x21-\x7e]/.test(key)) {
    reason.replaceChildren(h("div", { class: "problem" }, "A key has letters, digits and signs of ASCII only."));
    return;
  }
  credential.key = key;
  dialog.close();
  declined = false;
  show();
});
dialog.addEventListener("cancel", () => (declined = true));
document.getElementById("cancel-key").addEventListener("click", () => {
  declined = true;
  dialog.close();
});
document.getElementById("change-key").addEventListener("click", () => ask());
addEventListener("key-wanted", (event) => ask(event.detail));
addEventListener("key-refused", (event) => declined || ask(event.detail));
addEventListener("hashchange", () => {
  show();
  main.focus();
});
show();
