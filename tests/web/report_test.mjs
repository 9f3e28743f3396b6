// Tests of the report of `simulate` in a browser: a single file that uses the drawing code of the
// page.
//
// usage: report_test.mjs PROGRAM PACKAGES
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdtempSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {after, before, test} from "node:test";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {browserOf, violations} from "./household.mjs";

const [program, packages] = process.argv.slice(2);
const scenarios = join(dirname(fileURLToPath(import.meta.url)), "../../samples/scenarios");
let browser, folder, report, talks, days;

// Conversations of an agent that asks: one gets its answer, the other one waits.
const transcripts = [
  {id: "answered", messages: [
    {role: "user", content: "Please book a table for two at Nora's tonight"},
    {role: "assistant", content: "A table for two at Nora's at 7 pm tonight. Shall I book it?"},
    {role: "user", content: "Yes, please do"},
    {role: "assistant", content: null, tool_calls: [{id: "c1", type: "function", function: {name: "book_table", arguments: "{\"people\": 2}"}}]},
    {role: "tool", tool_call_id: "c1", content: "{\"confirmation\": \"A7\"}"},
    {role: "assistant", content: "<img src=x onerror=alert(1)> Your table is booked.\nThe number is A7."}]},
  {id: "open", messages: [
    {role: "user", content: "I need a taxi to the station"},
    {role: "assistant", content: "A taxi to the station costs 20. Shall I order it?"}]},
  {messages: [
    {role: "user", content: "Compare the **plans** in `plans.json`, 2 * 3 * 4"},
    {role: "assistant", tool_calls: [{id: "1", type: "function", function: {name: "read_plans", arguments: "{}"}}]},
    {role: "assistant", content: "# Plans\n\n1. **Basic**: <b>5</b> a month\n2. *Plus*\n\n```\n**kept**\n```\n[more](javascript:alert(1)) snake_case_name"}]},
];

// A long conversation, with pauses of days.
const long = {scenario: "long", tools: [{tool_id: "look", latency_ms: 5000, responses: [{outputs: {ok: true}}], after_last: "repeat"}],
  steps: [1, 2, 3, 4, 5, 6].flatMap(n => [{turn: {input: "Look for number " + n, plan: [{tool_id: "look"}]}}, {wait: n + "d"}])};

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "scratchpage-report-"));
  report = join(folder, "report.html");
  const run = spawnSync(program, ["simulate", ...readdirSync(scenarios).map(x => join(scenarios, x)), "--report", report], {encoding: "utf8"});
  assert.equal(run.status, 0, run.stderr);
  const transcript = join(folder, "talks.jsonl");
  talks = join(folder, "talks.html");
  writeFileSync(transcript, transcripts.map(x => JSON.stringify(x) + "\n").join(""));
  const talked = spawnSync(program, ["simulate", transcript, "--report", talks], {encoding: "utf8"});
  assert.equal(talked.status, 0, talked.stderr);
  const scenario = join(folder, "long.json");
  days = join(folder, "long.html");
  writeFileSync(scenario, JSON.stringify(long));
  const waited = spawnSync(program, ["simulate", scenario, "--report", days], {encoding: "utf8"});
  assert.equal(waited.status, 0, waited.stderr);
  browser = await browserOf(packages);
});

const talkOf = (page, id) => page.locator("details.talk", {has: page.locator(".name", {hasText: new RegExp("^" + id + "$")})});

const openTalks = async () => {
  const page = await browser.newPage();
  page.errors = [];
  page.on("pageerror", e => page.errors.push(String(e)));
  page.on("dialog", d => { page.errors.push("dialog: " + d.message()); d.dismiss(); });
  await page.goto(pathToFileURL(talks).href);
  await page.evaluate(() => { for (const talk of document.querySelectorAll("details.talk")) talk.open = true; });
  return page;
};

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

