// Tests of the page in a browser: which agent is shown, what waits in all of them, links to what is named,
// and what an agent that means harm can do to the page.
//
// usage: agents_test.mjs PROGRAM PACKAGES
import assert from "node:assert/strict";
import {test} from "node:test";
import {violations} from "./household.mjs";
import {fill, goalOf, pagesOf, row, until} from "./opened_page.mjs";

const [program, packages] = process.argv.slice(2);
let person;
const pages = pagesOf(program, packages, all => { person = all.person; }), house = pages.house;

const erase = (inputs = {folder: "2019"}, more = {}) => ({input: "Remove the old backups", plan: [{tool_id: "store.erase", inputs, ...more}]});
const fits = page => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

test("an agent that is not there is said not to be there, and no other one is shown in its place", async () => {
  await goalOf(house, "keeper", "rent");
  const page = await pages.open("", {});
  await page.goto(house.url + "/?agent=newone");
  await page.getByRole("heading", {name: "There is no agent “newone”"}).waitFor();
  await page.locator("#missing").getByRole("link", {name: "keeper"}).waitFor();
  assert.equal(await page.getByRole("button", {name: "Approve"}).count(), 0);
  assert.ok(page.url().includes("agent=newone"));
  assert.ok(await page.locator("#main").isHidden());
  assert.deepEqual(await violations(page, packages), []);
  // As soon as it is made, it is shown.
  await house.observe("newone", "I am here now");
  await row(page, "I am here now").waitFor();
  assert.equal(await page.locator("#agent").inputValue(), "newone");
  await page.done();
});

test("a token does not tell of agents that it is not for, also by their names in an address", async () => {
  const other = await pages.other();
  await other.observe("ada", "For ann");
  await other.observe("hidden", "A secret");
  const made = await other.run("token", "add", "--name", "ann", "--agents", "ada", "--person");
  const token = made.match(/sp_[\w-]+/)[0];
  await until(async () => (await fetch(other.url + "/v1/agents")).status === 401, "everybody is still let in");
  const page = await pages.open("", {at: other, looksOn: true});
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
  await page.locator("#agents-list tr").first().waitFor();
  assert.deepEqual(await page.locator("#agents-list .agentlink").allInnerTexts(), ["ada"]);
  await page.goto(other.url + "/?agent=hidden");
  await page.getByRole("heading", {name: "There is no agent “hidden”"}).waitFor();
  assert.ok(!(await page.locator("body").innerText()).includes("A secret"));
  await page.done();
});

test("the overview has what waits for a person first, and leads to it", async () => {
  const other = await pages.other(), owner = await other.person();
  await other.observe("quiet", "Nothing special");
  await fill(other, owner, "busy");
  await goalOf(other, "one_goal", "rent");
  const page = await pages.open("", {at: other});
  const rows = page.locator("#agents-list tr");
  await rows.filter({hasText: "question"}).first().waitFor();
  assert.deepEqual(await page.locator("#agents-list .agentlink").allInnerTexts(), ["busy", "one_goal", "quiet"]);
  assert.match(await rows.nth(0).innerText(), /2 questions, 1 action/);
  assert.match(await rows.nth(1).innerText(), /1 action\b/);
  assert.match(await rows.nth(2).innerText(), /nothing/);
  assert.match(await page.locator("#agents-count").innerText(), /3 agents, 2 wait for a person/);
  assert.deepEqual(await violations(page, packages), []);
  await rows.nth(1).getByRole("link").click();
  await page.locator(".card", {hasText: "Transfer 900"}).waitFor();
  await page.getByRole("link", {name: "All agents"}).click();
  await rows.nth(2).waitFor();
  await page.done();
});

test("looking at the overview opens no agent", async () => {
  const other = await pages.other();
  await other.observe("sleeper", "Good night");
  await other.stop();
  await other.start();
  const page = await pages.open("", {at: other});
  await page.locator("#agents-list tr", {hasText: "not loaded: open it to see"}).waitFor();
  const found = await other.ask("GET", "/v1/agents?details=true");
  assert.deepEqual(found, {agents: ["sleeper"], details: []});
  await page.getByRole("link", {name: "sleeper"}).click();
  await row(page, "Good night").waitFor();
  await page.done();
});

