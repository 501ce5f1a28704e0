/* Charts of lines over the last hour. */

import { h, svg } from "./dom.js";

const HOUR = 3_600_000;
const WIDTH = 600;
const HEIGHT = 100;

/** The least of 1, 2, 5, 10, 20, … that is not below a value. */
function ceiling(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= value * 0.999999);
}

/**
 * A chart. `lines` have a label and the value of a sample, undefined where there is none; `format` makes a text of a
 * value.
 */
export function chart(title, lines, format) {
  const top = h("span", { class: "top" });
  const now = h("p", { class: "now" });
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
  const cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
  let drawn = { samples: [], from: 0 };

  const describe = (sample) =>
    lines.flatMap(({ label, of }, index) => [
      index > 0 ? "  " : "",
      h("span", { class: `key line${index}` }),
      `${label} ${of(sample) === undefined ? "–" : format(of(sample))}`,
    ]);

  function showLast() {
    const last = drawn.samples.at(-1);
    now.replaceChildren(...(last ? describe(last) : ["No sample yet"]));
    cursor.remove();
  }

  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    const at = drawn.from + ((event.clientX - box.left) / box.width) * HOUR;
    const distance = (sample) => Math.abs(Date.parse(sample.at) - at);
    const nearest = drawn.samples.reduce((best, each) => (distance(each) < distance(best) ? each : best), drawn.samples[0]);
    if (!nearest) return;
    const x = place(Date.parse(nearest.at));
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    picture.append(cursor);
    now.replaceChildren(`${new Date(nearest.at).toLocaleTimeString()}  `, ...describe(nearest));
  });
  picture.addEventListener("pointerleave", showLast);

  const place = (at) => ((at - drawn.from) / HOUR) * WIDTH;

  function path(of, most, interval) {
    let commands = "";
    let before = -Infinity;
    for (const sample of drawn.samples) {
      const value = of(sample);
      if (value === undefined) continue;
      const at = Date.parse(sample.at);
      const goesOn = at - before < interval * 2500;
      const point = `${place(at).toFixed(1)} ${(HEIGHT - (value / most) * HEIGHT).toFixed(1)}`;
      commands += goesOn ? `L${point}` : `M${point}h0.1`;
      before = at;
    }
    return commands;
  }

  return {
    element: h(
      "figure",
      { class: "chart" },
      h("figcaption", {}, title),
      now,
      h("div", { class: "plot" }, top, picture),
      h("p", { class: "axis" }, h("span", {}, "1 h ago"), h("span", {}, "now")),
    ),
    /** Draws the samples of an instance; `interval` is the time between two in seconds. */
    draw(samples, interval) {
      const from = Date.now() - HOUR;
      drawn = { samples: samples.filter((each) => Date.parse(each.at) >= from), from };
      const values = lines.map(({ of }) => drawn.samples.map(of).filter((each) => each !== undefined));
      const most = ceiling(Math.max(0, ...values.flat()));
      top.textContent = format(most);
      picture.replaceChildren(
        ...[0, 0.5, 1].map((part) => svg("line", { class: "grid", x2: WIDTH, y1: part * HEIGHT, y2: part * HEIGHT })),
        ...lines.map(({ of }, index) => svg("path", { class: `line${index}`, d: path(of, most, interval) })),
      );
      const highest = lines.map(({ label }, index) =>
        values[index].length > 0
          ? `${label}: last ${format(values[index].at(-1))}, highest ${format(Math.max(...values[index]))}`
          : `${label}: none`,
      );
      picture.setAttribute("aria-label", `${title} in the last hour. ${highest.join("; ")}`);
      showLast();
    },
  };
}
