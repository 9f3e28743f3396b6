// Tests of the page's views in a browser: search, the past, two turns, the context of a model, and files
// of what is shown.
//
// usage: views_test.mjs PROGRAM PACKAGES
import assert from "node:assert/strict";
import {readFile} from "node:fs/promises";
import {test} from "node:test";
import {violations} from "./household.mjs";
import {fill, pagesOf, row, until} from "./opened_page.mjs";

const [program, packages] = process.argv.slice(2);
let person;
const pages = pagesOf(program, packages, all => { person = all.person; }), house = pages.house;

const view = (page, name) => page.locator("#views").getByRole("link", {name, exact: true}).click();

test("a search finds on the page, in the archive, in earlier turns and among facts", async () => {
  const agent = "seeks";
  await house.observe(agent, "Smoke in the server room");
  const old = await house.observe(agent, "Old smoke in the attic");
  await house.ask("DELETE", "/v1/agents/" + agent + "/observations/" + old.observation_id, undefined, person);
  await house.post(agent + "/facts", {statement: "Smoke makes Ann cough"}, person);
  const turn = await house.post(agent + "/turns", {input: "Where does the smoke come from?", hold: true}, person);
  await house.post(agent + "/turns/" + turn.turn_id + "/end", {response: "From the <b>kitchen</b>."}, person);
  const page = await pages.open(agent);
  await view(page, "Search");
  await page.getByLabel("Words to look for").fill("smoke");
  for (const [kind, text] of [["page", "Smoke in the server room"], ["archive", "Old smoke in the attic"], ["facts", "Smoke makes Ann cough"], ["episodes", "Where does the smoke come from?"]])
    await page.locator(`.hitgroup[data-kind=${kind}] .hit`, {hasText: text}).waitFor();
  assert.equal((await page.locator(".hit mark").first().innerText()).toLowerCase(), "smoke");
  assert.match(page.url(), /q=smoke/);
  assert.deepEqual(await violations(page, packages), []);
  await page.locator(".hitgroup[data-kind=archive]").getByRole("link", {name: old.observation_id}).click();
  await page.locator("#shown[open] .whole", {hasText: "Old smoke in the attic"}).waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Words to look for").fill("zeppelin");
  await page.locator("#search-empty", {hasText: "Nothing that the agent knows has these words: nothing on the page"}).waitFor();
  await page.getByLabel("Words to look for").fill("<b>kitchen");
  await page.locator(".hit", {hasText: "From the <b>kitchen</b>."}).first().waitFor();
  assert.equal(await page.locator(".hit b").count(), 0);
  await page.done();
});

test("many results are shown in steps, and the address of a search shows it again", async () => {
  const agent = "finds_many";
  await house.pour(agent, 45, 1000, i => ({type: "observation", content: "Reading number " + i}));
  const page = await pages.open(agent, {more: "view=search&q=reading"});
  const hits = page.locator(".hitgroup[data-kind=page] .hit");
  await page.locator(".hitgroup .count", {hasText: "45 results, 10 shown"}).waitFor();
  await page.getByRole("button", {name: "Show more on the page"}).click();
  await until(async () => await hits.count() === 30, "no more are shown");
  await page.getByRole("button", {name: "Show more on the page"}).click();
  await until(async () => await hits.count() === 45, "not all are shown");
  assert.equal(await page.getByRole("button", {name: /Show more on/}).count(), 0);
  await page.done();
});

test("the slider goes through the past with the keyboard, says that it is the past, and nothing is approved there", async () => {
  const agent = "remembered";
  for (let i = 0; i < 5; ++i) await house.observe(agent, "Reading " + i, {tags: ["reading"]});
  await house.post(agent + "/observations", {type: "contextual_insight", content: "The rent is due", confidence: .95, tags: ["money"], context: {goal_id: "rent"}});
  const page = await pages.open(agent, {more: "view=past"}), rows = page.locator("#past-list .row");
  await page.locator("#past-note", {hasText: "This is the last change"}).waitFor();
  const {sequence} = await house.get(agent + "/stats");
  await page.locator("#past-slider").focus();
  await page.keyboard.press("Home");
  await page.locator("#past-note", {hasText: "This is the past: " + (sequence - 1) + " changes have been made since"}).waitFor();
  await until(async () => await rows.count() === 1, "the first change does not have one observation");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await until(async () => await rows.count() === 3, "the third change does not have three");
  assert.match(await page.locator("#past-slider").getAttribute("aria-valuetext"), /^after change 3 of \d+, /);
  assert.match(page.url(), /after=3/);
  assert.deepEqual(await violations(page, packages), []);
  // An observation is opened as it was, without what changes it; nothing is approved.
  await rows.first().locator(".rowopen").click();
  await rows.first().locator(".whole", {hasText: "Reading 2"}).waitFor();
  assert.equal(await page.getByRole("button", {name: /^(Resolve|Archive|Extend|Approve|Refuse|Yes, once|No)$/}).count(), 0);
  // The address shows the same again, and the fifth change is on the way back.
  await page.reload();
  await until(async () => await rows.count() === 3, "the address does not name the change");
  await page.getByRole("button", {name: "One on"}).click();
  await until(async () => await rows.count() === 4, "it does not go on");
  await page.getByRole("button", {name: "Back to now"}).click();
  await row(page, "Reading 4").waitFor();
  await page.locator(".card", {hasText: "Transfer 900"}).getByRole("button", {name: "Approve"}).waitFor();
  // A change that is not there is said not to be there, and the slider is there all the same.
  await page.goto(house.url + "/?agent=" + agent + "&view=past&after=99999");
  await page.locator("#past-problem", {hasText: "sequence"}).waitFor();
  await page.locator("#past-note", {hasText: "This is the last change"}).waitFor();
  await page.done();
});

