// ---- the toolbar --------------------------------------------------------------

const toolbar = {
  build() {
    const one = app.now;
    const place = document.getElementById("toolbar");
    const button = (text, title, target) => make("button", { title, on: { click: () => app.go(target()) } }, text);
    this.first = button("« first", "to the beginning (Home)", () => 0);
    this.previous = button("◀ back", "one step back (left arrow, k)", () => app.position - 1);
    this.next = button("next ▶", "one step on (right arrow, j)", () => app.position + 1);
    this.last = button("last »", "to the end (End)", () => app.now.steps.length);
    this.slider = make("input", { type: "range", min: 0, max: one.steps.length, "aria-label": "position in the schedule", on: { input: () => app.go(Number(this.slider.value)) } });
    this.where = make("output", { "aria-live": "polite" });
    const parts = [this.first, this.previous, this.next, this.last, this.slider, this.where];
    if (one.too_late !== null) parts.push(button("too late", "where it is too late (t)", () => one.too_late));
    if (one.cycle_start !== null) parts.push(button("cycle ↻", "where it begins to repeat (c)", () => one.cycle_start));
    if (one.folds.length > 0) {
      parts.push(make("button", { on: { click: () => {
        const all = one.unfolded.size < one.folds.length;
        one.unfolded = new Set(all ? one.folds.map((fold) => fold.from) : []);
        one.layOut();
        diagram.build(one);
        app.go(app.position);
      } } }, "fold / unfold"));
    }
    if (app.cases.length > 1) {
      const choice = make("select", { "aria-label": "violation", on: { change: () => app.select(choice.selectedIndex) } },
        ...app.cases.map((other, index) => make("option", { selected: index === app.index }, `violation ${index + 1} of ${app.cases.length}: ${shorten(clean(other.message), 60)}`)));
      parts.unshift(choice);
    }
    const key = (name, what) => [make("kbd", {}, name), ` ${what} `];
    parts.push(make("span", { class: "keys" }, ...key("←", ""), ...key("→", "step"), ...(one.too_late !== null ? key("t", "too late") : []), ...(one.cycle_start !== null ? key("c", "cycle") : []), ...key("Home", ""), ...key("End", "")));
    place.replaceChildren(...parts);
  },

  show(one, position) {
    this.slider.value = position;
    this.where.textContent = position === 0 ? `before step 1 of ${one.steps.length}` : `after step ${position} of ${one.steps.length}`;
    this.first.disabled = this.previous.disabled = position === 0;
    this.next.disabled = this.last.disabled = position === one.steps.length;
  },
};

// ---- the source, which follows the position -----------------------------------------

