// ---- the sequence diagram: only the rows that can be seen are in the page --------
// A narrow column for each thread has its lifeline, the dots of its steps and the arrows; what a step does stands
// beside them, so that no arrow crosses words, and is wrapped, so that nothing of it is cut off.

const LINE = 18;
const MARGIN = 46;
// As many as a row of a terminal has at most.
const TOLD = 14;

const diagram = {
  build(one) {
    this.pane = document.getElementById("diagram");
    this.lane = one.lanes.length <= 4 ? 36 : one.lanes.length <= 8 ? 28 : 18;
    this.columns = `${MARGIN}px repeat(${one.lanes.length}, ${this.lane}px) minmax(12rem, 1fr)`;
    const heads = one.lanes.map((actor) => make("div", { class: "lane", style: colour(actor), title: this.name(one, actor) }, badge(one, actor)));
    const names = one.lanes.slice(0, 12).map((actor) => make("span", { class: "name", style: colour(actor) }, make("b", {}, String(actor + one.first)), ` ${shorten(clean(one.actors[actor] ?? ""), 40)}`));
    if (one.lanes.length > 12) names.push(make("span", { class: "name" }, `… ${one.lanes.length - 12} more`));
    this.head = make("div", { class: "lanes", style: { "grid-template-columns": this.columns } }, make("div", {}, "step"), ...heads, make("div", { class: "names" }, ...names));
    this.body = make("div", { class: "rows" });
    this.pane.replaceChildren(this.head, this.body);
    this.pane.onscroll = () => this.paint(app.now);
    onresize = () => {
      this.fill();
      this.measure(app.now);
      this.paint(app.now);
    };
    this.fill();
    this.measure(one);
  },

  name: (one, actor) => `${one.who(actor)} ${clean(one.actors[actor] ?? "")}`,

  // The panes take what is left of the window, on wide ones.
  fill() {
    const panes = document.querySelector(".panes");
    const wide = matchMedia("(min-width: 1051px)").matches;
    panes.style.height = wide ? `${Math.max(420, innerHeight - panes.offsetTop - 4)}px` : "";
  },

  // How many letters fit beside the lanes, and with that the lines of each row and where it begins.
  measure(one) {
    const probe = make("code", { class: "what" }, "m".repeat(40));
    probe.style.position = "absolute";
    this.pane.append(probe);
    const letter = probe.getBoundingClientRect().width / 40 || 8;
    probe.remove();
    this.left = MARGIN + one.lanes.length * this.lane;
    const room = Math.max(192, this.pane.clientWidth - this.left) - 16;
    const letters = Math.max(16, Math.floor(room / letter));
    this.lines = one.rows.map((row) => this.words(one, row).flatMap((text) => wrap(text, letters)));
    this.tops = [0];
    for (const lines of this.lines) this.tops.push(this.tops.at(-1) + LINE * lines.length + 8);
    this.body.style.height = `${this.tops.at(-1)}px`;
    this.body.style.minWidth = this.head.style.minWidth = `calc(${this.left}px + 12rem)`;
  },

  // What a row says, before it is wrapped.
  words(one, row) {
    if (row.mark) return [row.mark];
    if (row.beginning) return one.beginning.map((told) => `${told.at ? `${told.at.l}: ` : ""}${shorten(clean(told.t), 200)}`);
    if (row.fold) return [`▸ ${row.fold.text}`];
    if (row.stuck) return [`${one.who(row.stuck.a)} hangs${row.stuck.at ? ` in line ${row.stuck.at.l}` : ""}: ${shorten(clean(besidePlace(row.stuck)), 200)}`];
    const { told, rows } = one.steps[row.step];
    const all = rows ?? told.map((one) => `${one.at ? `${one.at.l}: ` : ""}${one.t}`);
    const lines = all.slice(0, TOLD).map((text) => shorten(clean(text), 200));
    if (all.length > TOLD) lines.push(`… ${all.length - TOLD} more lines`);
    return lines.length === 0 ? [""] : lines;
  },

  // The row at a height.
  rowAt(height) {
    let [low, high] = [0, this.tops.length - 1];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle] <= height) low = middle;
      else high = middle;
    }
    return low;
  },

  show(one, position) {
    const row = position === 0 ? 0 : one.rowOf.get(position - 1);
    // At the end, also what the last step led to.
    const last = position === one.steps.length ? one.rows.length - 1 : row;
    const [top, bottom] = [this.tops[row], this.tops[last + 1]];
    const view = this.pane.clientHeight - this.head.offsetHeight;
    if (top < this.pane.scrollTop || bottom > this.pane.scrollTop + view) {
      // No row is cut in two at the top, unless the end would not be in sight then.
      const wanted = Math.max(0, bottom - top > view ? top : Math.min(top, (top + bottom - view) / 2));
      const next = this.tops[this.rowAt(wanted) + 1];
      this.pane.scrollTop = wanted > this.tops[this.rowAt(wanted)] && next <= top ? next : wanted;
    }
    this.paint(one);
  },

  paint(one) {
    const from = Math.max(0, this.rowAt(this.pane.scrollTop) - 10);
    const to = Math.min(one.rows.length, this.rowAt(this.pane.scrollTop + this.pane.clientHeight) + 10);
    const parts = [];
    for (let index = from; index < to; index++) parts.push(this.row(one, one.rows[index], index));
    this.body.replaceChildren(this.picture(one, from, to), ...parts);
  },

  row(one, row, index) {
    const style = { top: `${this.tops[index]}px`, height: `${this.tops[index + 1] - this.tops[index]}px` };
    const lines = this.lines[index].map((text) => make("span", { class: "line" }, text));
    const words = make("span", { class: "what", style: { "margin-left": `${this.left}px` } }, ...lines);
    if (row.beginning) return make("div", { class: "before", style: { ...style, ...colour(0) }, title: "before the first step", "data-row": index }, words);
    if (row.mark) return make("div", { class: row.bad ? "mark bad" : "mark", style, "data-row": index }, words);
    if (row.stuck) return make("div", { class: "mark hangs", style: { ...style, ...colour(row.stuck.a) }, "data-row": index }, words);
    if (row.fold) {
      return make("button", { class: "fold", style, title: "show these steps", "data-row": index, on: { click: () => {
        one.unfolded.add(row.fold.from);
        one.layOut();
        this.build(one);
        app.go(app.position);
      } } }, words);
    }
    const step = one.steps[row.step];
    const now = row.step === app.position - 1;
    words.prepend(make("span", { class: "visually-hidden" }, `${one.who(step.a)}: `));
    return make("button", {
      class: now ? "step now" : "step", "aria-current": now ? "step" : null, style, "data-row": index,
      title: shorten(step.told.map((told) => (told.at ? `${told.at.l}: ` : "") + clean(told.t)).join("\n"), 2000),
      on: { click: () => app.go(row.step + 1) },
    }, make("span", { class: "n" }, String(row.step + 1)), words);
  },

  // Lifelines, a dot for each step, and arrows from what lets go to what goes on.
  picture(one, from, to) {
    const lane = (actor) => MARGIN + this.lane * (one.lanes.indexOf(actor) + 0.5);
    const y = (index) => this.tops[index] + 13;
    const svg = draw("svg", { width: this.left, height: this.tops.at(-1), "aria-hidden": "true" },
      draw("defs", {}, draw("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 10, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto" }, draw("path", { d: "M0 0 8 4 0 8z", fill: "var(--ink)" })),
        ...[["round", "var(--unsure)"], ["on", "var(--bad)"]].map(([id, fill]) => draw("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 10, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto" }, draw("path", { d: "M0 0 8 4 0 8z", fill })))));
    for (const actor of one.lanes) {
      const line = (top, bottom, look) => bottom > top && svg.append(draw("line", { x1: lane(actor), x2: lane(actor), y1: top, y2: bottom, ...look }));
      const [top, bottom] = [this.tops[from], this.tops[to]];
      const stuck = one.stuck.find((other) => other.a === actor);
      const since = stuck?.since ? y(one.rowOf.get(stuck.since - 1)) : stuck ? 0 : bottom;
      line(top, Math.min(bottom, since), { stroke: `var(--t${actor % 8})`, "stroke-width": 2, opacity: 0.45 });
      // From here on it hangs.
      line(Math.max(top, since), bottom, { class: "hanging", stroke: "var(--bad)", "stroke-width": 4, "stroke-dasharray": "3 3" });
    }
    for (const [source, target] of one.links) {
      const [a, b] = [one.rowOf.get(source), one.rowOf.get(target)];
      if (a === b || Math.max(a, b) < from || Math.min(a, b) > to) continue;
      const [x1, x2] = [lane(one.steps[source].a), lane(one.steps[target].a)];
      const bend = x1 < x2 ? -5 : 5;
      svg.append(draw("path", { class: "link", "data-link": `${a} ${b}`, d: `M${x1} ${y(a)} L${x2 + bend} ${y(b)}`, stroke: "var(--ink)", "stroke-width": 1.3, "stroke-dasharray": "4 3", fill: "none", "marker-end": "url(#tip)" }));
    }
    for (let index = from; index < to; index++) {
      const row = one.rows[index];
      if (row.stuck && one.lanes.includes(row.stuck.a)) svg.append(draw("rect", { class: "stop", x: lane(row.stuck.a) - 7, y: y(index) - 7, width: 14, height: 14, fill: "var(--bad)", "data-row": index }));
      // Who would have to move for it to go on.
      for (const other of row.stuck?.on ?? []) {
        if (other === row.stuck.a || !one.lanes.includes(other) || !one.lanes.includes(row.stuck.a)) continue;
        const side = lane(row.stuck.a) < lane(other) ? 1 : -1;
        svg.append(draw("path", { class: "waits-for", "data-lanes": `${one.lanes.indexOf(row.stuck.a)} ${one.lanes.indexOf(other)}`, d: `M${lane(row.stuck.a) + 7 * side} ${y(index)} H${lane(other) - 3 * side}`, stroke: "var(--bad)", "stroke-width": 2, fill: "none", "marker-end": "url(#on)" }));
      }
      if (row.beginning) svg.append(draw("circle", { class: "before", cx: lane(0), cy: y(index), r: 4, fill: "var(--panel)", stroke: "var(--t0)", "stroke-width": 2, "data-row": index, "data-lane": one.lanes.indexOf(0) }));
      if (row.step === undefined) continue;
      const { a } = one.steps[row.step];
      svg.append(draw("circle", { cx: lane(a), cy: y(index), r: row.step === app.position - 1 ? 6.5 : 5, fill: `var(--t${a % 8})`, "data-row": index, "data-lane": one.lanes.indexOf(a) }));
    }
    if (one.cycle_start !== null && one.cycle_start < one.steps.length) {
      const [first, last] = [one.rowOf.get(one.cycle_start), one.rowOf.get(one.steps.length - 1)];
      const [top, bottom, round] = [y(first) - 4, y(last) + 4, first === last ? 7 : 0];
      svg.append(draw("path", { class: "cycle", "data-link": `${last} ${first}`, d: `M22 ${bottom} C1 ${bottom + round} 1 ${top - round} 21 ${top}`, stroke: "var(--unsure)", "stroke-width": 2, fill: "none", "marker-end": "url(#round)" }));
    }
    return svg;
  },
};

// Lines of at most so many letters, broken between words if that can be.
const wrap = (text, most) => {
  const lines = [];
  let rest = text;
  while (rest.length > most) {
    const space = rest.lastIndexOf(" ", most);
    const end = space > most / 3 ? space : most;
    lines.push(rest.slice(0, end));
    rest = `  ${rest.slice(end).trimStart()}`;
  }
  lines.push(rest);
  return lines;
};

const badge = (one, actor) => make("b", { class: "who-is", title: one.who(actor) }, String(actor + one.first));