test("what was on the page at a time is shown, also what has left it", async () => {
  const agent = "at_a_time";
  const x = await house.observe(agent, "Soon gone");
  // The field has whole seconds, so the second in which it was made has to be over.
  const made = Math.floor(Date.parse(x.created_at) / 1000);
  await until(() => Date.now() / 1000 >= made + 1, "the second does not end");
  await house.ask("DELETE", "/v1/agents/" + agent + "/observations/" + x.observation_id, undefined, person);
  await house.observe(agent, "Came later");
  const page = await pages.open(agent, {more: "view=past", timezoneId: "UTC"}), rows = page.locator("#past-list .row");
  await rows.filter({hasText: "Came later"}).waitFor();
  await page.getByLabel("At", {exact: true}).fill(new Date(made * 1000).toISOString().slice(0, 19));
  await page.getByRole("button", {name: "Go", exact: true}).click();
  await rows.filter({hasText: "Soon gone"}).waitFor();
  assert.equal(await rows.count(), 1);
  await page.done();
});

test("two turns stand side by side, and what differs is marked", async () => {
  const agent = "two";
  const first = await house.post(agent + "/turns", {input: "Remove the old backups", plan: [{tool_id: "store.erase", inputs: {folder: "2019"}}]}, person);
  await house.post(agent + "/turns", {input: "Tell me more", plan: [{tool_id: "store.echo", inputs: {text: "hello"}}]}, person);
  await house.post(agent + "/turns", {input: "Tell me more", plan: [{tool_id: "store.echo", inputs: {text: "hello"}}]}, person);
  const page = await pages.open(agent);
  await page.getByRole("button", {name: "Put two turns side by side"}).click();
  const line = name => page.locator(".comparison tbody tr", {has: page.getByRole("rowheader", {name: new RegExp("^" + name)})});
  await line("Input").waitFor();
  // The last two are alike but for their times.
  assert.equal(await line("Input").locator("mark, .differs").count(), 0);
  await page.getByLabel("First turn").selectOption(first.turn_id);
  await line("Input").locator("mark", {hasText: "Remove the old backups"}).waitFor();
  await line("Planned calls").locator("mark", {hasText: "store.erase {\"folder\":\"2019\"}"}).waitFor();
  await line("Calls").first().locator("mark", {hasText: "store.erase: skipped"}).waitFor();
  await line("Questions").locator("mark", {hasText: "Allow store.erase"}).waitFor();
  assert.equal(await line("Urgency").locator("mark").count(), 0);
  assert.match(await page.locator("#compare-count").innerText(), /\d+ rows differ/);
  assert.deepEqual(await violations(page, packages), []);
  await page.getByRole("button", {name: "Swap"}).click();
  await line("Input").locator("td").nth(1).locator("mark", {hasText: "Remove the old backups"}).waitFor();
  await page.reload();
  await line("Input").locator("td").nth(1).locator("mark", {hasText: "Remove the old backups"}).waitFor();
  await page.done();
});

