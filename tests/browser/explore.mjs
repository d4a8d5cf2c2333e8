// Explores a program in a real browser. Arguments: the browser, the address that `exeunt explore` printed, and a file
// for a picture. Prints what is wrong and ends with 1, or ends with 0.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(`${process.cwd()}/`);
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [executablePath, address, picture] = process.argv.slice(2);
const problems = [];
const expect = (truth, what) => {
  if (!truth) problems.push(what);
};

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ viewport: { width: 1500, height: 950 }, bypassCSP: true });
const page = await context.newPage();
page.on("console", (message) => message.type() === "error" && problems.push(`console: ${message.text()}`));
page.on("pageerror", (error) => problems.push(`${error.stack ?? error}`));
page.on("request", (request) => {
  if (!request.url().startsWith(address)) problems.push(`the page asks for ${request.url()}`);
});
await page.goto(address);
const where = () => page.locator("#where").innerText();
const nodes = () => page.locator("#graph .node").count();
const arrives = (text) => page.waitForFunction((text) => document.getElementById("where").textContent.includes(text), text, { timeout: 5000 }).catch(() => problems.push(`never arrives at ${text}`));

// Steps by a click and by a key; the graph grows, and goes on growing.
expect((await where()).includes("after 0 steps"), `begins at the beginning, not ${await where()}`);
const first = await nodes();
expect(first >= 2, `the first state and its successors are drawn, not ${first}`);
await page.locator("#successors button").first().click();
await arrives("after 1 step");
expect((await nodes()) >= first, "the graph grows");
expect((await page.locator(".step").count()) === 1, "the step is in the schedule");
expect((await page.locator("#state").innerText()).includes("main"), "the state names the thread");
await page.keyboard.press("1");
await arrives("after 2 steps");
const grown = await nodes();
expect(grown > first, `unfolds: ${grown} states`);
expect(page.url().includes("#path="), `the address names the path: ${page.url()}`);
const link = page.url();
await page.keyboard.press("u");
await arrives("after 1 step");

// A node of the graph leads to its state.
await page.locator('#graph .node[data-state="0"]').click();
await arrives("after 0 steps");
expect((await nodes()) === grown, "what was seen stays");

// Searching for the deadlock, and asking whether it can still end there.
await page.keyboard.press("/");
await page.keyboard.type("thread 2 is inside mutex-wait, thread 3 is inside mutex-wait");
await page.keyboard.press("Enter");
await page.waitForFunction(() => document.getElementById("told").textContent.startsWith("found"), null, { timeout: 10000 }).catch(() => problems.push("the search finds nothing"));
await page.getByRole("button", { name: "can it still end?" }).click();
await page.waitForFunction(() => document.getElementById("told").textContent.includes("can never end"), null, { timeout: 10000 }).catch(async () => problems.push(`not told that it can never end: ${await page.locator("#told").innerText()}`));
await page.fill("#query", "no such state exists");
await page.getByRole("button", { name: "find" }).click();
await page.waitForFunction(() => /none of all|not in the first/.test(document.getElementById("told").textContent), null, { timeout: 20000 }).catch(() => problems.push("a search in vain does not end"));

for (const theme of ["light", "dark"]) {
  await page.evaluate((theme) => { document.documentElement.dataset.theme = theme; }, theme);
  await page.waitForTimeout(300);
  await page.evaluate(AXE);
  const found = await page.evaluate(() => axe.run());
  for (const violation of found.violations) problems.push(`${theme}: ${violation.id}: ${violation.nodes[0]?.html}`);
}
await page.screenshot({ path: picture });

// A link to a path, opened anew; and addresses that are not told.
const other = await context.newPage();
await other.goto(link);
await other.waitForFunction(() => document.getElementById("where").textContent.includes("after 2 steps"), null, { timeout: 5000 }).catch(() => problems.push("a link to a path does not lead there"));
const base = new URL(address);
const wrong = await context.request.get(`${base.origin}/`);
expect(wrong.status() === 404, `without the token: ${wrong.status()}`);
const foreign = await context.request.get(address, { headers: { Host: "evil.example" } });
expect(foreign.status() === 404, `with another host: ${foreign.status()}`);
const bad = await context.request.get(`${address}state?path=9;9`);
expect(bad.status() === 400, `a path that is none: ${bad.status()}`);
await browser.close();
for (const problem of problems) console.log(problem);
process.exit(problems.length > 0 ? 1 : 0);
