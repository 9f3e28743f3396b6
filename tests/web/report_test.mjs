// Tests of the report of `simulate` in a browser: a single file that uses the drawing code of the
// page.
//
// usage: report_test.mjs PROGRAM PACKAGES
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdtempSync, readdirSync, rmSync} from "node:fs";
import {after, before, test} from "node:test";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {browserOf} from "./household.mjs";

const [program, packages] = process.argv.slice(2);
const scenarios = join(dirname(fileURLToPath(import.meta.url)), "../../samples/scenarios");
let browser, folder, report;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "scratchpage-report-"));
  report = join(folder, "report.html");
  const run = spawnSync(program, ["simulate", ...readdirSync(scenarios).map(x => join(scenarios, x)), "--report", report], {encoding: "utf8"});
  assert.equal(run.status, 0, run.stderr);
  browser = await browserOf(packages);
});

after(async () => {
  await browser?.close();
  rmSync(folder, {recursive: true, force: true});
});

test("the report draws its timelines from its one file", async () => {
  const page = await browser.newPage(), errors = [], asked = [];
  page.on("pageerror", e => errors.push(String(e)));
  page.on("console", m => { if (m.type() === "error") errors.push(m.text()); });
  page.on("request", r => asked.push(r.url()));
  await page.goto(pathToFileURL(report).href);
  await page.locator("details.talk[open] svg circle").first().waitFor();
  assert.equal(asked.length, 1, asked.join());
  const names = await page.locator("details.talk[open] .names div").allInnerTexts();
  assert.ok(names.includes("router"), names.join());
  await page.locator("details.talk summary").nth(1).click();
  await page.locator("details.talk").nth(1).locator(".inside svg").first().waitFor();
  assert.deepEqual(errors, []);
  await page.close();
});

test("its timeline is gone through with arrow keys", async () => {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(report).href);
  await page.locator("details.talk[open] svg").first().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.locator("#tip").waitFor();
  assert.match(await page.locator("#tip b").innerText(), /: /);
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#tip").isHidden());
  await page.close();
});

test("its goals show how far they are", async () => {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(report).href);
  await page.evaluate(() => { for (const talk of document.querySelectorAll("details.talk")) talk.open = true; });
  const bar = page.locator(".goal .track").first();
  assert.match(await bar.getAttribute("aria-label"), /^progress \d+ %$/);
  await page.close();
});