test("the context of a model is shown with what each part costs, for a prompt and a budget", async () => {
  const agent = "told_model";
  await fill(house, person, agent);
  const page = await pages.open(agent, {more: "view=context"});
  await page.locator(".costs tbody tr").nth(3).waitFor();
  const told = await house.get(agent + "/context?budget=1000");
  assert.match(await page.locator("#context-count").innerText(), new RegExp("^" + told.tokens.toLocaleString("en") + " tokens of 1,000"));
  assert.equal(await page.locator(".context").textContent(), told.text.trimEnd() + "\n");
  const sum = await page.locator(".costs tbody td:nth-child(2)").allInnerTexts();
  assert.deepEqual(sum.map(Number), told.parts.map(p => p.tokens));
  const shares = await page.locator(".cost").evaluateAll(all => all.map(e => e.getBoundingClientRect().width / e.parentElement.clientWidth));
  assert.ok(Math.abs(shares.reduce((a, b) => a + b, 0) - told.tokens / 1000) < .02, String(shares));
  await page.locator(".context").getByRole("link", {name: "rent"}).first().click();
  await page.locator("#shown[open]", {hasText: "Transfer 900"}).waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Budget").fill("60");
  await page.locator("#context-count", {hasText: "of 60"}).waitFor();
  await page.getByLabel("Prompt").fill("trains");
  await until(async () => /prompt=trains/.test(page.url()), "the address does not tell");
  assert.deepEqual(await violations(page, packages), []);
  await page.getByLabel("Budget").fill("0");
  await page.locator("#context-empty", {hasText: "would be told nothing"}).waitFor();
  await page.done();
});

const saved = async (page, label, kind) => {
  await page.locator(`summary[aria-label="Save ${label}"]`).click();
  const file = page.waitForEvent("download");
  await page.locator(".saver[open]").getByRole("button", {name: kind, exact: true}).click();
  const download = await file;
  return {name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8")};
};

// A reader of CSV (RFC 4180).
const readCsv = text => text.split("\r\n").filter(x => x).map(line => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, -1).map(m => m[1].replace(/^"|"$/g, "").replace(/""/g, "\"")));

test("what is shown is saved as JSON, JSON lines and CSV, in which no cell is a formula", async () => {
  const agent = "saves";
  const bad = ["=HYPERLINK(\"http://evil.example\")", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "  =1+1", "plain, \"quoted\"", "\uff1d1+1"];
  for (const content of bad) await house.observe(agent, content, {tags: ["=1+1"]});
  await house.observe(agent, "Not asked for", {tags: ["other"]});
  const page = await pages.open(agent);
  await page.locator("#tags").fill("=1+1");
  await row(page, "Not asked for").waitFor({state: "detached"});
  const json = await saved(page, "observations", "JSON");
  assert.match(json.name, /^scratchpage_saves_observations_\d{4}-.*\.json$/);
  assert.deepEqual(JSON.parse(json.text).map(x => x.content), [...bad].reverse());
  const lines = (await saved(page, "observations", "JSON lines")).text.trim().split("\n").map(x => JSON.parse(x));
  assert.equal(lines.length, bad.length);
  const [head, ...cells] = readCsv((await saved(page, "observations", "CSV")).text);
  assert.equal(cells.length, bad.length);
  const at = head.indexOf("content");
  assert.ok(cells.every(x => x.length === head.length));
  for (const cell of cells.flat()) assert.doesNotMatch(cell, /^[\s]*[=+\-@\uff1d]/);
  assert.ok(cells.some(x => x[at] === "'=HYPERLINK(\"http://evil.example\")"));
  assert.ok(cells.some(x => x[at] === "plain, \"quoted\""));
  await view(page, "Context");
  await page.locator(".costs").waitFor();
  const whole = JSON.parse((await saved(page, "context", "JSON")).text);
  assert.ok(whole.text && whole.parts.length > 0);
  await page.done();
});

for (const colorScheme of ["light", "dark"])
  test(`axe finds nothing in the views in ${colorScheme}, on a phone`, async () => {
    const agent = "axe_views_" + colorScheme;
    await fill(house, person, agent);
    const page = await pages.open(agent, {colorScheme, viewport: {width: 360, height: 740}});
    for (const [name, ready] of [["Search", "#search-empty"], ["Past", "#past-list .row"], ["Two turns", ".comparison"], ["Context", ".costs"]]) {
      await view(page, name);
      if (name === "Search") { await page.getByLabel("Words to look for").fill("reading backups trains"); await page.locator(".hit").first().waitFor(); }
      else await page.locator(ready).first().waitFor();
      assert.deepEqual(await violations(page, packages), [], name);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name + " is wider than its window");
    }
    await page.locator(".context a.ref").first().click();
    await page.locator("#shown[open] .facts").waitFor();
    assert.deepEqual(await violations(page, packages), [], "the dialog");
    await page.goto(house.url + "/");
    await page.locator("#agents-list tr").first().waitFor();
    assert.deepEqual(await violations(page, packages), [], "the overview");
    await page.done();
  });
