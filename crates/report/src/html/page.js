"use strict";
// The page: one violation is looked at at a time, at a position between two steps.
// Everything that comes from the checked program is put into the page as text,
// never as markup.

const data = JSON.parse(document.getElementById("data").textContent);

// ---- making elements --------------------------------------------------------

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

const SVG = "http://www.w3.org/2000/svg";
const draw = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// Characters that could turn a line around, or hide, are shown as what they are.
const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const clean = (text) => String(text).replace(ODD, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
const cut = (text, most) => (text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text);
// Of a text that is too long, long names are cut first: what is said about them is behind them.
const shorten = (text, most = 300) => cut(text.length > most ? text.replace(/[^\s`]{61,}/g, (name) => cut(name, Math.min(60, most))) : text, most + 40);
const plain = (text) => shorten(clean(text));
// Text in which what stands between backquotes is code.
const rich = (text, most) => {
  const parts = shorten(clean(text), most).split("`");
  if (parts.length % 2 === 0) return [parts.join("`")];
  return parts.map((part, at) => (at % 2 === 0 ? part : make("code", { class: "named" }, part)));
};
// What a text is about: the first name in it that is no type of the library.
const nameIn = (text) => {
  const names = [...text.matchAll(/`([^`]+)`/g)].map((found) => found[1]);
  return names.find((name) => !name.startsWith("std::")) ?? names[0] ?? null;
};
const colour = (actor) => ({ "--c": `var(--t${actor % 8})` });

// ---- one violation ------------------------------------------------------------

class Case {
  constructor(violation) {
    Object.assign(this, violation);
    // Also of those that hang without a step of their own.
    const others = [...(this.beginning.length > 0 ? [0] : []), ...(this.everyone ? this.actors.keys() : [])];
    this.lanes = [...new Set([...this.steps, ...this.stuck].map((one) => one.a).concat(others))].sort((a, b) => a - b);
    this.unfolded = new Set();
    this.layOut();
  }

  who(actor) {
    return `${this.noun} ${actor + this.first}`;
  }

  // With the function or process type that it runs.
  named(actor) {
    const name = this.actors[actor] ?? "";
    return name === "" ? this.who(actor) : `${this.who(actor)} (${plain(name)})`;
  }

  // The rows of the diagram: steps, marks between them, and folds.
  layOut() {
    const rows = this.beginning.length > 0 ? [{ beginning: true }] : [];
    const folds = new Map(this.folds.map((fold) => [fold.from, fold]));
    const marks = (at) => {
      if (this.too_late === at) rows.push({ mark: "from here on it is too late" });
      if (this.cycle_start === at && at < this.steps.length) rows.push({ mark: "from here on this repeats for ever" });
    };
    for (let at = 0; at < this.steps.length; ) {
      marks(at);
      const fold = folds.get(at);
      if (fold && !this.unfolded.has(at)) {
        rows.push({ fold });
        at += fold.count;
      } else {
        rows.push({ step: at });
        at += 1;
      }
    }
    if (this.too_late === this.steps.length) rows.push({ mark: "from here on it is too late" });
    rows.push({ mark: this.ending, bad: this.bad });
    for (const stuck of this.stuck) rows.push({ stuck });
    this.rows = rows;
    this.rowOf = new Map();
    rows.forEach((row, index) => {
      if (row.step !== undefined) this.rowOf.set(row.step, index);
      if (row.fold) for (let i = 0; i < row.fold.count; i++) this.rowOf.set(row.fold.from + i, index);
    });
  }

  // The rows of a kind in the state at a position.
  state(position) {
    const { pool, lists, states } = this.states;
    if (states.length === 0) return null;
    const at = Math.min(position, states.length - 1);
    const [actors, globals, objects, locks, channels, sections] = states[at].map((list) => lists[list].map((id) => pool[id]));
    return { actors, globals, objects, locks, channels, sections };
  }

  // Where each actor is at a position, as far as steps or states tell.
  places(position) {
    const places = new Map();
    const state = this.state(position);
    if (state) {
      for (const actor of state.actors) {
        const frame = actor.ended ? null : actor.frames.find((one) => one.at);
        if (frame) places.set(actor.a, frame.at);
      }
      return places;
    }
    for (const step of this.steps.slice(0, position)) if (step.at) places.set(step.a, step.at);
    return places;
  }
}

// ---- the page -------------------------------------------------------------------

const app = {
  cases: data.violations.map((violation) => new Case(violation)),
  index: 0,
  position: 0,
  file: 0,

  get now() {
    return this.cases[this.index];
  },

  start() {
    theme();
    header();
    if (this.cases.length > 0) {
      this.build();
      this.follow(location.hash) || this.go(this.now.steps.length);
      addEventListener("hashchange", () => this.follow(location.hash));
      addEventListener("keydown", keys);
    }
    footer();
    certificate();
  },

  build() {
    toolbar.build();
    answer(this.now);
    diagram.build(this.now);
    source.build(this.now);
  },

  select(index, position) {
    this.index = index;
    this.build();
    this.go(position ?? this.now.steps.length);
  },

  // A link to a step: #v1s12
  follow(hash) {
    const found = /^#v(\d+)s(\d+)$/.exec(hash);
    if (!found) return false;
    const index = Number(found[1]) - 1;
    if (index < 0 || index >= this.cases.length) return false;
    if (index !== this.index) this.select(index, Number(found[2]));
    else this.go(Number(found[2]));
    return true;
  },

  go(position) {
    const one = this.now;
    this.position = Math.max(0, Math.min(position, one.steps.length));
    history.replaceState(null, "", `#v${this.index + 1}s${this.position}`);
    toolbar.show(one, this.position);
    diagram.show(one, this.position);
    source.show(one, this.position);
    inspector(one, this.position);
  },
};

const keys = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
  const { now, position } = app;
  const moves = {
    ArrowRight: position + 1, ArrowDown: position + 1, j: position + 1, n: position + 1,
    ArrowLeft: position - 1, ArrowUp: position - 1, k: position - 1, p: position - 1,
    Home: 0, End: now.steps.length,
    t: now.too_late, c: now.cycle_start,
  };
  const target = moves[event.key];
  if (target === undefined || target === null) return;
  // Panes scroll by these keys when they are asked to.
  if (event.key.startsWith("Arrow") && event.target.closest && event.target.closest(".pane:focus")) return;
  event.preventDefault();
  app.go(target);
};

const theme = () => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let wanted = null;
  try { wanted = localStorage.getItem("exeunt-theme"); } catch { /* not allowed for files */ }
  const apply = () => { document.documentElement.dataset.theme = wanted ?? (dark.matches ? "dark" : "light"); };
  dark.addEventListener("change", apply);
  apply();
  document.getElementById("theme").addEventListener("click", () => {
    wanted = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("exeunt-theme", wanted); } catch { /* kept for this visit */ }
    apply();
  });
};

