/* Calls of the API, with the operator's key. */

const BASE = new URL("..", import.meta.url);
const STORED = "ovation.console.key";

/** The key of this tab; an empty one is none. */
export const credential = {
  get key() {
    return sessionStorage.getItem(STORED) ?? "";
  },
  set key(key) {
    if (key) sessionStorage.setItem(STORED, key);
    else sessionStorage.removeItem(STORED);
  },
};

/** A failed call. `status` is 0 if no answer came, or only a part of one. */
export class Problem extends Error {
  constructor(status, content, path) {
    const ofActuator = status === 404 && path.startsWith("actuator") && content.code !== "unknown-namespace";
    super(
      ofActuator
        ? "The actuator has a port of its own (MANAGEMENT_SERVER_PORT). Open the console at an address under which a" +
            " proxy serves both ports."
        : (content.detail ?? "The answer has no explanation."),
    );
    this.status = status;
    this.title = content.title ?? "The call failed";
    this.code = content.code;
    this.impact = content.impact;
    this.violations = content.violations ?? [];
    this.requestId = content.request_id;
    this.concernsKey = status === 401 || content.code === "forbidden";
  }

  /** Opens the dialog for the key. */
  askForKey() {
    dispatchEvent(new CustomEvent("key-wanted", { detail: this }));
  }

  /** Opens the dialog for the key, unless the operator has closed it since the last key. */
  reportKey() {
    dispatchEvent(new CustomEvent("key-refused", { detail: this }));
  }
}

/**
 * Calls the API and returns the content of the answer with its headers.
 *
 * `also` is a status that is no failure if its content is no problem.
 */
export async function call(method, path, { query = {}, headers = {}, body, also, signal } = {}) {
  const url = new URL(path, BASE);
  Object.entries(query).forEach(([name, value]) => value !== "" && url.searchParams.set(name, value));
  const key = credential.key;
  let answer;
  try {
    answer = await fetch(url, {
      method,
      body,
      signal,
      cache: "no-store",
      headers: { Accept: "application/json", ...headers, ...(key ? { Authorization: `Bearer ${key}` } : {}) },
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { title: "The service does not answer", detail: error.message }, path);
  }
  const isProblem = answer.headers.get("Content-Type")?.startsWith("application/problem+json") ?? true;
  const isFine = answer.ok || (answer.status === also && !isProblem);
  const content = await answer.json().catch((error) => {
    if (error.name === "AbortError") throw error;
    if (isFine) throw new Problem(0, { title: "The answer was cut off", detail: error.message }, path);
    return {};
  });
  if (isFine) return { content, headers: answer.headers };
  const problem = new Problem(answer.status, content, path);
  if (answer.status === 401) problem.reportKey();
  throw problem;
}

/** Reads a resource. */
export const get = async (path, query, signal) => (await call("GET", path, { query, signal })).content;

/**
 * Repeats a step until the view is left; it rests while the tab is hidden or the dialog for the key is open. A step that
 * fails is repeated like the others.
 */
export async function repeat(seconds, signal, step) {
  while (!signal.aborted) {
    if (!document.hidden && !document.querySelector("dialog[open]")) {
      try {
        await step();
      } catch (error) {
        reportError(error);
      }
    }
    await new Promise((done) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        done();
      };
      const timer = setTimeout(end, seconds() * 1000);
      signal.addEventListener("abort", end);
    });
  }
}
