/* Jobs with their progress. */

import { call, get, repeat } from "./api.js";
import { badge, confirmed, h, load, number, section, table, time } from "./dom.js";

export const title = "Jobs";

const KINDS = { waiting: "idle", running: "busy", done: "good", failed: "bad", cancelled: "idle" };
const STATES = ["", ...Object.keys(KINDS)];
const isOpen = (job) => job.state === "waiting" || job.state === "running";

function progress(job) {
  const text = job.total === undefined ? number(job.done) : `${number(job.done)} of ${number(job.total)}`;
  if (job.total === undefined || job.total === 0) return text;
  const bar = h("progress", { max: job.total, value: Math.min(job.done, job.total), "aria-label": `Job ${job.job_id}` });
  return [bar, " ", text];
}

function report(job) {
  const { error, ...others } = job.report;
  return [
    error && h("p", { class: "error" }, error),
    Object.keys(others).length > 0 &&
      h("details", {}, h("summary", {}, "Report"), h("pre", {}, JSON.stringify(others, null, 2))),
  ];
}

export function show(place, signal) {
  const list = h("div");
  const problem = h("div");
  const state = h("select", { id: "job-state", onchange: () => read() }, STATES.map((each) => h("option", { value: each }, each || "all")));
  let open = false;

  const cancelButton = (job) =>
    confirmed("Cancel", "Really cancel?", () =>
      load(problem, async () => {
        await call("DELETE", "jobs", { query: { job_id: job.job_id } });
        await read();
        return [];
      }),
    );

  const read = (isKept = () => false) =>
    load(list, async () => {
      const { jobs, next_cursor: more } = await get("jobs", { state: state.value, limit: 50 }, signal);
      if (isKept()) return undefined;
      open = jobs.some(isOpen);
      if (jobs.length === 0) return h("p", {}, "There are no such jobs.");
      const rows = jobs.map((job) => [
        job.job_id,
        job.kind,
        badge(job.state, KINDS[job.state] ?? "idle"),
        progress(job),
        time(job.started_at),
        job.finished_at ? time(job.finished_at) : "",
        report(job),
        isOpen(job) ? cancelButton(job) : "",
      ]);
      return [
        table("Jobs", ["Job", "Kind", "State", "Progress", "Started", "Finished", "Report", "Action"], rows),
        more ? h("p", { class: "note" }, "The newest 50 are shown.") : "",
      ];
    });

  /** An opened report, or a cancellation that waits for its second click, must not be replaced. */
  const isInUse = () => list.querySelector("details[open], button:focus") !== null;

  place.append(section("Newest first", h("p", {}, h("label", { for: "job-state" }, "State "), state), problem, list));
  repeat(
    () => (open ? 2 : 10),
    signal,
    () => (isInUse() ? undefined : read(isInUse)),
  );
}
