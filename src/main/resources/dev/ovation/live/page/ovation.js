/*
 * <ovation-reactions namespace="posts" entity="42" user="ann">: the reactions of one entity, live.
 * All elements of a page with the same service, namespace and user share one stream.
 */

const SCRIPT_ORIGIN = new URL(import.meta.url).origin;
const MOST_WATCHED = 200;
const LONGEST_QUERY = 6000;
const SILENCE = 40_000;
const LONGEST_PAUSE = 2 ** 31 - 1; // of a timer
const TRIES = 5;

const options = {
  base: SCRIPT_ORIGIN,
  token: null,
  labels: {
    reactions: "Reactions",
    add: "Add a reaction",
    choose: "Choose a reaction",
    who: "Who reacted",
    more: "More",
    nobody: "No reactions yet",
    friend: "friend",
    mine: "yours included",
    full: "At most {n} kinds of reactions",
    trying: "Not saved yet, trying again …",
    failed: "Not saved: the service does not answer",
    unsure: "Not known whether it was saved",
    offline: "Not live, connecting again …",
  },
};

/**
 * Sets options of all elements: `base` (URL of the service, by default the origin of this script), `token` (a function
 * that returns the value after `Authorization: Bearer`, or a promise of it), `labels` (texts).
 */
export function configure(changes) {
  Object.assign(options, changes, { labels: { ...options.labels, ...changes.labels } });
}

const sleep = (millis) => new Promise((done) => setTimeout(done, millis));

async function call(method, path, { query = {}, body, headers = {}, signal } = {}) {
  const url = new URL(path, options.base);
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) {
      if (each !== null && each !== undefined) url.searchParams.append(name, each);
    }
  }
  const token = options.token && (await options.token());
  return fetch(url, {
    method,
    signal,
    cache: "no-store",
    headers: {
      ...headers,
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(body ? { "Content-Type": "application/json" } : {}),
    },
    body: body && JSON.stringify(body),
  });
}

async function answered(method, path, details) {
  const answer = await call(method, path, details);
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(content.detail || answer.statusText), { answer, content });
  return { answer, content };
}

async function json(method, path, details) {
  return (await answered(method, path, details)).content;
}

const rulesByNamespace = new Map();

/**
 * The reactions that can be added now in the order of the set, all that were known in this page, the groups and the
 * limit of a namespace. They are read anew after `until`: at the end of their max-age, which is a season's edge at most.
 */
function rulesOf(namespace) {
  const before = rulesByNamespace.get(namespace);
  if (before && !(before.until <= Date.now())) return before.rules;
  const known = { all: before?.all || new Map() };
  known.rules = readRules(namespace, known);
  known.rules.catch(() => {
    if (rulesByNamespace.get(namespace) !== known) return;
    if (before) rulesByNamespace.set(namespace, before);
    else rulesByNamespace.delete(namespace);
  });
  rulesByNamespace.set(namespace, known);
  return known.rules;
}

async function readRules(namespace, known) {
  const query = { namespace_id: namespace };
  const [{ answer, content }, { namespace: own }] = await Promise.all([
    answered("GET", "/configuration/available_reactions", { query }),
    json("GET", "/configuration/namespace", { query }),
  ]);
  const seconds = /max-age=(\d+)/.exec(answer.headers.get("Cache-Control"))?.[1] ?? 60;
  known.until = Date.now() + (Number(seconds) + 1) * 1000; // max-age is rounded down
  for (const each of content.reactions) known.all.set(each.id, each);
  return {
    until: known.until,
    all: known.all,
    reactions: content.reactions,
    most: own.max_uniq_reactions || Infinity,
    groups: own.mutually_exclusive_reactions || [],
  };
}

/** One stream, for all elements of a namespace and a user. */
class Hub {
  static all = new Map();

  static of(namespace, user) {
    const name = JSON.stringify([namespace, user]);
    if (!Hub.all.has(name)) Hub.all.set(name, new Hub(namespace, user));
    return Hub.all.get(name);
  }

