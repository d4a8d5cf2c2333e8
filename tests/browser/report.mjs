// Looks at HTML reports in a real browser. Arguments: the browser, a directory for
// pictures, the directory of the expected views, and pages as KIND=FILE. Prints what is wrong and ends with 1, or
// ends with 0. With EXEUNT_BLESS in the environment the present views become the expected ones.
import { createRequire } from "node:module";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Pictures, withFonts } from "./pictures.mjs";

// The packages are installed in the working directory.
const require = createRequire(`${process.cwd()}/`);
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [executablePath, pictures, views, ...pages] = process.argv.slice(2);
const problems = [];
// The key views.
const PICTURES = {
  deadlock: [["light", 1500, 950], ["dark", 1500, 950], ["light", 800, 900], ["light", 390, 844]],
  wakeup: [["light", 1500, 950]],
  livelock: [["light", 1500, 950]],
  freed: [["dark", 1500, 950]],
  model: [["light", 1500, 950]],
  native: [["dark", 1500, 950]],
  proof: [["light", 1500, 950]],
};
const expect = (truth, what) => {
  if (!truth) problems.push(what);
};

// With scroll bars, as readers have them: they take room.
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"], ignoreDefaultArgs: ["--hide-scrollbars"] });
const album = await Pictures.open(browser, views);
for (const argument of pages) {
  const [kind, file] = argument.split("=");
  const context = await browser.newContext({ viewport: { width: 1500, height: 950 } });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(`${kind}: console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`${kind}: ${error.stack ?? error}`));
  page.on("dialog", (dialog) => {
    problems.push(`${kind}: a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) problems.push(`${kind}: the page asks for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  if (kind === "proof") await proof(kind, page);
  else await look(kind, page, file);
  for (const [theme, width, height] of PICTURES[kind] ?? []) await picture(kind, context, file, theme, width, height);
  await context.close();
}
await browser.close();
for (const problem of problems) console.log(problem);
process.exit(problems.length > 0 ? 1 : 0);

// A picture of what is seen as the page opens.
async function picture(kind, context, file, theme, width, height) {
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.goto(pathToFileURL(withFonts(file, require)).href);
  await page.evaluate(() => {
    try { localStorage.clear(); } catch { /* nothing is kept for files */ }
  });
  await page.reload();
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(200);
  const name = `${kind}-${theme}-${width}`;
  const seen = await page.screenshot();
  writeFileSync(`${pictures}/${name}.png`, seen);
  const differs = await album.compare(name, seen, process.env.EXEUNT_BLESS);
  if (differs) problems.push(`${name}: ${differs}`);
  // The comparison sees what a reader would: without the graph, or in other colours, it is another picture.
  if (kind === "deadlock" && theme === "light" && width === 1500) {
    for (const [what, style] of [["the graph is gone", ".waitgraph { visibility: hidden; }"], ["a card moves", ".card { translate: 0 30px; }"], ["the lines of threads are pale", "#diagram svg { opacity: .2; }"], ["the present step is not marked", ".codeline.now, .step.now { background: none; }"]]) {
      const added = await page.addStyleTag({ content: style });
      const unseen = (await album.compare(name, await page.screenshot(), false)) === null;
      expect(!unseen, `${name}: nobody sees that ${what}`);
      await added.evaluate((tag) => tag.remove());
    }
  }
  await page.close();
}

// What a reader sees first, as geometry that no font changes: who is drawn where, what leads to what, which rows
// and marks there are, which colours stand for what, and that nothing overlaps or is cut off.
async function view(kind, page) {
  const drawn = await page.evaluate(() => {
    const lines = [];
    const round = (text) => text.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number))));
    for (const part of document.querySelectorAll(".waitgraph svg > :not(defs)")) {
      const at = ["x", "y", "d", "rx", "stroke-width", "stroke-dasharray"].filter((name) => part.hasAttribute(name)).map((name) => `${name}=${round(part.getAttribute(name))}`);
      lines.push(`graph: ${part.tagName} ${at.join(" ")} ${part.textContent}`.trimEnd());
    }
    const dots = [...document.querySelectorAll("#diagram circle")];
    for (const row of document.querySelectorAll("#diagram .rows > [data-row]")) {
      const dot = dots.find((one) => one.dataset.row === row.dataset.row);
      const words = [...row.querySelectorAll(".line")].map((line) => line.innerText.trim()).join(" ");
      lines.push(`row ${row.dataset.row}: ${row.className}${dot ? ` column ${dot.dataset.lane}` : ""}: ${words}`);
    }
    for (const arrow of document.querySelectorAll("#diagram path.link")) lines.push(`arrow: row ${arrow.dataset.link.replace(" ", " to row ")}`);
    for (const cycle of document.querySelectorAll("#diagram path.cycle")) lines.push(`cycle: row ${cycle.dataset.link.replace(" ", " to row ")}`);
    for (const arrow of document.querySelectorAll("#diagram path.waits-for")) lines.push(`waits: column ${arrow.dataset.lanes.replace(" ", " for column ")}`);
    for (const hanging of document.querySelectorAll("#diagram .hanging")) lines.push(`hangs: ${hanging.getAttribute("stroke-dasharray")}`);
    for (const note of document.querySelectorAll("#code .note")) lines.push(`note in line ${note.closest(".codeline").querySelector(".num").innerText}: ${note.innerText}`);
    for (const title of document.querySelectorAll("#state h2")) lines.push(`state: ${title.innerText}`);
    for (const row of document.querySelectorAll("#state .changed")) lines.push(`changed: ${row.innerText.replace(/\s+/g, " ")}`);
    const shown = document.documentElement.dataset.theme;
    for (const theme of ["light", "dark"]) {
      document.documentElement.dataset.theme = theme;
      for (const [name, selector, property] of [["paper", "body", "backgroundColor"], ["badge", ".badge", "color"], ["now", ".step.now", "backgroundColor"], ["mark", ".mark.bad .what", "color"], ["waits", "#state .waits", "color"], ["thread", ".card b", "color"]]) {
        const found = document.querySelector(selector);
        // Colours fade in.
        if (found) found.style.transition = "none";
        if (found) lines.push(`${theme} colour of ${name}: ${getComputedStyle(found)[property]}`);
      }
    }
    document.documentElement.dataset.theme = shown;
    return lines;
  });
  for (const [width, height] of [[1280, 800], [1600, 1000], [800, 900], [390, 844], [1500, 950]]) {
    await page.setViewportSize({ width, height });
    await page.reload();
    for (const one of await cramped(page)) problems.push(`${kind} at ${width}x${height}: ${one}`);
  }
  const expected = `${views}/${kind}.txt`;
  const text = `${drawn.join("\n")}\n`;
  if (process.env.EXEUNT_BLESS) writeFileSync(expected, text);
  const known = existsSync(expected) ? readFileSync(expected, "utf8") : "";
  if (known === text) return;
  const [old, now] = [known.split("\n"), text.split("\n")];
  for (const line of old.filter((one) => !now.includes(one))) problems.push(`${kind}: gone from its view: ${line}`);
  for (const line of now.filter((one) => !old.includes(one))) problems.push(`${kind}: new in its view: ${line}`);
  if (old.length === now.length) problems.push(`${kind}: its view is in another order than ${expected}`);
}

// On paper nothing can be scrolled: all of each pane is there, and none lies on another.
async function printed(kind, page) {
  await page.emulateMedia({ media: "print" });
  const wrong = await page.evaluate(() => {
    const panes = [...document.querySelectorAll(".panes > .pane")];
    const tall = panes.filter((pane) => pane.scrollHeight > pane.clientHeight + 2).map((pane) => `${pane.id} is cut off on paper`);
    const boxes = panes.map((pane) => pane.getBoundingClientRect());
    return [...tall, ...boxes.slice(1).flatMap((box, index) => (box.top < boxes[index].bottom - 1 ? [`${panes[index + 1].id} lies on ${panes[index].id} on paper`] : []))];
  });
  await page.emulateMedia({ media: null });
  problems.push(...wrong.map((text) => `${kind}: ${text}`));
}

// What a reader would miss as the page opens: parts that overlap or are cut off, arrows through words, lines in which
// somebody hangs that are not in sight.
async function cramped(page) {
  return await page.evaluate(() => {
    const found = [];
    const wide = innerWidth > 1050;
    const box = (element) => element.getBoundingClientRect();
    if (document.documentElement.scrollWidth > innerWidth) {
      const wide = [...document.querySelectorAll("body *")].filter((part) => !part.parentElement.closest(".pane") && box(part).right > innerWidth);
      found.push(`the page is wider than the window: ${wide.map((part) => part.outerHTML.slice(0, 60)).join(", ")}`);
    }
    const apart = [...document.querySelectorAll(".card, .waitgraph"), document.getElementById("toolbar"), ...document.querySelectorAll(".panes > .pane")];
    apart.forEach((one, index) => apart.slice(index + 1).forEach((other) => {
      const [a, b] = [box(one), box(other)];
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) found.push(`${one.className} and ${other.className} overlap`);
    }));
    for (const card of document.querySelectorAll(".card")) if (card.scrollWidth > card.clientWidth + 1) found.push(`a card is cut off: ${card.innerText}`);
    const code = document.getElementById("source");
    if (code.scrollWidth > code.clientWidth + 1) found.push("lines of the source are cut off");
    for (const line of document.querySelectorAll("#diagram .line")) if (line.scrollWidth > line.clientWidth + 1) found.push(`a line of the diagram is cut off: ${line.innerText}`);
    const words = Math.min(...[...document.querySelectorAll("#diagram .line")].map((line) => box(line).left));
    for (const part of document.querySelectorAll("#diagram svg path, #diagram svg line, #diagram svg circle, #diagram svg rect")) if (box(part).right > words + 1) found.push(`${part.tagName} reaches into the words`);
    const boxes = [...document.querySelectorAll(".waitgraph rect")].map(box);
    boxes.forEach((a, index) => boxes.slice(index + 1).forEach((b) => {
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) found.push("boxes of the wait-for graph overlap");
    }));
    const panes = [...document.querySelectorAll(".panes > .pane")].map(box);
    if (wide && !panes.every((pane, index) => index === 0 || pane.left >= panes[index - 1].right - 1)) found.push("the panes are not side by side");
    if (wide && !panes.every((pane) => pane.height >= 400)) found.push("a pane is too low");
    const source = box(document.getElementById("source"));
    const notes = [...document.querySelectorAll("#code .note")].filter((note) => note.innerText.includes("hangs here"));
    const seen = (note) => box(note).top >= box(document.querySelector(".follows")).bottom - 1 && box(note).bottom <= source.bottom + 1 && box(note).right <= source.right + 1;
    if (notes.length > 0 && !seen(notes[0])) found.push(`not in sight: ${notes[0].innerText}`);
    const span = notes.length > 0 ? Math.max(...notes.map((note) => box(note).bottom)) - Math.min(...notes.map((note) => box(note.closest(".codeline")).top)) : 0;
    const fits = span + 16 <= source.bottom - box(document.querySelector(".follows")).bottom;
    if (wide && fits && notes.length <= 2 && !notes.every(seen)) found.push("not every line in which somebody hangs is in sight");
    const hangs = [...document.querySelectorAll("#diagram .mark.hangs")];
    if (hangs.length > 0 && box(hangs[0]).bottom > box(document.getElementById("diagram")).bottom + 1) found.push("what hangs is not in sight in the diagram");
    return found;
  });
}

// A proof: its loops beside the source, and a certificate that can be saved.
async function proof(kind, page) {
  expect((await page.title()).startsWith("holds"), `${kind}: the title is the verdict`);
  const shown = await page.locator(".proof").innerText();
  for (const part of ["the agreement with its environment", "lck != 1 || x' <= x", "what falls with every round of a loop", "taken for granted"]) expect(shown.includes(part), `${kind}: no ${part} in ${shown}`);
  const noted = await page.locator(".codeline.here").allInnerTexts();
  expect(noted.length === 1 && /while \(x > 0\)[^]*this loop: ends[^]*x/.test(noted[0]), `${kind}: the loop has its note: ${noted}`);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("#save").click()]);
  expect(JSON.parse(readFileSync(await saved.path(), "utf8")) !== null, `${kind}: the certificate is saved`);
  await axe(kind, page);
}

async function look(kind, page, file) {
  const text = (selector) => page.locator(selector).first().innerText();
  expect((await page.title()).startsWith("violated"), `${kind}: the title is the verdict`);
  expect((await page.locator(".card").count()) > 0 || ["hostile", "long", "freed"].includes(kind), `${kind}: somebody hangs`);

  // The first screen has the whole answer, whatever names it is about.
  const lowest = await page.evaluate(() => Math.max(...[...document.querySelectorAll("h1, #answer")].map((part) => part.getBoundingClientRect().bottom)));
  expect(lowest < 600, `${kind}: the answer ends at ${lowest}`);

  // Who hangs, on what, since when, in the cards.
  const cards = async () => (await page.locator(".card").allInnerTexts()).join("\n");
  if (kind === "deadlock") expect(/thread 2 \(transfer\)[^]*waits for mutex journal, held by thread 3[^]*waits since\s+step 3, when thread 3 locks journal \(line 26\)\s+holds accounts since\s+step 2 \(line 18\)[^]*since\s+step 3, when it locks journal itself \(line 26\)/.test(await cards()), `deadlock: ${await cards()}`);
  if (kind === "deadlock") {
    const barred = await page.locator(".codeline.guilty .num").allInnerTexts();
    expect(barred.join() === "19,27", `deadlock: a bar in lines ${barred}`);
    expect((await text(".answer h2")) === "2 threads hang; after step 3 it was too late", `deadlock: ${await text(".answer h2")}`);
  }
  if (kind === "wakeup") expect(/^1 thread hangs since step 6; after step 5 it was too late to avoid that\s+Too late means: [^.]*; the wait begins in step 6\./.test(await text("#answer")), `wakeup: ${await text("#answer")}`);
  if (kind === "cpp") expect(/^2 threads hang, the last since step 6; after step 5 [^]*; the last wait begins in step 6\./.test(await text("#answer")), `cpp: ${await text("#answer")}`);
  if (kind === "native") expect(/holds checking since\s+step 1 \(line 16\)/.test(await cards()), `native: ${await cards()}`);
  if (kind === "model") expect(/since\s+step 2, when process 1 executes fork\[left\] = true/.test(await cards()) && !/holds/.test(await cards()), `model: ${await cards()}`);
  if (kind === "wakeup") expect(/thread 1[^]*condition raised[^]*came in step 5, when nobody waited[^]*waits since\s+step 6, when it begins to wait on raised, releasing mutex \(line 29\)/.test(await cards()), `wakeup: ${await cards()}`);
  if (kind === "livelock") expect(/thread 1 \(main\) at 10_trylock.c:19\s+while [^\n]*\s+goes round the loop for ever: each time it finds right locked, which thread 2 holds[^]*in this loop in vain since\s+step 3, when thread 2 locks right \(line 18\)/.test(await cards()), `livelock: ${await cards()}`);

  if (["deadlock", "wakeup", "livelock", "native", "model", "freed", "cpp"].includes(kind)) await view(kind, page);
  await printed(kind, page);

  // Steps: by keys, by buttons, by a click on a row, by a link.
  const where = () => text("#toolbar output");
  const end = await where();
  expect(/^after step (\d+) of \1$/.test(end), `${kind}: begins at the end, not ${end}`);
  const last = Number(/of (\d+)/.exec(end)[1]);
  await page.keyboard.press("Home");
  expect((await where()).startsWith("before step 1"), `${kind}: Home leads to the beginning`);
  await page.keyboard.press("ArrowRight");
  expect((await where()).startsWith("after step 1 "), `${kind}: the right arrow is a step`);
  expect((await page.locator(".step.now").count()) === 1, `${kind}: one step is the present one`);
  await page.getByRole("button", { name: "back" }).click();
  expect((await where()).startsWith("before step 1"), `${kind}: the button leads back`);
  await page.locator(".step").first().click();
  expect((await where()).startsWith("after step 1 "), `${kind}: a click on a row leads there`);
  await page.keyboard.press("End");
  expect((await where()) === end, `${kind}: End leads to the end`);
  // By keyboard alone: Tab comes to the buttons and to each pane.
  await page.evaluate(() => document.activeElement?.blur());
  const reached = new Set();
  for (let i = 0; i < 60 && reached.size < 4; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => document.activeElement?.closest("#toolbar, #diagram, #source, #state")?.id ?? "");
    if (at) reached.add(at);
  }
  expect(reached.size === 4, `${kind}: Tab comes only to ${[...reached]}`);
  // Whatever can be clicked can be focused, and the keyboard does the same as a click.
  const deaf = await page.evaluate(() => [...document.querySelectorAll("button, select, input, summary, a")].filter((one) => one.tabIndex < 0 && !one.disabled).map((one) => one.outerHTML.slice(0, 80)));
  expect(deaf.length === 0, `${kind}: not reached by Tab: ${deaf}`);
  await page.getByRole("button", { name: "first" }).focus();
  await page.keyboard.press("Enter");
  expect((await where()).startsWith("before step 1"), `${kind}: Enter does what a click does`);
  await page.locator(".step").first().focus();
  await page.keyboard.press("Space");
  expect((await where()).startsWith("after step 1 "), `${kind}: Space takes the step that has the focus`);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const before = await theme();
  await page.locator("#theme").focus();
  await page.keyboard.press("Enter");
  expect((await theme()) !== before, `${kind}: the theme changes by keyboard`);
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  expect((await where()) === end, `${kind}: End leads to the end after that`);
  const other = await page.context().newPage();
  await other.goto(`${pathToFileURL(file).href}#v1s1`);
  expect((await other.locator("#toolbar output").innerText()).startsWith("after step 1 "), `${kind}: a link leads to its step`);
  await other.close();

  if (kind === "deadlock") {
    const cards = await page.locator(".cards").first().innerText();
    expect(cards.includes("waits for mutex journal, held by thread 3"), `${kind}: a card says who waits for what: ${cards}`);
    expect((await page.locator(".waitgraph svg path[marker-end]").count()) >= 2, `${kind}: the wait-for graph has a cycle`);
    const state = await text("#state");
    expect(state.includes("mutex journal") && state.includes("held by thread 3"), `${kind}: locks have owners: ${state}`);
    await page.keyboard.press("t");
    expect((await where()).startsWith("after step 3 "), `${kind}: t leads to where it is too late`);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowRight");
    expect((await page.locator("#state .changed").count()) > 0, `${kind}: what changed is marked`);
    await page.keyboard.press("End");
  }
  if (kind === "freed") {
    const answer = await text("#answer");
    expect(/in step 5, thread 1 \(main\) at .*:32/.test(answer), `${kind}: where it fails: ${answer}`);
    expect(/line 21: thread 2 frees it here, in step 4/.test(answer), `${kind}: who freed it: ${answer}`);
    expect((await page.locator(".waitgraph").count()) === 0, `${kind}: nobody waits`);
    expect((await text("#state")).includes("The state before step 5, which fails."), `${kind}: which state is shown`);
  }
  if (kind === "long") {
    // One frame of the browser for a step, with the page painted.
    await page.keyboard.press("Home");
    const worst = await page.evaluate(async () => {
      let slowest = 0;
      for (const at of [1, 2, 3, 5000, 5001, 9998, 9999, 10000, 4, 1]) {
        const start = performance.now();
        app.go(at);
        document.body.getBoundingClientRect();
        slowest = Math.max(slowest, performance.now() - start);
      }
      return slowest;
    });
    expect(last >= 10_000, `${kind}: only ${last} steps`);
    expect(worst < 100, `${kind}: a step takes ${worst.toFixed(0)} ms`);
    const folds = await page.locator(".fold").count();
    expect(folds > 0, `${kind}: repetition is folded`);
    expect((await page.locator("#numbers svg.plot path").count()) === 3, `${kind}: the search is plotted`);
    await page.locator(".fold").first().click();
    expect((await page.locator(".fold").count()) < folds || (await page.locator(".step").count()) > 10, `${kind}: a fold opens`);
    await page.keyboard.press("End");
  }
  if (kind === "hostile") {
    expect((await page.evaluate(() => window.hacked)) === undefined, `${kind}: text of the program was run`);
    const shown = await page.locator("body").innerText();
    expect(shown.includes("<script>"), `${kind}: markup is shown as it is`);
    expect(!/[\u202a-\u202e]/.test(shown), `${kind}: text that turns the line around`);
  }
  await axe(kind, page);
}

// The accessibility check, in both themes.
async function axe(kind, page) {
  for (const theme of ["light", "dark"]) {
    if ((await page.evaluate(() => document.documentElement.dataset.theme)) !== theme) await page.locator("#theme").click();
    await page.waitForTimeout(200);
    await page.screenshot({ path: `${pictures}/${kind}-${theme}.png` });
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    for (const found of violations) {
      problems.push(`${kind}, ${theme}: ${found.id}: ${found.help}: ${found.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`).join(" / ")}`);
    }
  }
}