const source = {
  build(one) {
    this.did = document.getElementById("did");
    this.code = document.getElementById("code");
    const files = document.getElementById("files");
    files.hidden = data.files.length === 1;
    files.replaceChildren(...data.files.map((file, index) => make("button", { "aria-pressed": false, on: { click: () => { this.open(one, index); this.marks(one, app.position); } } }, clean(file.name))));
    this.buttons = [...files.children];
    this.file = -1;
  },

  open(one, file) {
    if (file === this.file || !data.files[file]) return;
    this.file = file;
    this.buttons.forEach((button, index) => button.setAttribute("aria-pressed", index === file));
    const notes = this.notes(one, file);
    this.lines = data.files[file].text.split("\n").map((text, index) => {
      const here = (at) => at && at.f === file && at.l === index + 1;
      const stuck = one.stuck.filter((stuck) => here(stuck.at));
      const guilty = stuck.length > 0 || here(one.at);
      const why = stuck.length > 0 ? `${stuck.map((other) => one.who(other.a)).join(", ")} hang${stuck.length === 1 ? "s" : ""} here` : "the line that is reported";
      const noted = (notes.get(index + 1) ?? []).map((note) => make("span", { class: "note" }, "↑ ", ...rich(note)));
      return make("div", { class: guilty ? "codeline guilty" : "codeline", title: guilty ? why : null },
        make("span", { class: "who" }), make("span", { class: "num" }, String(index + 1)), make("span", { class: "text" }, clean(text.replace(/\r$/, ""))), noted.length > 0 ? make("span", { class: "notes" }, ...noted) : null);
    });
    this.code.replaceChildren(...this.lines);
    this.marked = [];
  },

  // What is said below a line: who hangs there, and the other places of the violation.
  notes(one, file) {
    const notes = new Map();
    const add = (at, text) => at && at.f === file && notes.set(at.l, [...(notes.get(at.l) ?? []), text]);
    for (const stuck of one.stuck) add(stuck.at, `${one.who(stuck.a)} hangs here: ${besidePlace(stuck)}`);
    if (one.at && !one.stuck.some((stuck) => stuck.at && stuck.at.f === one.at.f && stuck.at.l === one.at.l)) add(one.at, one.reported);
    for (const label of one.labels) if (!one.stuck.some((stuck) => stuck.at && label.at && stuck.at.f === label.at.f && stuck.at.l === label.at.l)) add(label.at, label.text);
    return notes;
  },

  // Scrolls as little as shows these lines, or the first of them if they are far apart.
  reveal(lines) {
    if (lines.length === 0) return;
    const pane = document.getElementById("source");
    const hidden = document.querySelector(".follows").offsetHeight;
    const [view, sorted] = [pane.clientHeight - hidden, [...lines].sort((a, b) => a.offsetTop - b.offsetTop)];
    const top = sorted[0].offsetTop - 8;
    const ends = sorted.map((line) => line.offsetTop + line.offsetHeight + 8).filter((end) => end - top <= view);
    const bottom = ends.at(-1) ?? top + view;
    if (top >= pane.scrollTop + hidden && bottom <= pane.scrollTop + pane.clientHeight) return;
    // No line is cut in two at the top.
    const wanted = (top + bottom - view) / 2;
    const most = pane.scrollHeight - pane.clientHeight;
    const fitting = this.lines.filter((line) => line.offsetTop - hidden <= most);
    const first = fitting.find((line) => line.offsetTop >= wanted) ?? fitting.at(-1);
    pane.scrollTop = Math.max(0, (first?.offsetTop ?? wanted) - hidden);
  },

  show(one, position) {
    const step = one.steps[position - 1];
    // At the end, the lines in which threads hang are what is looked for.
    const ends = position === one.steps.length ? one.stuck.map((stuck) => stuck.at).filter((at) => at) : [];
    const at = ends[0] ?? (step ? (step.at ?? one.places(position).get(step.a)) : one.places(0).values().next().value);
    this.open(one, at ? at.f : this.file < 0 ? 0 : this.file);
    this.tell(one, position, step);
    this.marks(one, position);
    const shown = ends.length > 0 ? ends : at ? [at] : [];
    this.reveal(shown.filter((one) => one.f === this.file).map((one) => this.lines?.[one.l - 1]).filter((line) => line));
  },

  tell(one, position, step) {
    if (!step) {
      const lines = one.beginning.map((told) => make("li", {}, make("code", {}, told.at ? `${told.at.l}: ` : "", plain(told.t))));
      this.did.replaceChildren(make("span", { class: "none" }, lines.length > 0 ? `before the first step, ${one.who(0)}` : "before the first step"), ...(lines.length > 0 ? [make("ul", {}, ...lines)] : []));
      this.did.removeAttribute("style");
      return;
    }
    this.did.style.setProperty("--c", `var(--t${step.a % 8})`);
    const lines = step.told.slice(0, 60).map((told) => make("li", {}, make("code", {}, told.at ? `${told.at.l}: ` : "", plain(told.t))));
    const title = `step ${position}: ${one.named(step.a)}`;
    if (step.told.length > 60) lines.push(make("li", {}, `… ${step.told.length - 60} more`));
    const calls = step.callers.length === 0 ? null : make("p", { class: "none" }, `called from ${step.callers.map((at) => `${clean(at.n)} (${shortLabel(at)})`).join(", from ")}`);
    this.did.replaceChildren(make("b", {}, title), make("ul", { tabindex: 0, "aria-label": "what it did" }, ...lines), calls ?? "");
  },

  // Who is where, and the line of the step.
  marks(one, position) {
    for (const line of this.marked ?? []) {
      line.classList.remove("now", "here");
      line.firstChild.replaceChildren();
    }
    this.marked = [];
    const mark = (at, kind, actor) => {
      const line = at.f === this.file ? this.lines?.[at.l - 1] : null;
      if (!line) return;
      line.classList.add(kind);
      this.marked.push(line);
      if (actor !== null) line.firstChild.append(make("b", { style: colour(actor), title: one.who(actor) }, String(actor + one.first)));
    };
    for (const [actor, at] of one.places(position)) mark(at, "here", actor);
    const step = one.steps[position - 1];
    if (step?.at) mark(step.at, "now", null);
  },
};