test("the scratchbook opens the thread that was changed last, and says which threads have items", async () => {
  const agent = "books";
  await house.post(agent + "/threads/old/items", {kind: "note", title: "An old note"}, person);
  await house.post(agent + "/threads/trip/items", {kind: "todo", title: "Pack the bags"}, person);
  const done = await house.post(agent + "/threads/trip/items", {kind: "todo", title: "Find the key"}, person);
  await house.post(agent + "/threads/trip/items/" + done.id + "/complete", undefined, person);
  const page = await pages.open(agent);
  await page.locator(".item", {hasText: "Pack the bags"}).waitFor();
  const options = await page.locator("#thread option").allInnerTexts();
  assert.deepEqual(options, ["trip (2 items, 1 open)", "old (1 item)", "main"]);
  assert.equal(await page.locator("#threads-count").innerText(), "2 threads have items");
  await page.locator("#thread").selectOption("old");
  await page.locator(".item", {hasText: "An old note"}).waitFor();
  // A chosen thread stays, whatever is changed elsewhere.
  await house.post(agent + "/threads/trip/items", {kind: "note", title: "Later"}, person);
  await until(async () => (await page.locator("#thread option").allInnerTexts())[0] === "trip (3 items, 2 open)", "the count does not change");
  assert.equal(await page.locator("#thread").inputValue(), "old");
  await page.done();
});

test("a turn has its own number, whichever is pressed", async () => {
  const agent = "numbers";
  for (const input of ["Is it warm?", "Is it cold?", "Is it wet?"]) await house.post(agent + "/turns", {input}, person);
  const page = await pages.open(agent);
  const numbers = () => page.locator("#turns-list .turn .line b").allInnerTexts();
  await until(async () => (await numbers()).length === 3, "not all turns are there");
  assert.deepEqual(await numbers(), ["#3", "#2", "#1"]);
  await page.locator("#turns-list .turn", {hasText: "Is it cold?"}).click();
  await page.locator("#timeline text", {hasText: "#2"}).first().waitFor();
  assert.deepEqual(await numbers(), ["#3", "#2", "#1"]);
  await page.done();
});

test("what names an observation, a goal, a turn or a fact is a link that shows it", async () => {
  const agent = "linked";
  await house.post(agent + "/turns", {input: "I'm allergic to peanuts"}, person);
  const goal = await goalOf(house, agent, "rent");
  await until(async () => (await house.get(agent + "/facts")).total_count > 0, "nothing was learnt");
  const page = await pages.open(agent), shown = page.locator("#shown[open]");
  // A goal, then the observation that it comes from, then back.
  await page.locator(".goal", {hasText: "Rent"}).getByRole("link", {name: "rent", exact: true}).click();
  await shown.getByText("Transfer 900").waitFor();
  await shown.locator("a.ref", {hasText: goal.observation_ids[0]}).first().click();
  await shown.locator(".whole", {hasText: "The rent is due"}).waitFor();
  await shown.getByRole("link", {name: "rent", exact: true}).first().waitFor();
  assert.deepEqual(await violations(page, packages), []);
  await shown.getByRole("button", {name: "Back"}).click();
  await shown.getByText("Transfer 900").waitFor();
  await page.keyboard.press("Escape");
  await shown.waitFor({state: "detached"});
  // A turn from an opened row.
  await row(page, "allergic to peanuts").first().locator(".rowopen").click();
  await row(page, "allergic to peanuts").first().locator(".facts").getByRole("link", {name: /^turn_/}).click();
  await shown.locator(".lines li", {hasText: "user input"}).waitFor();
  await page.keyboard.press("Escape");
  // A cause in the trace.
  await page.locator("#timeline circle").nth(4).click();
  await page.locator("#entry dt", {hasText: "cause"}).waitFor();
  await page.locator("#entry dd .linklike").click();
  assert.notEqual(await page.locator("#entry h3").innerText(), "");
  // The address of a link shows the same.
  const [fact] = (await house.get(agent + "/facts")).facts;
  await page.goto(house.url + "/?agent=" + agent + "&show=fact:" + fact.fact_id);
  await shown.getByText(fact.statement).waitFor();
  await page.done();
});

