/* Elements from data. Texts become text nodes, never markup: ids and errors are input of strangers. */

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}

/** An HTML element; attributes that begin with `on` are listeners. */
export const h = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/** An element of SVG. */
export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

/** A table that scrolls sideways where it is wider than the screen. Cells are texts, nodes or lists of them. */
export function table(label, headings, rows) {
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": label, tabindex: 0 },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, headings.map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((each) => h("td", {}, each))))),
    ),
  );
}

/** A section with a heading. */
export const section = (title, ...children) => h("section", {}, h("h2", {}, title), ...children);

/** A state as a word with a colour. */
export const badge = (text, kind) => h("span", { class: `badge ${kind}` }, text);

export const number = (value) => new Intl.NumberFormat("en").format(value);

export const time = (text) => h("time", { datetime: text, title: text }, new Date(text).toLocaleString());

function violation(each) {
  const place = [each.file ?? each.field, each.line].filter(Boolean).join(":");
  return h("li", {}, place && h("code", {}, place), place && " ", each.message ?? JSON.stringify(each));
}

/** A button that acts at its second click, once at a time; a double click is one. */
export function confirmed(label, question, act) {
  const button = h("button", { type: "button" }, label);
  let isBusy = false;
  button.addEventListener("blur", () => (button.textContent = label));
  button.addEventListener("click", async (event) => {
    if (isBusy || event.detail > 1) return;
    const isConfirmed = button.textContent === question;
    button.textContent = isConfirmed ? label : question;
    if (!isConfirmed) return;
    isBusy = true;
    try {
      await act();
    } finally {
      isBusy = false;
    }
  });
  return button;
}

/** A failed call, as the service explains it. */
export function failure(problem) {
  return h(
    "div",
    { class: "problem", role: "alert" },
    h("strong", {}, problem.title),
    problem.status ? ` (${problem.status})` : "",
    h("p", {}, problem.message),
    problem.violations.length > 0 && h("ul", {}, problem.violations.map(violation)),
    problem.requestId && h("p", { class: "note" }, "Request id ", h("code", {}, problem.requestId)),
    problem.concernsKey && h("button", { type: "button", onclick: () => problem.askForKey() }, "Use another key"),
  );
}

/** Replaces the content of a place, without a loss of the focus on a table or of its place. */
function replace(place, content) {
  const tables = () => [...place.querySelectorAll(".scroll")];
  const before = tables().map((each) => ({ left: each.scrollLeft, focused: each === document.activeElement }));
  place.replaceChildren(...content);
  tables().forEach((each, index) => {
    each.scrollLeft = before[index]?.left ?? 0;
    if (before[index]?.focused) each.focus({ preventScroll: true });
  });
}

const newest = new WeakMap();

/**
 * Replaces the content of a place by what a call brings, or by its failure. The content stays when the call brings
 * nothing (undefined), and when a later call for the place has begun.
 */
export async function load(place, call) {
  const turn = {};
  newest.set(place, turn);
  const isNewest = () => newest.get(place) === turn;
  place.setAttribute("aria-busy", "true");
  try {
    const content = await call();
    if (content !== undefined && isNewest()) replace(place, [content].flat(Infinity));
  } catch (problem) {
    if (problem.name === "AbortError") return;
    if (!problem.title) throw problem;
    if (isNewest()) place.replaceChildren(failure(problem));
  } finally {
    if (isNewest()) place.removeAttribute("aria-busy");
  }
}