// ---- the state -------------------------------------------------------------------------

const inspector = (one, position) => {
  const place = document.getElementById("state");
  const state = one.state(position);
  if (!state) {
    const places = [...one.places(position)].sort(([a], [b]) => a - b);
    const rows = places.map(([actor, at]) => make("div", { class: "thread", style: colour(actor) }, make("b", {}, one.named(actor)), make("span", { title: label(at) }, ` was last at ${shortLabel(at)}`)));
    place.replaceChildren(make("p", { class: "none" }, "This run has no recorded states: only what its steps tell is known."), ...rows);
    return;
  }
  const before = position > 0 ? one.state(position - 1) : null;
  // A step that fails leads to no state.
  const failed = position >= one.states.states.length ? [make("p", { class: "none" }, `The state before step ${one.states.states.length}, which fails.`)] : [];
  const parts = [...failed, make("h2", {}, plural(one)), ...state.actors.map((actor) => threadView(one, actor, before?.actors.find((old) => old.a === actor.a)))];
  const section = (title, content) => { if (content) parts.push(make("h2", {}, title), content); };
  section("locks", state.locks.length > 0 ? lockTable(one, state.locks, before?.locks) : null);
  section("channels", state.channels.length > 0 ? variables(state.channels.map((c) => ({ n: c.n, v: `[${c.m.join(" | ")}] of ${c.c}` })), before?.channels.map((c) => ({ n: c.n, v: `[${c.m.join(" | ")}] of ${c.c}` }))) : null);
  section("globals", state.globals.length > 0 ? variables(state.globals, before?.globals) : null);
  section("open sections", state.sections.length > 0 ? make("ul", {}, ...state.sections.map((s) => make("li", {}, `${one.who(s.a)}: ${s.k} ${plain(s.n)}`))) : null);
  section("heap", state.objects.length > 0 ? heap(state, before) : null);
  const open = new Set([...place.querySelectorAll("details:not([open])")].map((d) => d.dataset.key));
  place.replaceChildren(...parts);
  for (const details of place.querySelectorAll("details")) if (open.has(details.dataset.key)) details.open = false;
};

const threadView = (one, actor, old) => {
  const inVain = one.stuck.some((stuck) => stuck.a === actor.a) && app.position >= (one.too_late ?? one.steps.length);
  const status = actor.ended ? make("span", { class: "ended" }, "has ended")
    : actor.waits ? make("span", { class: "waits" }, ...rich(actor.waits.t))
    : inVain ? make("span", { class: "waits" }, "moves, but gets nowhere") : make("span", {}, "can move");
  const frames = actor.frames.map((frame, depth) => {
    const before = old && old.frames.length === actor.frames.length ? old.frames[depth]?.vars : null;
    return make("div", { class: "frame" }, make("span", {}, make("code", {}, plain(frame.n)), frame.at ? make("span", { title: label(frame.at) }, ` at ${shortLabel(frame.at)}`) : ""), frame.vars.length > 0 ? variables(frame.vars, before) : null);
  });
  const own = actor.own.length > 0 ? [make("div", { class: "frame" }, make("span", {}, "thread-local variables"), variables(actor.own, old?.own))] : [];
  return make("details", { class: "thread", open: true, "data-key": actor.a, style: colour(actor.a) }, make("summary", {}, make("b", {}, one.who(actor.a)), actor.n === "" ? ": " : ` (${plain(actor.n)}): `, status), ...frames, ...own);
};

const variables = (rows, before) => {
  const old = new Map((before ?? []).map((row) => [row.n, row.v]));
  const line = (row) => {
    const changed = before && old.get(row.n) !== row.v;
    return make("tr", { class: changed ? "changed" : null }, make("th", { scope: "row" }, make("code", {}, plain(row.n))), make("td", { "data-was": changed ? shorten(clean(old.has(row.n) ? `was ${old.get(row.n)}` : "new"), 40) : null }, make("code", {}, plain(row.v))));
  };
  return make("table", { class: "vars" }, make("tbody", {}, ...rows.map(line)));
};

const lockTable = (one, locks, before) => {
  const list = (actors) => (actors.length === 0 ? "nobody" : actors.map((actor) => one.who(actor)).join(", "));
  const text = (lock) => `held by ${list(lock.o)}${lock.w.length > 0 ? `, ${list(lock.w)} waiting` : ""}`;
  const row = (lock) => ({ n: `${lock.k} ${lock.n}`, v: lock.k === "condition" || lock.k === "barrier" || lock.k === "semaphore" ? `${list(lock.w)} waiting` : text(lock) });
  return variables(locks.map(row), before?.map(row));
};