test("what has left the page is found in the archive, and what was forgotten is said to be gone", async () => {
  const agent = "gone";
  const x = await house.observe(agent, "The lamp is broken", {metadata: {says: "hello"}});
  await house.observe(agent, "Cause: see it", {metadata: {cause_id: x.observation_id}});
  await house.ask("DELETE", "/v1/agents/" + agent + "/observations/" + x.observation_id, undefined, person);
  const page = await pages.open(agent), shown = page.locator("#shown[open]");
  await row(page, "Cause: see it").locator(".rowopen").click();
  await row(page, "Cause: see it").locator(".json").getByRole("link", {name: x.observation_id}).click();
  await shown.locator("#shown-where", {hasText: "in the archive"}).waitFor();
  await shown.locator(".whole", {hasText: "The lamp is broken"}).waitFor();
  assert.equal(await shown.getByRole("button", {name: "Show in the list"}).count(), 0);
  await house.ask("DELETE", "/v1/agents/" + agent + "/memory?observation_id=" + x.observation_id, undefined, person);
  await page.reload();
  await shown.getByText("may have been forgotten").waitFor();
  await page.done();
});

test("consent is asked for in words, with a table of the arguments", async () => {
  const agent = "asks_well";
  await house.post(agent + "/turns", erase({folder: "2019", deep: {a: 1}, note: "y".repeat(400)}), person);
  const page = await pages.open(agent), card = page.locator(".card.consent");
  await card.getByRole("heading", {name: "May the agent call store.erase?"}).waitFor();
  await card.getByText("It would call the tool erase of store once, with 3 arguments.").waitFor();
  const cells = await card.locator(".arguments tbody tr").allInnerTexts();
  assert.match(cells[0], /folder\s+"2019"/);
  assert.match(cells[1], /deep\s+\{"a":1\}/);
  assert.match(cells[2], /all of it: 400 characters/);
  await card.getByText("store.erase is tagged destructive").waitFor();
  await card.getByText("“Remove the old backups”, by user root").waitFor();
  const about = await card.locator(".facts").innerText();
  assert.match(about, /why it asks\s+it cannot be undone[\s\S]*in the turn\s+#1[\s\S]*since\s+\d\d:\d\d:\d\d/);
  await page.locator("#waiting", {hasText: "1"}).waitFor();
  assert.deepEqual(await card.getByRole("button").allInnerTexts(), ["Yes, once", "No"]);
  await page.done();
});

test("one of something is said in the singular", async () => {
  const agent = "single";
  await house.post(agent + "/turns", erase(), person);
  await house.post(agent + "/facts", {statement: "Ann prefers trains to planes"}, person);
  const page = await pages.open(agent);
  await page.locator(".card.consent").waitFor();
  await until(async () => /1\s*waits for you/.test(await page.locator("#tiles").evaluate(e => [...e.children].map(x => x.lastChild.textContent + " " + x.firstChild.textContent).join("\n"))), "it is in the plural");
  await page.locator("#facts-count", {hasText: /^1 fact$/}).waitFor();
  await page.locator("#questions-count", {hasText: /^1 item waits$/}).waitFor();
  await page.locator("#turns-count", {hasText: /1 turn$/}).waitFor();
  await page.locator("#episodes-count", {hasText: /^1 turn$/}).waitFor();
  const text = await page.locator("body").innerText();
  assert.doesNotMatch(text, /(^|\s)1 (open goals|open turns|live observations|subscribers|observations|items|questions|facts|turns|results|tokens|goals)\b/);
  assert.doesNotMatch(text, /the last 1\b/);
  await page.done();
});

const long = "a_very_long_name_without_any_space_that_goes_on_and_on_and_on_until_it_does_not_fit_anywhere";

for (const width of [1280, 360])
  test(`long names, types and tags stay inside, ${width} pixels wide`, async () => {
    const agent = long + width, type = "t" + long.slice(0, 62);
    await house.observe(agent, "Begin");
    await house.post(agent + "/types", {type}, person);
    await house.post(agent + "/observations", {type, content: "x".repeat(500), tags: [long.slice(0, 64), "b" + long.slice(0, 63), "ordinary"], context: {thread_id: long + "/" + long}},
      {"Scratchpage-Caller": JSON.stringify({role: "daemon", kind: "daemon", name: long.slice(0, 64)})});
    await house.post(agent + "/turns", {input: long + long, thread_id: long}, person);
    await house.post(agent + "/turns", {input: "Do it", thread_id: long, plan: [{tool_id: "store.erase", inputs: {[long + long]: long + long}}]}, person);
    await house.post(agent + "/threads/" + long + "/items", {kind: "task", title: long + long, tags: [long.slice(0, 60)]}, person);
    await house.post(agent + "/observations", {type: "contextual_insight", content: long + long, confidence: .95, tags: ["money"], context: {goal_id: long}});
    const page = await pages.open(agent, {viewport: {width, height: 780}});
    await page.locator(".card").nth(1).waitFor();
    await page.locator(".goal").first().waitFor();
    await page.locator(".item").first().waitFor();
    await row(page, "xxxx").first().locator(".rowopen").click();
    await page.locator("#timeline svg").waitFor();
    for (const view of ["now", "search", "compare", "context"]) {
      if (view !== "now") await page.locator(`#views [data-view=${view}]`).click();
      if (view === "search") { await page.locator("#search-query").fill(long); await page.locator(".hit").first().waitFor(); }
      if (view === "compare") await page.locator(".comparison").waitFor();
      if (view === "context") await page.locator(".costs").waitFor();
      assert.ok(await fits(page), view + " is wider than its window");
      // Whatever is not in a box that scrolls is within the window, and no chip is wider than its box.
      const outside = await page.evaluate(() => [...document.querySelectorAll("main *, header *")].filter(e => {
        const box = e.getBoundingClientRect();
        if (!box.width || e.closest(".unseen, .scroll, .turnlist, table thead")) return false;
        const parent = e.parentElement.getBoundingClientRect();
        const is_chip = e.matches(".pill, .tag, .source");
        return box.right > innerWidth + 1 || (is_chip && (box.right > parent.right + 1 || box.left < parent.left - 1));
      }).map(e => e.tagName + "." + e.className + " " + e.textContent.slice(0, 30)));
      assert.deepEqual(outside, [], view);
    }
    await page.done();
  });

test("a hostile agent can neither imitate a question for consent nor break out of its text", async () => {
  const agent = "impostor", box = "<div class='card consent'><h3>May the agent call store.erase?</h3><button>Yes, once</button></div>";
  const lines = "asks for consent\n\n\n\n\n\n\n\nMay the agent call bank.pay?\nYes, once    No\u202e\u2066";
  await house.post(agent + "/turns", erase({folder: "a? Reason: it is harmless", "<img src=x onerror=alert(1)>": "\u202egpj.exe\n\nApproved by root"}), person);
  const asks = {type: "pending_confirmation", tags: ["<b>x</b>", "Yes, once"]};
  await house.observe(agent, lines + box, asks);
  await house.observe(agent, "{\"consent_for\": \"bank.pay\"}", {...asks, metadata: {kind: "confirm", questions: [box], tool_id: "bank.pay"}});
  const page = await pages.open(agent);
  await page.locator(".card").nth(2).waitFor();
  assert.equal(await page.locator(".card.consent").count(), 1);
  assert.equal(await page.getByRole("button", {name: "Yes, once", exact: true}).filter({visible: true}).and(page.locator(":not(.tag)")).count(), 1);
  assert.equal(await page.locator("img, .card .card, .card b").count(), 0);
  const card = page.locator(".card.consent");
  // The reason is the program's, and no argument has a line of its own or a hidden direction.
  assert.match(await card.locator(".facts").innerText(), /why it asks\s+it cannot be undone/);
  const table = await card.locator(".arguments").innerText();
  assert.ok(table.includes("\\u202egpj.exe\\n\\nApproved by root"), table);
  assert.ok(!(await card.textContent()).includes("\u202e"));
  // Others' questions say whose words they are, and their height is bounded.
  for (const other of await page.locator(".card:not(.consent)").all()) {
    assert.match(await other.locator(".cardhead").innerText(), /daemon http_client/);
    assert.ok((await other.locator(".asks").boundingBox()).height < 220);
  }
  await page.done();
});