const header = () => {
  const more = document.getElementById("more");
  for (const limit of data.limits) more.append(make("p", {}, `limit reached: ${plain(limit)}`));
  for (const text of data.assumptions) more.append(make("p", {}, `assumed: ${plain(text)}`));
};

// What hangs, on what, since when: the answer in ten seconds.
const answer = (one) => {
  const place = document.getElementById("answer");
  place.replaceChildren();
  const card = (stuck) => make("li", { class: "card", style: colour(stuck.a) },
    make("p", {}, make("b", {}, one.named(stuck.a)), " ", stuck.at ? make("span", { class: "since at", title: label(stuck.at) }, `at ${shortLabel(stuck.at)}`) : ""),
    stuck.at ? line(stuck.at) : null,
    make("p", {}, ...rich(besidePlace(stuck))),
    stuck.since === null ? null : since(one, stuck),
    stuck.holds.length > 0 ? holds(stuck) : null);
  const cards = make("ul", { class: "cards" }, ...one.stuck.map(card));
  const words = make("div", { class: "cards" });
  words.style.display = "block";
  words.append(make("h2", {}, ...heading(one)));
  if (one.stuck.length > 0 && one.too_late) words.append(make("p", { class: "explains" }, tooLate(one)));
  const named = one.stuck.length > 0 ? [make("b", {}, `error[${one.property}]`), ": "] : [];
  if (one.message !== data.reason) words.append(make("p", { class: "message" }, ...named, ...rich(one.message)));
  if (one.stuck.length > 0) words.append(cards, others(one) ?? "");
  else if (one.steps.length > 0) words.append(...moment(one));
  for (const help of one.help) words.append(make("p", {}, "help: ", ...rich(help)));
  place.append(words);
  const graph = one.stuck.length > 0 ? waitGraph(one) : null;
  if (graph) place.append(make("div", { class: "waitgraph" }, graph));
};