  constructor(namespace, user) {
    Object.assign(this, { namespace, user, elements: new Map(), states: new Map() });
    this.watched = [];
    this.wake = () => {};
    addEventListener("online", () => this.wake());
  }

  join(entity, element) {
    if (!this.elements.has(entity)) this.elements.set(entity, new Set());
    this.elements.get(entity).add(element);
    const known = this.states.get(entity);
    if (known) element.show(known);
    element.live(this.isLive);
    this.changed();
  }

  leave(entity, element) {
    const all = this.elements.get(entity);
    all?.delete(element);
    if (all?.size === 0) this.elements.delete(entity);
    this.changed();
  }

  /** Takes a state of an entity, from the stream or from a write; the greater version is the newer. */
  take(state) {
    const known = this.states.get(state.entity_id);
    const elements = this.elements.get(state.entity_id);
    if (!elements || (known && known.version >= state.version)) return;
    this.states.set(state.entity_id, state);
    for (const each of elements) each.show(state);
  }

  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.watch(), 60);
  }

  wanted() {
    return [...this.elements.keys()].slice(-MOST_WATCHED);
  }

  async watch() {
    const wanted = this.wanted();
    for (const each of this.states.keys()) if (!wanted.includes(each)) this.states.delete(each);
    if (!wanted.length) {
      this.stopping?.abort();
      return;
    }
    if (!this.running) {
      this.running = true;
      await this.run();
      this.running = false;
      if (this.elements.size) this.changed();
    } else if (this.id && String([...wanted].sort()) !== String([...this.watched].sort())) {
      this.watched = wanted;
      const body = { namespace_id: this.namespace, entities: wanted };
      const answer = await call("PUT", "/reactions/stream", { query: { stream_id: this.id }, body }).catch(() => null);
      if (!answer?.ok) this.stopping?.abort();
    }
  }

  setLive(isLive) {
    this.isLive = isLive;
    for (const all of this.elements.values()) for (const each of all) each.live(isLive);
  }

  async run() {
    let failures = 0;
    while (this.elements.size) {
      this.pause = null;
      try {
        const before = Date.now();
        await this.connect();
        failures = Date.now() - before > 5000 ? 0 : failures + 1;
      } catch (refused) {
        failures++;
        if ([400, 401, 403, 404].includes(refused.status)) {
          this.setLive(false);
          this.pause = 30_000;
        }
      }
      this.id = null;
      if (!this.elements.size) break;
      const longest = Math.min(30_000, 500 * 2 ** Math.min(failures, 6));
      const pause = this.pause ?? longest * (0.5 + Math.random() / 2);
      const notice = setTimeout(() => this.setLive(false), 1500);
      await Promise.race([sleep(pause), new Promise((done) => (this.wake = done))]);
      clearTimeout(notice);
      if (failures > 1) this.setLive(false);
    }
  }

  async connect() {
    this.stopping = new AbortController();
    const wanted = this.wanted();
    let length = 0;
    const first = wanted.filter((each) => (length += encodeURIComponent(each).length + 11) < LONGEST_QUERY);
    const query = {
      namespace_id: this.namespace,
      entity_id: first.length ? first : wanted.slice(0, 1),
      user_id: this.user,
      last_event_id: this.lastId,
    };
    const answer = await call("GET", "/reactions/stream", { query, signal: this.stopping.signal });
    if (!answer.ok) {
      this.pause = 1000 * Number(answer.headers.get("Retry-After")) || null;
      throw { status: answer.status };
    }
    this.watched = query.entity_id;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const silence = setTimeout(() => this.stopping.abort(), SILENCE);
      const { value, done } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      const events = (text + value).split("\n\n");
      text = events.pop();
      for (const each of events) this.event(Object.fromEntries(each.split("\n").map(Hub.field)));
    }
  }

  static field(line) {
    const colon = line.indexOf(": ");
    return colon < 0 ? ["", ""] : [line.slice(0, colon), line.slice(colon + 2)];
  }

  event({ event, data, id, retry }) {
    if (id) this.lastId = id;
    if (event === "hello") {
      this.id = JSON.parse(data).stream_id;
      this.setLive(true);
      this.changed();
    } else if (event === "bye") {
      this.pause = Number(retry);
    } else if (event) {
      this.take(JSON.parse(data));
    }
  }
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host {
    --ink: var(--ovation-ink, #1b1f24); --line: var(--ovation-line, #6e7781); --back: var(--ovation-back, #fff);
    --mine: var(--ovation-mine, #dbeafe); --mine-ink: var(--ovation-mine-ink, #0b3d91);
    display: inline-block; position: relative; font: inherit; color: var(--ink);
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --ink: var(--ovation-ink, #e6edf3); --line: var(--ovation-line, #848d97); --back: var(--ovation-back, #0d1117);
      --mine: var(--ovation-mine, #12305e); --mine-ink: var(--ovation-mine-ink, #cfe2ff);
    }
  }
  [hidden] { display: none !important; }
  [part~=bar], [part~=picker] { display: flex; flex-wrap: wrap; gap: .35em; align-items: center; }
  [part~=picker], [part~=people] {
    position: absolute; inset-block-start: 100%; inset-inline-start: 0; z-index: 1; margin: .3em 0 0; padding: .5em;
    inline-size: max-content; max-inline-size: min(20em, 90vw); background: var(--back); border: 1px solid var(--line);
    border-radius: .7em; box-shadow: 0 .3em 1em rgb(0 0 0 / .2);
  }
  button {
    font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 1em;
    min-block-size: 2em; min-inline-size: 2em; padding: 0 .6em; cursor: pointer;
  }
  button:focus-visible { outline: 3px solid var(--mine-ink); outline-offset: 1px; }
  button[aria-pressed=true] { background: var(--mine); color: var(--mine-ink); border-color: var(--mine-ink); }
  button[aria-disabled=true] { opacity: .45; cursor: not-allowed; }
  img { block-size: 1.2em; inline-size: 1.2em; vertical-align: middle; }
  ul { list-style: none; max-block-size: 12em; overflow: auto; }
  li { display: flex; gap: .6em; justify-content: space-between; }
  [part~=note] { margin: .2em 0 0; font-size: .85em; }
  @media (prefers-reduced-motion: no-preference) {
    .moved { animation: moved .35s ease-out; }
    @keyframes moved { from { transform: scale(1.25); } }
  }
`);

function make(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

const near = new IntersectionObserver(
  (entries) => entries.forEach(({ target, isIntersecting }) => target.visible(isIntersecting)),
  { rootMargin: "300px" },
);

const NOTHING = { reactions_count: [], version: "" };

class OvationReactions extends HTMLElement {
  static observedAttributes = ["namespace", "entity", "user"];

  #state = NOTHING;
  #isVisible = false;
  #pending = new Map();
  #buttons = new Map();
  #writes = Promise.resolve();
  #rules;
  #rulesTimer;
  #rulesProblem = null;
  #offered = [];
  #hub;
  #bar = make("div", { part: "bar", role: "group" });
  #add = make("button", { part: "add", type: "button", "aria-expanded": "false" }, "+");
  #who = make("button", { part: "who", type: "button", "aria-expanded": "false" }, "…");
  #picker = make("div", { part: "picker", role: "group", hidden: "" });
  #people = make("ul", { part: "people", hidden: "", tabindex: "0" });
  #note = make("p", { part: "note", role: "status" });

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    this.#bar.append(this.#add, this.#who);
    root.append(this.#bar, this.#picker, this.#people, this.#note);
    this.#add.addEventListener("click", () => this.#toggle(this.#picker, this.#add));
    this.#who.addEventListener("click", () => this.#toggle(this.#people, this.#who) && this.#listPeople());
    root.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusout", (event) => {
      if (!this.contains(event.relatedTarget)) this.#close();
    });
  }

  connectedCallback() {
    this.#label();
    near.observe(this);
  }

  disconnectedCallback() {
    near.unobserve(this);
    this.visible(false);
  }

  attributeChangedCallback() {
    if (this.#isVisible) {
      this.visible(false);
      this.#state = NOTHING;
      this.#label();
      this.#render();
      this.visible(true);
    }
  }

  /** Watches the entity while the element is near the window. */
  async visible(isVisible) {
    this.#isVisible = isVisible;
    const entity = this.getAttribute("entity");
    const namespace = this.getAttribute("namespace");
    if (isVisible && !this.#hub && entity && namespace) {
      this.#hub = Hub.of(namespace, this.getAttribute("user"));
      this.watched = entity;
      this.#hub.join(entity, this);
      await this.#readRules(this.#hub);
    } else if (!isVisible && this.#hub) {
      clearTimeout(this.#rulesTimer);
      this.#hub.leave(this.watched, this);
      this.#hub = null;
    }
  }

  /** Reads the rules, and again when they may be others, as long as the element is near the window. */
  async #readRules(hub) {
    let pause = SILENCE;
    try {
      const rules = await rulesOf(hub.namespace);
      if (this.#hub !== hub) return;
      this.#rules = rules;
      this.#render();
      if (this.#note.textContent === this.#rulesProblem) this.#say("");
      this.#rulesProblem = null;
      pause = Math.min(rules.until - Date.now(), LONGEST_PAUSE);
    } catch (failure) {
      if (this.#hub !== hub) return;
      if (!this.#rules) {
        this.#rulesProblem = failure.message;
        this.#say(this.#rulesProblem);
      }
    }
    clearTimeout(this.#rulesTimer);
    this.#rulesTimer = setTimeout(() => this.#readRules(hub), pause);
  }

  show(state) {
    this.#state = state;
    this.#render();
  }

  live(isLive) {
    if (isLive === false) this.#say(options.labels.offline);
    else if (this.#note.textContent === options.labels.offline) this.#say("");
    this.toggleAttribute("offline", isLive === false);
  }

  /** The state as the user is to see it: the committed one with the changes under way. */
  get #view() {
    const own = new Set(this.#state.user_reactions?.reactions);
    const counts = new Map(this.#state.reactions_count.map((each) => [each.reaction_id, each.count]));
    for (const [reaction, wanted] of this.#pending) {
      if (own.has(reaction) !== wanted) {
        counts.set(reaction, (counts.get(reaction) || 0) + (wanted ? 1 : -1));
        own[wanted ? "add" : "delete"](reaction);
      }
    }
    return { own, counts };
  }

  #label() {
    const { labels } = options;
    this.#bar.setAttribute("aria-label", labels.reactions);
    this.#picker.setAttribute("aria-label", labels.choose);
    this.#people.setAttribute("aria-label", labels.who);
    this.#add.setAttribute("aria-label", labels.add);
    this.#who.setAttribute("aria-label", labels.who);
    this.#add.hidden = !this.hasAttribute("user") && !options.token;
  }

  #definition(reaction) {
    return this.#rules?.all.get(reaction) || { id: reaction };
  }

  #face({ id, code, url, short_name }) {
    return url ? make("img", { src: url, alt: short_name || id }) : make("span", { "aria-hidden": "true" }, code || id);
  }

  /** A reaction that stands without a label beside it. */
  #image(reaction) {
    const definition = this.#definition(reaction);
    return make("span", { role: "img", "aria-label": this.#name(definition) }, this.#face(definition));
  }

  #name({ id, short_name }) {
    return (short_name || id).replace(/^:|:$/g, "").replaceAll("_", " ");
  }

  #render() {
    const { own, counts } = this.#view;
    const order = this.#rules?.reactions.map((each) => each.id) || [];
    const place = (reaction) => (order.indexOf(reaction) + order.length + 1) % (order.length + 1);
    const shown = [...counts.keys()].filter((each) => counts.get(each) > 0);
    shown.sort((a, b) => place(a) - place(b));
    for (const [reaction, button] of this.#buttons) {
      if (!shown.includes(reaction)) {
        if (this.shadowRoot.activeElement === button) this.#add.focus();
        button.remove();
        this.#buttons.delete(reaction);
      }
    }
    shown.forEach((reaction, place) => {
      const definition = this.#definition(reaction);
      let button = this.#buttons.get(reaction);
      if (!button) {
        button = make("button", { part: "count", type: "button" }, this.#face(definition), " ", make("span"));
        button.addEventListener("click", () => this.toggle(reaction));
        this.#buttons.set(reaction, button);
      }
      const count = counts.get(reaction);
      const number = button.lastChild;
      if (number.textContent !== String(count)) {
        if (number.textContent) {
          button.classList.remove("moved");
          requestAnimationFrame(() => button.classList.add("moved"));
        }
        number.textContent = count;
      }
      const mine = own.has(reaction);
      button.setAttribute("aria-pressed", mine);
      const label = `${this.#name(definition)}: ${count}`;
      button.setAttribute("aria-label", mine ? `${label}, ${options.labels.mine}` : label);
      if (this.#bar.children[place] !== button) this.#bar.insertBefore(button, this.#bar.children[place]);
    });
    this.#who.hidden = shown.length === 0;
    this.#renderPicker(own, shown);
  }

  #renderPicker(own, shown) {
    const { reactions = [], most = Infinity } = this.#rules || {};
    if (this.#offered !== reactions && JSON.stringify(this.#offered) !== JSON.stringify(reactions)) {
      this.#picker.replaceChildren(
        ...reactions.map((each) => {
          const button = make("button", { type: "button", "aria-label": this.#name(each) }, this.#face(each));
          button.addEventListener("click", () => {
            if (button.getAttribute("aria-disabled") !== "true") {
              this.#close(this.#add);
              this.toggle(each.id);
            } else {
              this.#say(options.labels.full.replace("{n}", most));
            }
          });
          return button;
        }),
      );
      // It was opened by a key before the reactions arrived.
      if (!this.#picker.hidden && this.#add.matches(":focus")) this.#picker.querySelector("button")?.focus();
    }
    this.#offered = reactions;
    const kinds = shown.filter((each) => reactions.some(({ id }) => id === each));
    reactions.forEach(({ id }, place) => {
      const button = this.#picker.children[place];
      button.setAttribute("aria-pressed", own.has(id));
      button.setAttribute("aria-disabled", kinds.length >= most && !shown.includes(id));
    });
  }

  /** Adds the reaction, or takes it back. The view changes at once, and changes back when the write is refused. */
  toggle(reaction) {
    const { own } = this.#view;
    const wanted = !own.has(reaction);
    const changes = new Map([[reaction, wanted]]);
    if (wanted) {
      for (const group of this.#rules?.groups || []) {
        if (group.includes(reaction)) {
          group.filter((each) => each !== reaction && own.has(each)).forEach((each) => changes.set(each, false));
        }
      }
    }
    changes.forEach((value, each) => this.#pending.set(each, value));
    this.#render();
    this.#say("");
    this.#writes = this.#writes.then(() => this.#write(reaction, wanted, changes));
    return this.#writes;
  }

  async #write(reaction, wanted, changes) {
    const hub = this.#hub;
    const body = {
      namespace_id: this.getAttribute("namespace"),
      entity_id: this.getAttribute("entity"),
      reaction_id: reaction,
    };
    const user = this.getAttribute("user");
    if (user) body.user_id = user;
    const headers = { "Idempotency-Key": crypto.randomUUID?.() || String(Math.random()), Prefer: "return=representation" };
    const query = wanted ? { force: true, if_exists: "ok" } : {};
    let refusal = null;
    try {
      const { entity } = await this.#send(wanted ? "POST" : "DELETE", { query, body, headers });
      if (hub && body.entity_id === this.watched) hub.take(entity);
      else if (body.entity_id === this.getAttribute("entity")) this.#state = entity;
    } catch (failure) {
      refusal = failure;
    }
    changes.forEach((value, each) => this.#pending.get(each) === value && this.#pending.delete(each));
    this.#render();
    this.#say(refusal ? refusal.message : "");
    this.dispatchEvent(
      new CustomEvent(refusal ? "ovation-refused" : "ovation-changed", {
        bubbles: true,
        composed: true,
        detail: { reaction, wanted, problem: refusal?.content },
      }),
    );
  }

  /** Sends a write until its outcome is known; the key makes a repetition safe. */
  async #send(method, details) {
    let unsure = false;
    for (let tries = 1; ; tries++) {
      let wait = 400 * 2 ** tries * (0.5 + Math.random() / 2);
      try {
        return await json(method, "/reactions", { ...details, signal: AbortSignal.timeout?.(10_000) });
      } catch (failure) {
        const status = failure.answer?.status;
        if (status && status < 500 && status !== 429 && status !== 409) throw failure;
        wait = 1000 * Number(failure.answer?.headers.get("Retry-After")) || wait;
        unsure ||= !status || failure.content.outcome === "unknown";
      }
      if (tries === TRIES) throw new Error(unsure ? options.labels.unsure : options.labels.failed);
      this.#say(options.labels.trying);
      await sleep(wait);
    }
  }

  #say(text) {
    this.#note.textContent = text;
  }

  #toggle(panel, button) {
    const opens = panel.hidden;
    this.#close();
    if (opens) {
      panel.hidden = false;
      button.setAttribute("aria-expanded", "true");
      (panel.querySelector("button") || panel).focus();
    }
    return opens;
  }

  #close(focused) {
    this.#picker.hidden = this.#people.hidden = true;
    for (const each of [this.#add, this.#who]) each.setAttribute("aria-expanded", "false");
    focused?.focus();
  }

  #key(event) {
    if (event.key === "Escape" && !(this.#picker.hidden && this.#people.hidden)) {
      event.stopPropagation();
      this.#close(this.#picker.hidden ? this.#who : this.#add);
    }
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    const group = event.target.parentElement;
    if (step && event.target.localName === "button" && group?.getAttribute("role") === "group") {
      const all = [...group.querySelectorAll("button:not([hidden])")];
      const turn = getComputedStyle(this).direction === "rtl" && /Left|Right/.test(event.key) ? -step : step;
      all.at(Math.min(all.length - 1, Math.max(0, all.indexOf(event.target) + turn))).focus();
      event.preventDefault();
    }
  }

  async #listPeople(cursor) {
    if (!cursor) this.#people.replaceChildren();
    const viewer = this.getAttribute("user");
    const query = {
      namespace_id: this.getAttribute("namespace"),
      entity_id: this.getAttribute("entity"),
      viewer_id: viewer,
      friends: viewer || options.token ? "first" : null,
      limit: 20,
      cursor,
    };
    try {
      const page = await json("GET", "/reactions/users", { query });
      this.#people.append(...page.users.map((each) => this.#person(each)));
      if (!this.#people.children.length) this.#people.append(make("li", {}, options.labels.nobody));
      if (page.next_cursor) {
        const more = make("button", { type: "button" }, options.labels.more);
        const row = make("li", {}, more);
        more.addEventListener("click", () => {
          row.remove();
          this.#people.focus();
          this.#listPeople(page.next_cursor);
        });
        this.#people.append(row);
      }
    } catch (failure) {
      this.#people.append(make("li", {}, failure.message));
    }
  }

  #person({ user_id, display_name, friend, reactions }) {
    const name = make("span", { dir: "auto" }, display_name || user_id);
    if (friend) name.append(` · ${options.labels.friend}`);
    return make("li", {}, name, make("span", {}, ...reactions.map((each) => this.#image(each.reaction_id))));
  }
}

if (!customElements.get("ovation-reactions")) customElements.define("ovation-reactions", OvationReactions);