// ---- graphs --------------------------------------------------------------------------

// Who waits for whom at the end, and for what; what nobody holds is a box of its own. Arrows on a cycle are
// thicker.
const waitGraph = (one) => {
  const state = one.state(one.steps.length);
  const waiting = new Map(one.stuck.map((stuck) => [stuck.a, { a: stuck.a, on: stuck.on, text: stuck.text }]));
  for (const actor of state?.actors ?? []) {
    if (!actor.ended && actor.waits) waiting.set(actor.a, { a: actor.a, on: actor.waits.on, text: actor.waits.t });
  }
  // With the values of local variables in it, since those have the same names in other threads.
  const named = (a, text) => {
    const name = nameIn(text);
    return meant(one, { a, text }).reduce((known, v) => known?.replace(new RegExp(`\\b${v.n}\\b`, "g"), () => v.v), name);
  };
  const edges = [];
  for (const { a, on, text } of waiting.values()) {
    for (const other of on) edges.push({ from: a, to: other, name: named(a, text) });
    if (on.length === 0 && named(a, text)) edges.push({ from: a, to: `\u0000${named(a, text)}`, name: null });
  }
  if (edges.length === 0) return null;
  const nodes = [...new Set(edges.flatMap((edge) => [edge.from, edge.to]))].sort((x, y) => (typeof x === typeof y ? (x < y ? -1 : 1) : typeof x === "number" ? -1 : 1));
  // Where nobody waits for another thread, what each waits for stands beside it; otherwise all are on a circle.
  const threads = nodes.filter((node) => typeof node === "number");
  const apart = edges.every((edge) => typeof edge.to !== "number");
  const radius = Math.max(80, 19 * nodes.length);
  const [width, height] = [apart ? 400 : radius * 3 + 160, apart ? 44 * Math.max(threads.length, nodes.length - threads.length) + 10 : nodes.length <= 2 ? 120 : 2 * radius + 70];
  const point = new Map(nodes.map((node, index) => {
    if (apart) return [node, typeof node === "number" ? [80, 27 + 44 * index] : [width - 80, 27 + 44 * (index - threads.length)]];
    const angle = (2 * Math.PI * index) / nodes.length + (nodes.length === 2 ? Math.PI : -Math.PI / 2);
    return [node, [width / 2 + radius * 1.5 * Math.cos(angle), height / 2 + radius * Math.sin(angle)]];
  }));
  const next = (node) => edges.filter((edge) => edge.from === node).map((edge) => edge.to);
  const reaches = (from, to, seen = new Set()) => next(from).some((node) => node === to || (!seen.has(node) && reaches(node, to, seen.add(node))));
  const words = [...waiting.values()].map((actor) => `${one.who(actor.a)} ${clean(actor.text)}`).join("; ");
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `who waits for whom: ${shorten(words, 600)}` },
    draw("defs", {}, draw("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, orient: "auto", markerUnits: "userSpaceOnUse" }, draw("path", { d: "M0 0 8 4 0 8z", fill: "var(--bad)" }))));
  for (const { from, to, name } of edges) {
    const [[x1, y1], [x2, y2]] = [point.get(from), point.get(to)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    // From border to border of the boxes, bent so that both directions can be seen.
    const out = Math.min(50 / (Math.abs(ux) || 0.01), 18 / (Math.abs(uy) || 0.01));
    const bend = edges.some((edge) => edge.from === to && edge.to === from) ? 34 : 0;
    const [mx, my] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
    const side = bend === 0 ? 0 : 6;
    svg.append(draw("path", { d: `M${x1 + ux * out - uy * side} ${y1 + uy * out + ux * side} Q${mx} ${my} ${x2 - ux * out - uy * side} ${y2 - uy * out + ux * side}`, fill: "none", stroke: "var(--bad)", "stroke-width": reaches(to, from) ? 2.5 : 1.3, "marker-end": "url(#arrow)" }));
    if (name) {
      const far = bend === 0 ? 12 : bend * 0.6 + 12;
      svg.append(draw("text", { x: (x1 + x2) / 2 - uy * far, y: (y1 + y2) / 2 + ux * far + 4, "text-anchor": Math.abs(uy) < 0.3 ? "middle" : uy > 0 ? "end" : "start", class: "about" }, shorten(clean(name), 22)));
    }
  }
  for (const node of nodes) {
    const [x, y] = point.get(node);
    const thread = typeof node === "number";
    const text = thread ? one.who(node) : shorten(clean(node.slice(1)), 12);
    svg.append(draw("rect", { x: x - 46, y: y - 15, width: 92, height: 30, rx: thread ? 8 : 0, fill: "var(--paper)", stroke: thread ? `var(--t${node % 8})` : "var(--faint)", "stroke-width": 2, "stroke-dasharray": thread ? "none" : "4 3" }), draw("text", { x, y: y + 5, "text-anchor": "middle" }, text));
  }
  return make("figure", { style: { margin: 0 } }, make("figcaption", {}, make("b", {}, "who waits for whom")), svg);
};

// Objects in rows by how many pointers lead to them from a variable: a list goes down the pane.
const heap = (state, before) => {
  const objects = state.objects.slice(0, 40);
  const roots = [...state.globals, ...state.actors.flatMap((actor) => [...actor.own, ...actor.frames.flatMap((frame) => frame.vars)])].filter((v) => v.to !== undefined).map((v) => v.to);
  const depth = new Map();
  let layer = [...new Set(roots)];
  for (let level = 0; layer.length > 0; level++) {
    const next = [];
    for (const id of layer) if (!depth.has(id) && state.objects[id]) {
      depth.set(id, level);
      for (const part of state.objects[id].parts) if (part.to !== undefined) next.push(part.to);
    }
    layer = next;
  }
  const unreached = Math.max(-1, ...depth.values()) + 1;
  const [W, LINE] = [200, 17];
  const rows = [];
  const boxes = objects.map((object, index) => {
    const parts = object.parts.slice(0, 6);
    const box = { object, parts, height: LINE * (parts.length + 1) + 12 };
    (rows[depth.get(index) ?? unreached] ??= []).push(box);
    return box;
  });
  let y = 4;
  for (const row of rows.filter((row) => row)) {
    row.forEach((box, index) => Object.assign(box, { x: 4 + index * (W + 40), y }));
    y += Math.max(...row.map((box) => box.height)) + 26;
  }
  const width = Math.max(1, ...rows.map((row) => row?.length ?? 0)) * (W + 40) + 20;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${y}`, width, height: y, role: "img", "aria-label": `${state.objects.length} objects of the heap` },
    draw("defs", {}, draw("marker", { id: "point", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, draw("path", { d: "M0 0 8 4 0 8z", fill: "var(--link)" }))));
  const old = new Map((before?.objects ?? []).map((object) => [object.id, object]));
  for (const box of boxes) {
    const known = old.get(box.object.id);
    const fits = (text, most) => shorten(clean(text), most).slice(0, most);
    svg.append(draw("rect", { x: box.x, y: box.y, width: W, height: box.height, rx: 6, fill: before && !known ? "var(--changed)" : "var(--panel)", stroke: "var(--faint)" }),
      draw("text", { x: box.x + 6, y: box.y + 15, "font-weight": 700 }, fits(box.object.n.replace("heap memory allocated at ", "from "), 26)));
    box.parts.forEach((part, index) => {
      const was = known?.parts.find((other) => other.n === part.n)?.v;
      const y = box.y + 15 + LINE * (index + 1);
      if (before && known && was !== part.v) svg.append(draw("rect", { x: box.x + 2, y: y - 12, width: W - 4, height: LINE - 1, fill: "var(--changed)" }));
      svg.append(draw("text", { x: box.x + 6, y }, fits(`${part.n}: ${part.to === undefined ? part.v : "•"}`, 28)));
      const target = part.to === undefined ? null : boxes[part.to];
      // Down to the next row it enters at the top, otherwise at the right side.
      const down = target && target.y > box.y;
      const [ex, ey] = target ? (down ? [target.x + W - 30, target.y] : [target.x + W, target.y + 12]) : [0, 0];
      if (target) svg.append(draw("path", { d: `M${box.x + W - 8} ${y - 4} C${box.x + W + 26} ${y - 4} ${down ? `${ex} ${ey - 26}` : `${ex + 30} ${ey}`} ${ex} ${ey}`, stroke: "var(--link)", fill: "none", "marker-end": "url(#point)" }));
    });
  }
  const more = state.objects.length > objects.length ? make("p", { class: "none" }, `… ${state.objects.length - objects.length} more objects`) : null;
  return make("div", { class: "heap" }, svg, more);
};

app.start();
