/* Health with its reasons, and the charts of the last hour. */

import { call, get, repeat } from "./api.js";
import { chart } from "./charts.js";
import { badge, h, load, number, section, table } from "./dom.js";

export const title = "Overview";

const EACH_SECONDS = 10;
const KINDS = { UP: "good", UNKNOWN: "idle" };

const rate = (value) => `${short(value)}/s`;
const seconds = (value) => (value < 1 ? `${short(value * 1000)} ms` : `${short(value)} s`);
const short = (value) => Number(value.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });

const charts = () => [
  chart(
    "Reads and writes",
    [
      { label: "reads", of: (each) => each.reads_per_second },
      { label: "writes", of: (each) => each.writes_per_second },
    ],
    rate,
  ),
  chart("Server errors (5xx)", [{ label: "failures", of: (each) => each.failures_per_second }], rate),
  chart(
    "Times of requests, 99th percentile",
    [
      { label: "reads", of: (each) => each.read_p99_seconds },
      { label: "writes", of: (each) => each.write_p99_seconds },
    ],
    seconds,
  ),
  chart("Commit lag, 99th percentile", [{ label: "lag", of: (each) => each.commit_lag_p99_seconds }], seconds),
  chart("Changes that wait for Postgres", [{ label: "outbox", of: (each) => each.outbox_events }], short),
  chart("Age of the oldest waiting change", [{ label: "oldest", of: (each) => each.outbox_oldest_seconds }], seconds),
  chart("Watchers", [{ label: "streams", of: (each) => each.watchers }], short),
];

function text(value) {
  if (typeof value === "number") return number(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const isEmpty = (value) => typeof value === "object" && (value === null || Object.keys(value).length === 0);

/** Parts that are not up come first. */
function rows(components) {
  return Object.entries(components ?? {})
    .sort(([, one], [, other]) => (one.status === "UP") - (other.status === "UP"))
    .map(([name, part]) => [
      name,
      badge(part.status, KINDS[part.status] ?? "bad"),
      h(
        "ul",
        { class: "plain details" },
        Object.entries(part.details ?? {})
          .filter(([, value]) => !isEmpty(value))
          .map(([key, value]) => h("li", {}, `${key}: ${text(value)}`)),
      ),
    ]);
}

async function health(signal) {
  const { content } = await call("GET", "actuator/health", { also: 503, signal });
  return [
    h("p", {}, "This instance is ", badge(content.status, KINDS[content.status] ?? "bad"), "."),
    table("Parts of the service", ["Part", "State", "Details"], rows(content.components)),
  ];
}

export function show(place, signal) {
  const state = h("div");
  const problem = h("div");
  const chooser = h("select", { id: "instance", onchange: () => draw() });
  const choice = h("p", { hidden: true }, h("label", { for: "instance" }, "Instance "), chooser);
  const all = charts();
  const known = new Map();

  /** Behind a balancer the answers come from several instances. */
  function draw() {
    const { samples, interval_seconds: interval } = known.get(chooser.value);
    all.forEach((each) => each.draw(samples, interval));
  }

  async function series() {
    const read = await get("console/series", {}, signal);
    if (!known.has(read.instance_id)) chooser.append(new Option(read.instance_id));
    known.set(read.instance_id, read);
    choice.hidden = known.size < 2;
    draw();
    return [];
  }

  place.append(
    section("Health", state),
    section(
      "Last hour",
      problem,
      choice,
      h("div", { class: "charts" }, all.map((each) => each.element)),
      h("p", { class: "note" }, "Of one instance, since its start. Each request of this page is a line of the audit trail."),
    ),
  );
  repeat(
    () => EACH_SECONDS,
    signal,
    () => Promise.all([load(state, () => health(signal)), load(problem, series)]),
  );
}
