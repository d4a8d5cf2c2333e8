// ---- exploring: the server answers for a path, and the graph of what was seen grows -----------

const explorer = {
  nodes: new Map(),
  path: "",
  known: null,

  async ask(what, values) {
    const reply = await fetch(`${what}?${new URLSearchParams(values)}`);
    if (!reply.ok) throw new Error(await reply.text());
    return reply.json();
  },

  start(first) {
    document.getElementById("undo").addEventListener("click", () => this.undo());
    document.getElementById("restart").addEventListener("click", () => this.go(""));
    document.getElementById("ends").addEventListener("click", async () => this.tell((await this.ask("ends", { path: this.path })).text));
    document.getElementById("search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.search(document.getElementById("query").value);
    });
    addEventListener("keydown", (event) => this.key(event));
    const path = /^#path=(.+)$/.exec(wanted);
    this.show(first);
    if (path) this.go(decodeURIComponent(path[1]));
  },

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
    const chosen = /^[1-9]$/.test(event.key) ? this.known.successors[Number(event.key) - 1] : null;
    if (chosen && chosen.kind !== "nowhere") this.go(chosen.path);
    else if (event.key === "u") this.undo();
    else if (event.key === "/") document.getElementById("query").focus();
    else return;
    event.preventDefault();
  },

  undo() {
    const moves = this.path.split(";");
    if (this.path !== "") this.go(moves.slice(0, -1).join(";"));
  },

  async go(path) {
    try {
      this.show(await this.ask("state", { path }));
    } catch (problem) {
      this.tell(problem.message);
    }
  },

  async search(query) {
    this.tell("searching…");
    const found = await this.ask("search", { query });
    if (found.path !== null) await this.go(found.path);
    this.tell(found.text);
  },

  tell(text) {
    const lines = text.split("\n").map(plain);
    document.getElementById("told").replaceChildren(...lines.flatMap((line, at) => (at === 0 ? [line] : [make("br"), line])));
  },

  // Everything about the state at the end of a path.
  show(reply) {
    this.path = reply.path;
    this.known = reply;
    data.files = reply.page.files;
    app.cases = reply.page.violations.map((one) => new Case(one));
    app.index = 0;
    app.build();
    app.go(app.now.steps.length);
    const name = reply.number === null ? "" : ` (state ${reply.number} of the graph)`;
    document.getElementById("where").textContent = `${plain(reply.status)}${name}`;
    const one = app.now;
    document.getElementById("successors").replaceChildren(...reply.successors.map((next, at) => {
      const leads = { state: `to state ${next.to}`, error: "to an error", nowhere: "not followed" }[next.kind];
      // Keys, not numbers of steps.
      return make("li", { style: colour(next.actor) }, at < 9 ? make("kbd", {}, String(at + 1)) : "", " ",
        make("button", { disabled: next.kind === "nowhere", title: plain(next.what ?? ""), on: { click: () => this.go(next.path) } },
          make("b", {}, one.who(next.actor)), ` ${plain(next.text)}`),
        make("span", { class: next.kind === "error" ? "violated" : "none" }, ` ${leads}${next.what ? `: ${plain(next.what)}` : ""}`));
    }));
    this.learn(reply);
    this.draw();
  },

  learn(reply) {
    // The states on the way, which a search or a link may have passed by.
    const moves = reply.path === "" ? [] : reply.path.split(";");
    reply.trail.slice(0, -1).forEach((number, at) => {
      const from = this.node(number, moves.slice(0, at).join(";"));
      const to = this.node(reply.trail[at + 1], moves.slice(0, at + 1).join(";"));
      const step = app.now.steps[at];
      from.passed = true;
      if (!from.edges.some((edge) => edge.to === to)) from.edges.push({ to, actor: step.a, text: step.told[0]?.t ?? "" });
    });
    const here = this.node(reply.number ?? `!${reply.path}`, reply.path);
    here.seen = true;
    here.kind = reply.error !== null ? "error" : reply.ended ? "ended" : reply.successors.length === 0 ? "stuck" : "state";
    here.edges = reply.successors.filter((next) => next.kind !== "nowhere").map((next) => {
      const target = this.node(next.kind === "error" ? `!${next.path}` : next.to, next.path);
      if (next.kind === "error") target.kind = "error";
      return { to: target, actor: next.actor, text: next.text };
    });
    this.here = here;
  },

  node(id, path) {
    const depth = path === "" ? 0 : path.split(";").length;
    const known = this.nodes.get(id);
    if (known && known.depth <= depth) return known;
    if (known) return Object.assign(known, { path, depth });
    const fresh = { id, path, depth, edges: [], kind: "state", seen: false };
    this.nodes.set(id, fresh);
    return fresh;
  },

  draw() {
    const [W, H, R] = [84, 64, 17];
    const layers = [];
    for (const node of this.nodes.values()) (layers[node.depth] ??= []).push(node);
    const widest = Math.max(...layers.map((layer) => layer?.length ?? 0));
    const width = Math.max(1, widest) * W;
    layers.forEach((layer, depth) => layer.forEach((node, index) => {
      node.x = ((index + 0.5) * width) / layer.length;
      node.y = 28 + depth * H;
    }));
    const height = layers.length * H + 10;
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": `${this.nodes.size} states seen so far` },
      draw("defs", {}, draw("marker", { id: "edge", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, draw("path", { d: "M0 0 8 4 0 8z", fill: "var(--faint)" }))));
    for (const node of this.nodes.values()) {
      for (const edge of node.edges) {
        const [dx, dy] = [edge.to.x - node.x, edge.to.y - node.y];
        const length = Math.hypot(dx, dy) || 1;
        const bend = dy > 0 && dy <= H ? 0 : 26;
        const [fx, fy] = [node.x + (dx / length) * R, node.y + (dy / length) * R];
        const [tx, ty] = [edge.to.x - (dx / length) * (R + 2), edge.to.y - (dy / length) * (R + 2)];
        const shape = node === edge.to
          ? `M${node.x + R} ${node.y - 4} c 26 -14 26 22 1 9`
          : `M${fx} ${fy} Q${(fx + tx) / 2 + bend} ${(fy + ty) / 2} ${tx} ${ty}`;
        const line = draw("path", { d: shape, fill: "none", stroke: `var(--t${edge.actor % 8})`, "stroke-width": 1.6, "marker-end": "url(#edge)" });
        line.append(draw("title", {}, `${app.now.who(edge.actor)}: ${plain(edge.text)}`));
        svg.append(line);
      }
    }
    const words = { error: "error", ended: "ended", stuck: "nothing can move", state: "" };
    for (const node of this.nodes.values()) {
      const current = node === this.here;
      const sign = node.kind === "error" ? "!" : node.kind === "stuck" ? `${node.id}⊘` : node.kind === "ended" ? `${node.id}✓` : String(node.id);
      const label = `${node.kind === "error" ? "an error" : `state ${node.id}`}${words[node.kind] ? `, ${words[node.kind]}` : ""}${current ? ", here" : ""}${node.seen || node.passed ? "" : ", not visited"}`;
      const group = draw("g", { class: "node", role: "button", tabindex: 0, "aria-label": label, "data-state": node.id },
        draw("circle", { cx: node.x, cy: node.y, r: R, fill: current ? "var(--now)" : "var(--panel)", stroke: ["error", "stuck"].includes(node.kind) ? "var(--bad)" : node.kind === "ended" ? "var(--good)" : "var(--faint)", "stroke-width": node.kind === "state" ? 1.5 : 3, ...(node.seen || node.passed ? {} : { "stroke-dasharray": "4 3" }) }),
        draw("text", { x: node.x, y: node.y + 5, "text-anchor": "middle" }, sign),
        draw("title", {}, label));
      group.addEventListener("click", () => this.go(node.path));
      group.addEventListener("keydown", (event) => event.key === "Enter" && this.go(node.path));
      svg.append(group);
    }
    const place = document.getElementById("graph");
    place.replaceChildren(svg);
    if (this.here) place.scrollTop = Math.max(0, this.here.y - place.clientHeight / 2);
  },
};

{
  // A link names the path, not a step of it.
  const step = app.go.bind(app);
  app.go = (position) => {
    step(position);
    history.replaceState(null, "", `#path=${encodeURIComponent(explorer.path)}`);
  };
  explorer.start(JSON.parse(document.getElementById("first").textContent));
}
