// Looks at HTML reports in a real browser. Arguments: the browser, a directory for
// pictures, and pages as KIND=FILE. Prints what is wrong and ends with 1, or ends with 0.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// The packages are installed in the working directory.
const require = createRequire(`${process.cwd()}/`);
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [executablePath, pictures, ...pages] = process.argv.slice(2);
const problems = [];
const expect = (truth, what) => {
  if (!truth) problems.push(what);
};

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
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
  await look(kind, page, file);
  await context.close();
}
await browser.close();
for (const problem of problems) console.log(problem);
process.exit(problems.length > 0 ? 1 : 0);

async function look(kind, page, file) {
  const text = (selector) => page.locator(selector).first().innerText();
  expect((await page.title()).startsWith("violated"), `${kind}: the title is the verdict`);
  expect((await page.locator(".card").count()) > 0 || kind === "hostile" || kind === "long", `${kind}: somebody hangs`);

  // Who hangs, on what, since when, in the cards.
  const cards = async () => (await page.locator(".card").allInnerTexts()).join("\n");
  if (kind === "deadlock") expect(/thread 2[^]*waits for mutex `journal`, held by thread 3[^]*since\s+step 2/.test(await cards()), `deadlock: ${await cards()}`);
  if (kind === "wakeup") expect(/thread 1[^]*condition `raised`[^]*came in step 5, when nobody waited[^]*since\s+step 6/.test(await cards()), `wakeup: ${await cards()}`);
  if (kind === "livelock") expect(/thread 1[^]*each time it finds `right` locked, which thread 2 holds[^]*since/.test(await cards()), `livelock: ${await cards()}`);

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
  const other = await page.context().newPage();
  await other.goto(`${pathToFileURL(file).href}#v1s1`);
  expect((await other.locator("#toolbar output").innerText()).startsWith("after step 1 "), `${kind}: a link leads to its step`);
  await other.close();

  if (kind === "deadlock") {
    const cards = await page.locator(".cards").first().innerText();
    expect(cards.includes("waits for mutex `journal`, held by thread 3"), `${kind}: a card says who waits for what: ${cards}`);
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