test("both sides of a conversation are shown as what they said", async () => {
  const page = await openTalks();
  const talk = talkOf(page, "answered");
  assert.deepEqual(await talk.locator(".speech.user p").allTextContents(), [transcripts[0].messages[0].content, transcripts[0].messages[2].content]);
  assert.deepEqual(await talk.locator(".speech.agent p").allTextContents(), [transcripts[0].messages[1].content, transcripts[0].messages[5].content]);
  assert.equal(await page.locator("img, [onerror]").count(), 0);
  await talk.locator(".calls li", {hasText: "book_table"}).waitFor();
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a question has its answer beside it, and what waits is listed", async () => {
  const page = await openTalks();
  const talk = talkOf(page, "answered");
  await talk.locator(".ask", {hasText: "Shall I book it?"}).getByText("the answer was yes in turn 2").waitFor();
  await talk.locator(".turn").nth(1).getByText("Answers turn 1").waitFor();
  assert.equal(await talk.locator("ul.open li").count(), 0);
  const open = talkOf(page, "open");
  await talk.locator(".turn").first().locator(".pill", {hasText: "ended with a question"}).waitFor();
  await talk.locator(".turn").nth(1).getByText("clarifier", {exact: true}).waitFor();
  await talk.locator(".turn").first().getByText("evaluator", {exact: true}).waitFor();
  await open.locator("ul.open li", {hasText: "Shall I order it?"}).waitFor();
  await open.locator(".turn .pill", {hasText: "waits for an answer"}).waitFor();
  await page.close();
});

test("conversations with open questions are found, and none is said so", async () => {
  const page = await openTalks();
  await page.getByLabel("only with open questions").check();
  assert.equal(await page.locator("#shown").innerText(), "1 of 3 conversations");
  assert.ok(await talkOf(page, "answered").isHidden());
  await page.getByLabel("Filter conversations").fill("nobody said this");
  await page.locator("#none").waitFor();
  await page.close();
});

test("a goal that comes from a wish tells whose wish it is", async () => {
  const page = await openTalks();
  const talk = talkOf(page, "answered");
  await talk.locator(".goalchange", {hasText: "new goal"}).first().waitFor();
  await talk.locator(".goal", {hasText: "what the user wants"}).first().waitFor();
  await page.close();
});

test("Markdown is shown as it is meant, and nothing else is markup", async () => {
  const page = await openTalks();
  const talk = talkOf(page, "line_3");
  assert.deepEqual(await talk.locator(".speech strong").allTextContents(), ["plans", "Plans", "Basic"]);
  assert.deepEqual(await talk.locator(".speech.agent ol li").allTextContents(), ["Basic: <b>5</b> a month", "Plus"]);
  assert.deepEqual(await talk.locator(".speech em").allTextContents(), ["Plus"]);
  assert.deepEqual(await talk.locator(".speech code").allTextContents(), ["plans.json", "**kept**"]);
  assert.equal(await talk.locator(".speech.user p").textContent(), "Compare the plans in plans.json, 2 * 3 * 4");
  assert.equal(await talk.locator(".speech.agent > p").last().textContent(), "[more](javascript:alert(1)) snake_case_name");
  assert.equal(await page.locator(".speech b:not(.who), .speech a").count(), 0);
  assert.equal(await talk.locator(".hint").textContent(), "Compare the plans in plans.json, 2 * 3 * 4");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a call without an answer is marked", async () => {
  const page = await openTalks();
  await talkOf(page, "line_3").locator(".calls li", {hasText: "read_plans has no answer"}).waitFor();
  await page.close();
});

for (const width of [1240, 390])
  test(`all lifetimes are on a screen of ${width} pixels, however long the time is`, async () => {
    const page = await browser.newPage({viewport: {width, height: 900}});
    await page.goto(pathToFileURL(days).href);
    await page.locator("rect.life").first().waitFor();
    const found = await page.evaluate(() => {
      const box = document.querySelector(".scroll.tall"), edges = box.getBoundingClientRect();
      return {page: document.documentElement.scrollWidth, wide: box.scrollWidth - box.clientWidth,
        beside: [...box.querySelectorAll("rect.life")].filter(x => x.getBoundingClientRect().right > edges.right || x.getBoundingClientRect().left < edges.left).length,
        starts: new Set([...box.querySelectorAll("rect.life")].map(x => x.getAttribute("x"))).size,
        numbers: box.querySelectorAll("svg text").length};
    });
    assert.equal(found.page, width);
    assert.equal(found.wide, 0);
    assert.equal(found.beside, 0);
    assert.ok(found.starts >= 12, found.starts + " different beginnings");
    assert.ok(found.numbers >= 3, found.numbers + " numbers of turns");
    await page.close();
  });

for (const colorScheme of ["light", "dark"])
  test(`axe finds nothing in the report, ${colorScheme}`, async () => {
    const page = await (await browser.newContext({colorScheme})).newPage();
    await page.goto(pathToFileURL(talks).href);
    await page.locator(".speech").first().waitFor();
    assert.deepEqual(await violations(page, packages), []);
    await page.context().close();
  });