// How many hang, since when the last of them does, and from when on that could not be avoided or ended.
const heading = (one) => {
  const many = one.stuck.length;
  if (many === 0) return [`error[${one.property}]`];
  const title = `${many} ${many === 1 ? `${one.noun} hangs` : `${plural(one)} hang`}`;
  const steps = one.stuck.map((stuck) => stuck.since).filter((step) => step !== null);
  const [first, last, late] = [Math.min(...steps), Math.max(...steps), one.too_late];
  const since = [`${first === last ? "" : ", the last"} since `, goTo(last)];
  if (!late) return last > 0 ? [title, ...since] : [title];
  if (last > late) return [title, ...since, "; after ", goTo(late), " it was too late to avoid that"];
  if (steps.length === 0 || last === late) return [title, "; after ", goTo(late), " it was too late"];
  const [is, are] = one.stuck.every((stuck) => stuck.verb === "waits") ? ["waits", "wait"] : ["is there", "are there"];
  const there = many === 1 ? `it ${is}` : first === last ? `they ${are}` : `the last ${is}`;
  const from = last === 0 ? [" from the beginning"] : [" since ", goTo(last)];
  return [`${title}: ${there}`, ...from, ", and after ", goTo(late), " it was too late to end that"];
};

// What "too late" means. Nothing may prevent a wait any more before it begins.
const tooLate = (one) => {
  const later = one.stuck.filter((stuck) => stuck.verb === "waits" && stuck.since > one.too_late).map((stuck) => stuck.since);
  const last = Math.max(...later);
  const all = later.length === one.stuck.length && later.every((step) => step === last);
  const begins = later.length === 0 ? "" : `; the ${one.stuck.length === 1 ? "wait begins" : all ? "waits begin" : "last wait begins"} in step ${last}`;
  return `Too late means: whatever the scheduler does from there on, it comes to this${begins}.`;
};

// Where nobody hangs: when it happens, or what repeats, and what else has to do with it.
const moment = (one) => {
  const place = one.at ? ` ${label(one.at)}` : "";
  const repeats = one.cycle_start !== null && one.cycle_start < one.steps.length;
  const first = repeats
    ? ["from ", goTo(one.cycle_start + 1), ` to `, goTo(one.steps.length), ` the run repeats for ever`, place === "" ? "" : `; reported at${place}`]
    : ["in ", goTo(one.steps.length), `, ${one.named(one.steps.at(-1).a)}`, place === "" ? "" : ` at${place}`];
  const others = one.labels.filter((note) => note.at).map((note) => make("li", {}, `line ${note.at.l}: `, ...rich(note.text)));
  return [make("p", {}, ...first), others.length > 0 ? make("ul", { class: "labels" }, ...others) : ""];
};

const plural = (one) => (one.noun === "process" ? "processes" : `${one.noun}s`);

// The local variables in what is waited for: `!fork[right]` of different processes are different forks.
const meant = (one, stuck) => {
  const frames = one.state(one.steps.length)?.actors.find((actor) => actor.a === stuck.a)?.frames ?? [];
  const names = nameIn(stuck.text)?.match(/[A-Za-z_]\w*/g) ?? [];
  const found = frames.slice(0, 1).flatMap((frame) => frame.vars).filter((v) => names.includes(v.n) && /^-?\w+$/.test(v.v));
  return found.slice(0, 4);
};

// The source of a place.
const line = (at) => {
  const whole = (data.files[at.f]?.text ?? "").split("\n")[at.l - 1]?.trim() ?? "";
  // Without a comment at its end, which is in the source below.
  const text = whole.replace(/\s+(\/\/.*|\/\*((?!\*\/).)*\*\/)$/, "");
  return text === "" ? null : make("code", { class: "source" }, shorten(clean(text), 90));
};
// Since which step somebody hangs, and what was done in it.
const since = (one, stuck) => {
  if (stuck.since === 0) return make("p", { class: "since-when" }, `${stuck.verb} from the beginning`);
  const step = one.steps[stuck.since - 1];
  return make("p", { class: "since-when" }, `${stuck.verb} since `, goTo(stuck.since), ...(step ? rich(cause(one, stuck, step), 200) : []));
};
// What was done in the step since which somebody hangs: what entered the section, what is about the thing that is
// waited for, or the last.
const cause = (one, stuck, step) => {
  const name = nameIn(stuck.text);
  const enters = (told) => stuck.verb === "inside" && told.at && told.at.f === stuck.at?.f && told.at.l === stuck.at.l;
  const told = step.told.findLast(enters) ?? step.told.findLast((told) => name !== null && told.t.includes(`\`${name}\``)) ?? step.told.at(-1);
  if (!told) return "";
  const own = step.a === stuck.a;
  const text = shorten(clean(told.t), 80).replace(/^waits /, own ? "begins to wait " : "waits ");
  // Statements are no sentences.
  const sentence = /^[a-z]+s( |$)/.test(text) && !/^\S+ \S?=/.test(text);
  // "flag = true (was false; line 19)"
  const was = told.at && / \(was [^()]*\)$/.test(text);
  const [before, place] = was ? [text.slice(0, -1), inLine(told.at, stuck.at).replace(" (", "; ")] : [text, inLine(told.at, stuck.at)];
  const did = sentence || text.includes("`") ? before : `\`${before.replace(/ \(was [^()]*$/, "")}\`${/ \(was [^()]*$/.exec(before)?.[0] ?? ""}`;
  const itself = own && stuck.verb !== "inside" && sentence && /^\S+ `[^`]*`$/.test(text) ? " itself" : "";
  return `, when ${own ? "it" : one.who(step.a)} ${sentence ? "" : "executes "}${did}${itself}${place}`;
};
// Behind what is told of a place: the line, with the file if it is not the one that the card names.
const inLine = (at, known) => (!at ? "" : !known || known.f === at.f ? ` (line ${at.l})` : ` (${shortLabel(at)})`);
const holds = (stuck) => {
  const most = 3;
  const from = (held) => (held.since === 0 ? ["from the beginning"] : ["since ", goTo(held.since)]);
  const one = (held, at) => [at === 0 ? "" : at + 1 === stuck.holds.length ? " and " : ", ", ...rich(held.n), " ", ...from(held), inLine(held.at, stuck.at)];
  const more = stuck.holds.length > most ? [` and ${stuck.holds.length - most} more`] : [];
  return make("p", { class: "since-when" }, "holds ", ...stuck.holds.slice(0, most).flatMap(one), ...more);
};
// What is said beside the line of a loop need not name that line.
const besidePlace = (stuck) => (stuck.at ? stuck.text.replace(new RegExp(`(\\bloop) at line ${stuck.at.l}\\b`), "$1") : stuck.text);
const goTo = (step) => make("button", { class: "plain", on: { click: () => app.go(step) } }, `step ${step}`);

// Those who do not hang: it is the reason why a partial deadlock goes unnoticed.
const others = (one) => {
  const state = one.state(one.steps.length);
  const free = state ? state.actors.filter((actor) => !one.stuck.some((stuck) => stuck.a === actor.a)) : [];
  if (free.length === 0) return null;
  const words = free.map((actor) => `${one.named(actor.a)} ${actor.ended ? "has ended" : actor.waits ? clean(actor.waits.t) : "goes on"}`);
  return make("p", { class: "others" }, ...rich(`not stuck: ${words.join("; ")}`, 400));
};

const label = (at) => `${clean(data.files[at.f]?.name ?? "?")}:${at.l}`;
// Without its folders, where there is little room.
const shortLabel = (at) => label(at).split("/").at(-1);

const footer = () => {
  const numbers = document.getElementById("numbers");
  const total = data.statistics.phases.reduce((sum, phase) => sum + phase[1], 0);
  const bars = make("div", { class: "bars" });
  for (const [name, seconds] of data.statistics.phases) {
    bars.append(make("span", {}, name), make("span", {}, make("i", { style: { width: `${(100 * seconds) / (total || 1)}%` } })), make("span", {}, `${seconds.toFixed(3)} s`));
  }
  numbers.append(bars);
  const course = data.statistics.course;
  if (course.length > 1) numbers.append(plot(course));
};

// The certificate of a proof as a file, for those who check it.
const certificate = () => {
  document.getElementById("save")?.addEventListener("click", () => {
    const text = new Blob([document.getElementById("certificate").textContent], { type: "application/json" });
    const link = make("a", { href: URL.createObjectURL(text), download: "certificate.json" });
    link.click();
    URL.revokeObjectURL(link.href);
  });
};

// States over time: all that were found, and those that were not looked at yet.
const plot = (course) => {
  const [W, H, LEFT, TOP] = [560, 150, 70, 12];
  const time = Math.max(...course.map((one) => one[0])) || 1;
  const most = Math.max(...course.map((one) => one[1])) || 1;
  const x = (seconds) => LEFT + (seconds / time) * (W - LEFT - 12);
  const y = (states) => TOP + (1 - states / most) * (H - TOP - 26);
  // A search that begins again begins a new line.
  const line = (value) => course.map((one, at) => `${at === 0 || one[1] < course[at - 1][1] ? "M" : "L"}${x(one[0]).toFixed(1)} ${y(value(one)).toFixed(1)}`).join("");
  const begun = course.filter((one, at) => at === 0 || one[1] < course[at - 1][1]).length;
  const label = `${course.length} looks at the search: ${most} states after ${time.toFixed(1)} s at most`;
  const svg = draw("svg", { viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: "img", "aria-label": label, class: "plot" },
    draw("path", { d: `M${LEFT} ${TOP}V${H - 26}H${W - 12}`, stroke: "var(--faint)", fill: "none" }),
    draw("path", { d: line((one) => one[1]), stroke: "var(--t0)", "stroke-width": 2, fill: "none" }),
    draw("path", { d: line((one) => one[2]), stroke: "var(--t1)", "stroke-width": 2, "stroke-dasharray": "5 4", fill: "none" }),
    draw("text", { x: LEFT - 6, y: TOP + 8, "text-anchor": "end" }, most.toLocaleString("en")),
    draw("text", { x: W - 12, y: H - 8, "text-anchor": "end" }, `${time.toFixed(1)} s`),
    draw("text", { x: LEFT - 6, y: H - 26, "text-anchor": "end" }, "0"));
  const caption = `states over time: —— found, - - - found and not looked at yet${begun > 1 ? `; the search began ${begun} times` : ""}`;
  return make("figure", {}, make("figcaption", {}, caption), svg);
};
