// Tests of the page in a browser, against real servers. They do not depend on the speed of the
// machine; load.mjs measures speed.
//
// usage: page_test.mjs PROGRAM PACKAGES
import assert from "node:assert/strict";
import {test} from "node:test";
import {violations} from "./household.mjs";
import {fill as fillAt, goalOf as goalAt, pagesOf, row, until} from "./opened_page.mjs";

const [program, packages] = process.argv.slice(2);
const gauge = {"Scratchpage-Caller": JSON.stringify({role: "tool", kind: "tool", name: "gauge"})};
let browser, person;
const pages = pagesOf(program, packages, all => { ({browser, person} = all); }), house = pages.house, openPage = pages.open;

const goalOf = (agent, id, at = house) => goalAt(at, agent, id);
const fill = agent => fillAt(house, person, agent);

test("everybody is given the page with a strict policy, and it loads nothing from elsewhere", async () => {
  const answer = await fetch(house.url + "/");
  assert.equal(answer.status, 200);
  const policy = answer.headers.get("content-security-policy");
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'none'", "frame-ancestors 'none'"])
    assert.ok(policy.includes(part), policy);
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
  const again = await fetch(house.url + "/", {headers: {"if-none-match": answer.headers.get("etag")}});
  assert.equal(again.status, 304);
  await house.observe("plain", "Something");
  const page = await browser.newPage();
  const asked = [];
  page.on("request", r => asked.push(r.url()));
  await page.goto(house.url + "/?agent=plain");
  await row(page, "Something").waitFor();
  assert.deepEqual(asked.filter(x => !x.startsWith(house.url + "/")), []);
  await page.close();
});

test("a host that is not this server's is shown no page", async () => {
  const {request} = await import("node:http");
  const status = await new Promise(done => request({port: house.port, path: "/", headers: {host: "elsewhere.example"}}, a => done(a.statusCode)).end());
  assert.equal(status, 403);
});

test("what is added appears without being asked for", async () => {
  await house.observe("ada", "The first one");
  const page = await openPage("ada");
  await row(page, "The first one").waitFor();
  await house.observe("ada", "The cellar is damp", {tags: ["damp"], confidence: .8}, gauge);
  await row(page, "The cellar is damp").waitFor();
  assert.match(await row(page, "The cellar is damp").innerText(), /80 %[\s\S]*damp/);
  await page.done();
});

test("lifetimes are counted down, and what has expired goes away", async () => {
  const page = await openPage("ada");
  await house.observe("ada", "Gone in a moment", {ttl_minutes: .1});
  const life = row(page, "Gone in a moment").locator(".lifetime span").last();
  const first = parseInt(await life.innerText(), 10);
  assert.ok(first >= 1 && first <= 7, String(first));
  await until(async () => parseInt(await life.innerText().catch(() => "0"), 10) < first, "it is not counted down");
  await row(page, "Gone in a moment").waitFor({state: "detached"});
  await page.done();
});

test("a text and a tag find, also what comes later, and clearing shows everything", async () => {
  const agent = "finds";
  await house.observe(agent, "Smoke in the server room", {type: "alert", tags: ["fire"], confidence: .9});
  await house.observe(agent, "The kettle smokes a little", {tags: ["kitchen"], confidence: .6});
  await house.observe(agent, "All quiet in the garden", {tags: ["garden"], confidence: .4});
  const page = await openPage(agent);
  await page.locator("#observations-list .row").nth(2).waitFor();
  await page.locator("#query").fill("smoke");
  await row(page, "All quiet").waitFor({state: "detached"});
  assert.equal(await page.locator("#observations-list .row").count(), 2);
  await page.locator("#tags").fill("fire");
  await row(page, "The kettle").waitFor({state: "detached"});
  await row(page, "Smoke in the server room").waitFor();
  await page.locator("#query").fill("");
  await house.observe(agent, "Fire drill at noon", {tags: ["fire", "plan"]});
  await row(page, "Fire drill").waitFor();
  await house.observe(agent, "Nothing of that kind", {tags: ["plan"]});
  await page.locator("#filter button[type=reset]").click();
  await row(page, "Nothing of that kind").waitFor();
  assert.equal(await page.locator("#observations-list .row").count(), 5);
  await row(page, "The kettle").locator(".tag", {hasText: "kitchen"}).click();
  await row(page, "Smoke in the").waitFor({state: "detached"});
  assert.equal(await page.locator("#tags").inputValue(), "kitchen");
  await page.locator("#type").selectOption({label: "any"});
  await page.locator("#filter button[type=reset]").click();
  await page.locator("#confidence").selectOption("0.75");
  await row(page, "The kettle").waitFor({state: "detached"});
  await row(page, "Smoke in the").waitFor();
  await page.done();
});

test("2 000 observations at 200 a second all arrive and are found, with bounded rows and work", async () => {
  const agent = "load";
  await house.observe(agent, "The first");
  const page = await openPage(agent);
  await page.evaluate(async () => {
    const {figures} = await import("/web/frames.js");
    window.seen = {rows: 0, elements: 0};
    window.figures = figures;
    new MutationObserver(() => {
      seen.rows = Math.max(seen.rows, document.querySelectorAll("#observations-list .row").length);
      seen.elements = Math.max(seen.elements, document.querySelectorAll("*").length);
    }).observe(document.getElementById("observations-list"), {childList: true});
  });
  const added = await page.evaluate(() => {
    window.made = {most: 0, now: 0};
    new MutationObserver(list => {
      const n = list.reduce((sum, x) => sum + x.addedNodes.length, 0);
      made.most = Math.max(made.most, n);
      made.now += n;
    }).observe(document.getElementById("observations-list"), {childList: true});
    return made.now;
  });
  assert.equal(added, 0);
  await house.pour(agent, 2000, 200, i => ({type: "observation", content: "Reading number " + i, tags: ["reading", "unit" + i % 7]}));
  await until(async () => (await page.locator("#observations-count").innerText()).startsWith("2,001 match"), "not all have arrived");
  await row(page, "Reading number 1999").waitFor();
  const {rows, elements} = await page.evaluate(() => seen);
  assert.ok(rows <= 60, rows + " rows");
  assert.ok(elements < 2500, elements + " elements");
  // A frame creates at most a dozen rows; moved rows count here too.
  const {most} = await page.evaluate(() => made);
  assert.ok(most <= 72, most + " rows in a frame");
  const {portions} = await page.evaluate(() => ({...figures}));
  assert.ok(portions > 10, "nothing was done in portions");
  await page.locator("#query").fill("reading number 1234");
  await row(page, "Reading number 1234").waitFor();
  await page.locator("#query").fill("");
  await page.locator("#tags").fill("unit3");
  await until(async () => (await page.locator("#observations-count").innerText()).startsWith("286 match"), "the tag does not find all");
  await page.locator("#filter button[type=reset]").click();
  await until(async () => await page.locator("#observations-list .row").count() === 60, "not as many rows as before");
  await page.locator("#more").click();
  await until(async () => await page.locator("#observations-list .row").count() === 120, "no more are shown");
  await page.done();
});

// Answers searches for `text` as `answer` says, and counts them.
const searches = async (page, text, answer) => {
  const seen = {count: 0};
  await page.route(url => url.pathname.endsWith("/observations") && url.searchParams.get("query") === text && url.searchParams.get("limit") !== "1",
    route => answer(route, ++seen.count));
  return seen;
};
const cutShort = route => route.fulfill({json: {observations: [], total_count: 0, query_time_ms: 50, partial: true, conflicts: []}});

test("a search that was cut short says so, is asked again, and finds", async () => {
  const agent = "cut_short";
  await house.observe(agent, "Smoke in the server room");
  const page = await openPage(agent);
  await row(page, "Smoke").waitFor();
  let second;
  const seen = await searches(page, "smoke", (route, n) => { if (n === 1) return cutShort(route); second = route; });
  await page.locator("#query").fill("smoke");
  await page.locator("#observations-partial", {hasText: "some matches may be missing. This page asks again by itself."}).waitFor();
  assert.match(await page.locator("#observations-count").innerText(), /so far/);
  assert.ok(await page.locator("#observations-empty").isHidden());
  await (await until(() => second, "it is not asked again")).continue();
  await row(page, "Smoke").waitFor();
  await page.locator("#observations-partial").waitFor({state: "hidden"});
  assert.equal(seen.count, 2);
  await page.done();
});

test("a search that is always cut short is asked again some times, and then when a person wants it", async () => {
  const agent = "cut_always";
  await house.observe(agent, "Smoke in the server room");
  const page = await openPage(agent);
  await page.clock.install();
  let is_whole = false;
  const seen = await searches(page, "smoke", route => is_whole ? route.continue() : cutShort(route));
  await page.locator("#query").fill("smoke");
  const note = page.locator("#observations-partial");
  const over = note.getByText("This page has asked several times");
  await until(async () => { await page.clock.fastForward(8000); return await over.isVisible(); }, "it asks without an end");
  assert.equal(seen.count, 6);
  await page.clock.fastForward(600_000);
  assert.equal(seen.count, 6);
  is_whole = true;
  await note.getByRole("button", {name: "Ask again"}).click();
  await row(page, "Smoke").waitFor();
  await note.waitFor({state: "hidden"});
  await page.done();
});

test("another search ends the asking again, and late answers to earlier ones are not shown", async () => {
  const agent = "overtaken";
  await house.observe(agent, "Smoke in the server room");
  await house.observe(agent, "The kettle whistles");
  const page = await openPage(agent);
  await row(page, "Smoke").waitFor();
  await page.clock.install();
  const cut = await searches(page, "garden", cutShort);
  await page.locator("#query").fill("garden");
  await page.locator("#observations-partial").waitFor();
  let late;
  const slow = await searches(page, "smoke", route => { late = route; });
  await page.locator("#query").fill("smoke");
  await until(async () => { await page.clock.fastForward(200); return late; }, "the search is not asked");
  await page.locator("#query").fill("kettle");
  await row(page, "Smoke").waitFor({state: "detached"});
  await row(page, "kettle").waitFor();
  const answered = page.waitForResponse(x => new URL(x.url()).searchParams.get("query") === "smoke");
  await late.continue();
  await answered;
  await page.clock.fastForward(600_000);
  await row(page, "kettle").waitFor();
  assert.equal(await row(page, "Smoke").count(), 0);
  assert.ok(await page.locator("#observations-partial").isHidden());
  assert.deepEqual([cut.count, slow.count], [1, 1]);
  await page.done();
});

test("a server that could not be asked is asked again", async () => {
  const agent = "away";
  await house.observe(agent, "Smoke in the server room");
  const page = await openPage(agent);
  await searches(page, "smoke", (route, n) => n === 1 ? route.abort() : route.continue());
  await page.locator("#query").fill("smoke");
  await page.locator("#observations-problem", {hasText: "cannot be reached"}).waitFor();
  await page.locator("#observations-problem").waitFor({state: "hidden"});
  await row(page, "Smoke").waitFor();
  await page.done();
});

test("a server with hardly any time for a query finds all the same", async () => {
  const other = await pages.other({page: {query_deadline_ms: 0}});
  await other.observe("ada", "The first");
  const page = await openPage("ada", {at: other});
  await other.pour("ada", 600, 600, i => ({type: "observation", content: "Reading number " + i}));
  await page.locator("#query").fill("reading number 234");
  await row(page, "Reading number 234").waitFor();
  await page.done();
});

test("who reads in the list is not disturbed by what arrives", async () => {
  const agent = "reader";
  for (let i = 0; i < 30; ++i) await house.observe(agent, "Old one " + i);
  const page = await openPage(agent);
  await row(page, "Old one 29").locator(".rowopen").click();
  await house.observe(agent, "A new one");
  await page.locator("#fresh", {hasText: "1 new observation"}).waitFor();
  assert.equal(await row(page, "A new one").count(), 0);
  await page.locator("#fresh").click();
  await row(page, "A new one").waitFor();
  await page.done();
});

test("an observation is opened, resolved and archived", async () => {
  const agent = "acts";
  const x = await house.observe(agent, "The window is open", {context: {room: "attic"}, metadata: {sensor: 7}});
  const page = await openPage(agent);
  await row(page, "The window").locator(".rowopen").click();
  const inside = row(page, "The window").locator(".inside");
  assert.match(await inside.innerText(), /attic[\s\S]*sensor/);
  await inside.getByRole("button", {name: "Resolve"}).click();
  await row(page, "The window").waitFor({state: "detached"});
  assert.equal((await house.get(agent + "/observations/" + x.observation_id)).status, "resolved");
  const y = await house.observe(agent, "The door is open");
  await row(page, "The door").locator(".rowopen").click();
  await row(page, "The door").getByRole("button", {name: "Archive"}).click();
  await row(page, "The door").waitFor({state: "detached"});
  await assert.rejects(house.get(agent + "/observations/" + y.observation_id), /404/);
  await page.done();
});

test("a confirmation is answered, and the turn goes on", async () => {
  const agent = "steward";
  const first = await house.post(agent + "/turns", {input: "Remove the old backups", plan: [{tool_id: "store.erase", inputs: {folder: "2019"}}]}, person);
  assert.equal(first.status, "waiting");
  const page = await openPage(agent);
  const card = page.locator(".card", {hasText: "store.erase"});
  await card.getByRole("button", {name: "Yes, once"}).click();
  await card.locator(".outcome", {hasText: "The turn went on: complete"}).waitFor();
  await page.locator("#turns-list .turn", {hasText: "Yes"}).waitFor();
  const results = await house.get(agent + "/observations?type=tool_result&source=store.erase");
  assert.equal(results.total_count, 1);
  const asked = await house.get(agent + "/observations?type=pending_confirmation");
  assert.equal(asked.total_count, 0);
  await page.done();
});

test("who only looks on cannot consent, and a consent that is declined makes no call", async () => {
  const agent = "careful";
  await house.post(agent + "/turns", {input: "Remove it all", user_id: "ann", plan: [{tool_id: "store.erase", inputs: {folder: "all"}}]});
  const onlooker = await openPage(agent, {looksOn: true});
  await onlooker.locator("#name", {hasText: "a viewer"}).waitFor();
  const shown = onlooker.locator(".card", {hasText: "store.erase"});
  await shown.getByText("Only a person can answer this").waitFor();
  assert.ok(await shown.getByRole("button", {name: "Yes, once"}).isDisabled());
  await onlooker.done();
  const page = await openPage(agent);
  const card = page.locator(".card", {hasText: "store.erase"});
  await card.getByRole("button", {name: "No", exact: true}).click();
  await card.locator(".outcome", {hasText: "The turn went on"}).waitFor();
  assert.equal((await house.get(agent + "/observations?type=tool_result&source=store.erase")).total_count, 0);
  assert.equal((await house.get(agent + "/observations?type=pending_confirmation")).total_count, 0);
  await page.done();
});

test("a question for consent has its inputs whole, as text", async () => {
  const agent = "padded";
  const inputs = {a: "x".repeat(600), folder: "<b>everything</b>"};
  await house.post(agent + "/turns", {input: "Remove some", plan: [{tool_id: "store.erase", inputs}]}, person);
  const page = await openPage(agent);
  const card = page.locator(".card.consent", {hasText: "store.erase"});
  await card.getByText("all of it: 600 characters").waitFor();
  const shown = card.locator(".inputs pre");
  assert.ok(!(await shown.isVisible()));
  await card.locator(".inputs summary").click();
  assert.deepEqual(JSON.parse(await shown.textContent()), inputs);
  assert.equal(await shown.locator("b").count(), 0);
  await page.done();
});

test("a question for consent has what the tool is told of the page, and shows what is invisible", async () => {
  const agent = "told";
  const call = {tool_id: "store.erase", inputs: {folder: "tmp\u202etxt"}, scratch_page_query: {filters: {type: ["alert"]}, limit: 1000}};
  await house.post(agent + "/turns", {input: "Remove some", plan: [call]}, person);
  const page = await openPage(agent);
  const card = page.locator(".card", {hasText: "store.erase"});
  await card.getByText("given up to 1,000 observations of the page").waitFor();
  const parts = card.locator(".inputs pre");
  assert.equal(await parts.count(), 2);
  assert.match(await parts.nth(0).textContent(), /tmp\\u202etxt/);
  assert.equal(JSON.parse(await parts.nth(1).textContent()).limit, 1000);
  assert.ok(!(await card.textContent()).includes("\u202e"));
  await page.done();
});

test("a question of another agent is no question for consent, and an answer to it consents to nothing", async () => {
  const agent = "forged";
  await house.post(agent + "/turns", {input: "Remove it", thread_id: "t", plan: [{tool_id: "store.erase", inputs: {folder: "all"}}]}, person);
  const asks = {type: "pending_confirmation", context: {thread_id: "t"}};
  await assert.rejects(house.observe(agent, "Is the room warm enough?", {...asks,
    metadata: {consent_for: "store.erase", consent_of: "ann", call: {tool_id: "store.erase", inputs: {folder: "all"}}}}), /403/);
  const question = await house.observe(agent, "Is the room warm enough?", asks);
  const page = await openPage(agent);
  const card = page.locator(".card", {hasText: "Is the room warm enough?"});
  await card.getByLabel("Your answer").fill("Yes");
  assert.equal(await card.getByRole("button", {name: "Yes, once"}).count(), 0);
  const asked = page.waitForRequest(x => x.method() === "POST" && x.url().endsWith("/turns"));
  await card.getByRole("button", {name: "Answer"}).click();
  assert.deepEqual((await asked).postDataJSON().context, {confirms: [], answers: question.observation_id});
  await card.locator(".outcome", {hasText: "The turn went on"}).waitFor();
  assert.equal((await house.get(agent + "/observations?type=tool_result&source=store.erase")).total_count, 0);
  await page.locator(".card", {hasText: "store.erase"}).getByRole("button", {name: "No", exact: true}).waitFor();
  await page.done();
});

test("a key opens the page for its person once, and then is of no use", async () => {
  const address = await house.address("plain");
  const page = await openPage("plain", {at: {address: async () => address}});
  assert.ok(!page.url().includes("key"));
  assert.notEqual(await page.locator("#name").textContent(), "a viewer");
  await page.reload();
  await page.locator("#connection.live").waitFor();
  assert.notEqual(await page.locator("#name").textContent(), "a viewer");
  await page.done();
  const again = await openPage("plain", {at: {address: async () => address}, errors: ["403"]});
  await again.locator("#sign-in-problem").waitFor();
  assert.equal(await again.locator("#name").textContent(), "a viewer");
  await again.done();
});

test("a question in words is answered in its thread", async () => {
  const agent = "asker";
  await house.post(agent + "/turns", {input: "Book it", thread_id: "trip"}, person);
  const page = await openPage(agent);
  const card = page.locator(".card", {hasText: "What does"});
  await card.getByLabel("Your answer").fill("The night train to Lisbon");
  await card.getByRole("button", {name: "Answer"}).click();
  await card.locator(".outcome", {hasText: "The turn went on"}).waitFor();
  const inputs = await house.get(agent + "/observations?type=user_input&context.thread_id=trip");
  assert.equal(inputs.observations[0].content, "The night train to Lisbon");
  assert.equal((await house.get(agent + "/observations?type=pending_confirmation")).total_count, 0);
  await page.done();
});

// A turn in ann's name, by an agent that answers with a question.
const askInResponse = async (agent, input, response) => {
  const turn = await house.post(agent + "/turns", {input, user_id: "ann", thread_id: "t", hold: true});
  return house.post(agent + "/turns/" + turn.turn_id + "/end", {response});
};

test("a question of an answer has buttons, and each answers its own question", async () => {
  const agent = "relays";
  await askInResponse(agent, "Book me a table at Nora's", "A table for two at Nora's at 7 pm. Shall I book it?");
  await askInResponse(agent, "What is their phone number?", "It is 555 0100. A taxi there costs 20. Shall I book it?");
  const page = await openPage(agent);
  const older = page.locator(".card", {hasText: "7 pm"});
  await older.getByText("the agent, in its answer").waitFor();
  await page.locator("#turns-list .turn", {hasText: "waits for an answer"}).first().waitFor();
  await older.getByRole("button", {name: /^Yes/}).click();
  await older.locator(".outcome", {hasText: "The turn went on"}).waitFor();
  const open = await house.get(agent + "/observations?type=pending_confirmation");
  assert.deepEqual(open.observations.filter(x => x.metadata.kind).map(x => x.content.includes("taxi")), [true]);
  const [said] = (await house.get(agent + "/observations?type=user_input")).observations;
  assert.equal(said.content, "Yes");
  const newer = page.locator(".card", {hasText: "taxi"});
  await newer.getByLabel("Or in your words").fill("No, thanks");
  await newer.getByLabel("Or in your words").press("Enter");
  await newer.locator(".outcome", {hasText: "The turn went on"}).waitFor();
  const left = await house.get(agent + "/observations?type=pending_confirmation");
  assert.equal(left.observations.filter(x => x.metadata.kind).length, 0);
  await page.done();
});

test("who only looks on cannot answer what another user was asked", async () => {
  const agent = "asks_ann";
  await askInResponse(agent, "Book me a table at Nora's", "A table for two at Nora's at 7 pm. Shall I book it?");
  const page = await openPage(agent, {looksOn: true});
  const card = page.locator(".card", {hasText: "7 pm"});
  await card.getByText("Only a person can answer this").waitFor();
  assert.ok(await card.getByRole("button", {name: /^Yes/}).isDisabled());
  await page.done();
});

const factOf = (page, text) => page.locator("#facts-list .fact", {hasText: text});

test("facts are listed with who said them, corrected, ended and forgotten", async () => {
  const agent = "believes";
  await house.observe(agent, "Begin");
  const page = await openPage(agent);
  await page.locator("#facts-empty", {hasText: "Nothing is known yet"}).waitFor();
  await page.getByLabel("Tell the agent a fact").fill("Ann lives in <b>Bremen</b>");
  await page.getByRole("button", {name: "Add", exact: true}).click();
  const first = factOf(page, "Bremen");
  await first.waitFor();
  assert.equal(await first.locator("b").count(), 0);
  await first.locator("summary").click();
  await first.locator(".why li", {hasText: "said by"}).first().waitFor();
  await first.getByRole("button", {name: "Correct"}).click();
  await page.getByLabel("What is right instead").fill("Ann lives in Hamburg");
  await page.getByLabel("What is right instead").press("Enter");
  await factOf(page, "Hamburg").waitFor();
  await factOf(page, "Bremen").waitFor({state: "detached"});
  assert.deepEqual((await house.get(agent + "/facts")).facts.map(x => x.statement), ["Ann lives in Hamburg"]);
  await factOf(page, "Hamburg").getByRole("button", {name: "No longer so"}).click();
  await page.locator("#facts-list .fact.over", {hasText: "Hamburg"}).getByText("no longer so", {exact: true}).waitFor();
  assert.ok((await house.get(agent + "/facts")).facts[0].valid_until);
  await factOf(page, "Hamburg").getByRole("button", {name: "Forget"}).click();
  await factOf(page, "Hamburg").getByRole("button", {name: "Keep"}).click();
  await factOf(page, "Hamburg").getByRole("button", {name: "Forget"}).click();
  await factOf(page, "Hamburg").getByRole("button", {name: "Yes, forget"}).click();
  await factOf(page, "Hamburg").waitFor({state: "detached"});
  assert.ok(!(await house.get(agent + "/facts")).facts.some(x => x.statement.includes("Hamburg")));
  await page.done();
});

test("facts are searched, and a viewer can forget none", async () => {
  const agent = "searched";
  await house.observe(agent, "Begin");
  await house.post(agent + "/facts", {statement: "Ann prefers trains to planes"}, person);
  await house.post(agent + "/facts", {statement: "The cellar key hangs beside the door"}, person);
  const page = await openPage(agent);
  await factOf(page, "trains").waitFor();
  await page.locator("#facts-query").fill("cellar");
  await factOf(page, "trains").waitFor({state: "detached"});
  await factOf(page, "cellar key").waitFor();
  await page.locator("#facts-query").fill("zeppelin");
  await page.locator("#facts-empty", {hasText: "No fact shares a word with this"}).waitFor();
  await page.done();
  const onlooker = await openPage(agent, {looksOn: true});
  await factOf(onlooker, "trains").waitFor();
  assert.equal(await factOf(onlooker, "trains").getByRole("button", {name: "Forget"}).count(), 0);
  await onlooker.done();
});

test("a fact shows the observations that it was learnt from", async () => {
  const agent = "learns";
  await house.post(agent + "/turns", {input: "I'm allergic to peanuts"}, person);
  await until(async () => (await house.get(agent + "/facts")).total_count > 0, "nothing was learnt");
  const page = await openPage(agent);
  const fact = factOf(page, /peanuts/);
  await fact.locator("summary").click();
  await fact.locator(".why li", {hasText: "I'm allergic to peanuts"}).first().waitFor();
  await fact.locator(".why a.ref", {hasText: "obs_"}).first().click();
  await page.locator("#shown[open] .whole", {hasText: "allergic to peanuts"}).waitFor();
  await page.locator("#shown").getByRole("button", {name: "Show in the list"}).click();
  await row(page, "allergic to peanuts").locator(".inside").first().waitFor();
  await page.done();
});

test("earlier turns are searched, opened and forgotten", async () => {
  const agent = "remembers";
  await askInResponse(agent, "Is the museum open today?", "The museum is open until five today.");
  await askInResponse(agent, "What grows in the garden?", "Beans and roses grow there.");
  const page = await openPage(agent);
  const museum = page.locator("#episodes-list .episode", {hasText: "museum"});
  await museum.locator(".answered", {hasText: "until five"}).waitFor();
  await page.locator("#episodes-query").fill("roses");
  await museum.waitFor({state: "detached"});
  const garden = page.locator("#episodes-list .episode", {hasText: "garden"});
  await garden.locator("summary").click();
  await garden.locator(".why li", {hasText: "agent response"}).waitFor();
  await page.locator("#episodes-query").fill("zeppelin");
  await page.locator("#episodes-empty", {hasText: "No earlier turn"}).waitFor();
  await page.locator("#episodes-query").fill("");
  await museum.getByRole("button", {name: "Forget"}).click();
  await museum.getByRole("button", {name: "Yes, forget"}).click();
  await museum.waitFor({state: "detached"});
  await garden.waitFor();
  assert.equal((await house.get(agent + "/episodes")).episodes.length, 1);
  await page.done();
});

test("an action is approved, and the goal moves", async () => {
  const agent = "approves";
  const before = await goalOf(agent, "rent");
  assert.equal(before.status, "blocked");
  const page = await openPage(agent);
  const card = page.locator(".card", {hasText: "Transfer 900"});
  await card.getByRole("button", {name: "Approve"}).click();
  await card.locator(".outcome", {hasText: "Approved"}).waitFor();
  await page.locator(".goal .note", {hasText: "50 %"}).waitFor();
  const now = await house.get(agent + "/goals/rent");
  assert.equal(now.pending_actions.find(a => a.assigned_to === "user").status, "done");
  assert.ok(now.progress > before.progress);
  assert.equal(now.status, "in_progress");
  await page.locator(".goal summary").click();
  await page.locator(".goal .evidence", {hasText: "The rent is due"}).waitFor();
  await page.done();
});

test("an action is refused, and nobody does it any more", async () => {
  const agent = "refuses";
  await goalOf(agent, "rent");
  const page = await openPage(agent);
  const card = page.locator(".card", {hasText: "Transfer 900"});
  await card.getByRole("button", {name: "Refuse"}).click();
  await card.locator(".outcome", {hasText: "Refused"}).waitFor();
  const now = await house.get(agent + "/goals/rent");
  assert.equal(now.pending_actions.find(a => a.assigned_to === "user").status, "cancelled");
  assert.equal(now.status, "abandoned");
  await page.done();
});

test("turns are a timeline by daemon, and each mark tells its entry of the trace", async () => {
  const agent = "turns";
  await house.observe(agent, "Begin");
  const page = await openPage(agent);
  await page.getByLabel("Say something to the agent").fill("Is it warm in the cellar?");
  await page.getByRole("button", {name: "Begin a turn"}).click();
  await page.locator("#turns-outcome", {hasText: "more work"}).waitFor();
  await page.locator("#turns-list .turn", {hasText: "Is it warm in the cellar?"}).waitFor();
  await page.locator("#timeline svg").waitFor();
  for (const lane of ["router", "clarifier", "evaluator"]) await page.locator("#timeline .names div", {hasText: lane}).waitFor();
  const [turn] = (await house.get(agent + "/turns")).turns;
  const trace = await house.get(agent + "/turns/" + turn.turn_id + "/trace?limit=150");
  await until(async () => await page.locator("#timeline circle").count() >= Math.min(150, trace.entries.length), "not every entry has its mark");
  await page.locator("#timeline svg").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.locator("#tip").waitFor();
  await page.keyboard.press("Enter");
  await page.locator("#entry dl", {hasText: turn.turn_id}).waitFor();
  await page.locator(".entries summary").click();
  await page.locator("#entries tbody tr").nth(3).waitFor();
  await page.done();
});

test("the scratchbook of a thread is shown, and its items are done and pinned", async () => {
  const agent = "writer";
  const item = await house.post(agent + "/threads/main/items", {kind: "task", title: "Write it down", body: "All of it", progress: .3}, person);
  const page = await openPage(agent);
  const shown = page.locator(".item", {hasText: "Write it down"});
  await shown.getByRole("button", {name: "Pin"}).click();
  await shown.getByText("pinned task").waitFor();
  await shown.getByRole("button", {name: "Mark"}).click();
  await page.locator(".item.done", {hasText: "Write it down"}).waitFor();
  assert.equal((await house.get(agent + "/threads/main/items")).items.find(x => x.id === item.id).status, "done");
  await page.done();
});

test("subscribers are listed with their lag, and daemons once they have begun", async () => {
  const agent = "listed";
  await house.observe(agent, "It rains");
  const page = await openPage(agent);
  await page.locator("#subscribers-list tr", {hasText: "stand in (daemons that have not begun)"}).waitFor();
  await house.post(agent + "/turns", {input: "Hello"}, person);
  await page.locator("#subscribers-list tr", {hasText: "router"}).waitFor();
  const cells = await page.locator("#subscribers-list tr", {hasText: "router"}).locator("td").allInnerTexts();
  assert.equal(cells[0], "yes");
  assert.match(cells[1], /^\d+$/);
  assert.equal(await page.locator("#subscribers-list tr", {hasText: "stand in"}).count(), 0);
  await page.done();
});

test("hostile content stays text: markup, marks of direction, 64 KiB in a line", async () => {
  const agent = "hostile";
  const attack = "<script>alert(1)</script><img src=x onerror=alert(2)>";
  const turned = "\u202Eevil \u2066text\u2067 <b>bold</b>";
  const long = "A".repeat(65_500);
  await house.observe(agent, attack, {tags: [attack.slice(0, 40)], context: {thread_id: attack}, metadata: {x: attack}});
  await house.observe(agent, turned, {tags: ["\u202Eevil"]});
  await house.observe(agent, long);
  await house.post(agent + "/observations", {type: "action_suggestion", content: "Pay " + attack, confidence: .95, tags: ["money"], context: {goal_id: "g"}}, person);
  await house.post(agent + "/turns", {input: attack}, person);
  await house.post(agent + "/turns", {input: "it", thread_id: attack}, person);
  await house.post(agent + "/threads/main/items", {kind: "note", title: attack, body: attack + turned}, person);
  await house.observe("<img src=x onerror=alert(3)>", "An agent's name");
  const page = await openPage(agent);
  await row(page, attack).first().waitFor();
  await page.locator(".goal", {hasText: "<script>"}).waitFor();
  await page.locator(".item", {hasText: "<script>"}).waitFor();
  await page.locator("#timeline svg").waitFor();
  const made = await page.evaluate(() => ({elements: document.querySelectorAll("body script, img, [onerror]").length,
    bold: [...document.querySelectorAll("b")].filter(e => e.textContent === "bold").length}));
  assert.deepEqual(made, {elements: 0, bold: 0});
  const text = row(page, "evil").locator(".text");
  assert.equal(await text.textContent(), turned);
  assert.equal(await text.evaluate(e => getComputedStyle(e).unicodeBidi), "isolate");
  const wide = row(page, "AAAA");
  assert.ok((await wide.locator(".text").textContent()).length < 400);
  await wide.locator(".rowopen").click();
  await until(async () => (await wide.locator(".whole").textContent()).length === long.length, "the whole text is not shown");
  const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.ok(fits, "the page is wider than its window");
  assert.ok((await wide.boundingBox()).height < 700);
  await page.locator("#agent").selectOption("<img src=x onerror=alert(3)>");
  await row(page, "An agent's name").waitFor();
  await page.done();
});

test("a server that comes again is found again, and nothing is missed", async () => {
  const other = await pages.other();
  await other.observe("ada", "Before the end");
  const page = await openPage("ada", {at: other});
  await row(page, "Before the end").waitFor();
  await other.stop("SIGKILL");
  await page.locator("#connection.broken").waitFor();
  await other.start();
  await other.observe("ada", "After the beginning");
  await page.locator("#connection.live").waitFor();
  await row(page, "After the beginning").waitFor();
  await row(page, "Before the end").waitFor();
  assert.equal(await page.locator("#observations-list .row").count(), 2);
  await page.locator("#sign-in-problem", {hasText: "Your session has ended with the server"}).waitFor();
  await page.done();
});

test("with tokens the page asks for one, and keeps it in its tab alone", async () => {
  const other = await pages.other();
  await other.observe("ada", "A secret");
  await goalOf("ada", "rent", other);
  const made = await other.run("token", "add", "--name", "ann", "--agents", "ada", "--person");
  const token = made.match(/sp_[\w-]+/)[0];
  await until(async () => (await fetch(other.url + "/v1/agents")).status === 401, "everybody is still let in");
  const page = await openPage("", {at: other, looksOn: true});
  await page.getByLabel("Token").fill("sp_wrongone_" + "x".repeat(43));
  await page.getByRole("button", {name: "Sign in"}).click();
  await page.locator("#welcome-problem").waitFor();
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
  await page.locator("#agents-list").getByRole("link", {name: "ada"}).click();
  await row(page, "A secret").waitFor();
  await page.reload();
  await row(page, "A secret").waitFor();
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes("sp_"));
  assert.ok(!page.url().includes("sp_"));
  const card = page.locator(".card", {hasText: "Transfer 900"});
  await card.getByRole("button", {name: "Approve"}).click();
  await card.locator(".outcome", {hasText: "Approved"}).waitFor();
  await page.getByRole("button", {name: "Sign out"}).click();
  await page.getByLabel("Token").waitFor();
  await page.done();
});

test("an empty server says what to do next, and makes an agent", async () => {
  const other = await pages.other();
  const page = await openPage("", {at: other});
  await page.getByRole("heading", {name: "No agent yet"}).waitFor();
  await page.getByLabel("Name of the agent").fill("eve");
  await page.getByRole("button", {name: "Create the agent"}).click();
  await row(page, "opened the page").waitFor();
  assert.equal(await page.locator("#agent").inputValue(), "eve");
  await page.done();
});

test("what the server refuses is told with its field", async () => {
  const agent = "refusal";
  await house.observe(agent, "Something");
  const page = await openPage(agent);
  await page.route("**/turns", route => route.request().method() !== "POST" ? route.continue() : route.fulfill({status: 400, contentType: "application/json",
    body: JSON.stringify({error: {code: "invalid_request", message: "invalid_request: input: expected a text", field: "input"}})}));
  await page.getByLabel("Say something to the agent").fill("x");
  await page.getByRole("button", {name: "Begin a turn"}).click();
  await page.locator("#turns-outcome.bad", {hasText: "input"}).waitFor();
  assert.equal(await page.getByLabel("Say something to the agent").inputValue(), "x");
  await page.done();
});

for (const colorScheme of ["light", "dark"])
  for (const viewport of [{width: 1440, height: 900}, {width: 360, height: 740}])
    test(`axe finds nothing in ${colorScheme}, ${viewport.width} pixels wide`, async () => {
      const agent = "axe_" + colorScheme + viewport.width;
      await fill(agent);
      const page = await openPage(agent, {colorScheme, viewport});
      await page.locator(".card").nth(2).waitFor();
      await page.locator("#timeline svg").waitFor();
      await page.locator(".item").waitFor();
      await page.locator("#subscribers-list tr").first().waitFor();
      await page.locator(".goal summary").first().click();
      await page.locator(".fact summary").first().click();
      await page.locator(".episode summary").first().click();
      await page.locator(".entries summary").click();
      await page.locator(".rowopen").first().click();
      await page.locator("#timeline svg").focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("Enter");
      assert.deepEqual(await violations(page, packages), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it is wider than its window");
      await page.done();
    });

test("axe finds nothing where a token is asked for, and where there is no agent", async () => {
  const other = await pages.other();
  const empty = await openPage("", {at: other});
  await empty.getByLabel("Name of the agent").waitFor();
  assert.deepEqual(await violations(empty, packages), []);
  await empty.route("**/v1/agents", route => route.fulfill({status: 401, contentType: "application/json", body: "{}"}));
  await empty.reload();
  await empty.getByLabel("Token").waitFor();
  assert.deepEqual(await violations(empty, packages), []);
  await empty.done();
});

test("the keyboard alone reaches everything and shows where it is", async () => {
  const agent = "keys";
  await fill(agent);
  const page = await openPage(agent);
  await page.locator(".card").nth(2).waitFor();
  await page.locator("#timeline svg").waitFor();
  await page.locator(".item").waitFor();
  const reached = new Set();
  let stops = 0;
  await page.keyboard.press("Tab");
  for (let i = 0; i < 300; ++i) {
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      if (e === document.body) return "end";
      const style = getComputedStyle(e);
      const name = e.matches(".rowopen") ? "row" : e.id || (e.getAttribute("aria-label") || e.textContent).trim().slice(0, 30);
      return e.tagName.toLowerCase() + " " + name + (style.outlineStyle === "none" ? " (unseen)" : "");
    });
    if (at === "end") break;
    assert.ok(!at.endsWith("(unseen)"), at);
    stops += at === "button row" ? 1 : 0;
    reached.add(at);
    await page.keyboard.press("Tab");
  }
  const all = [...reached].join("\n");
  for (const what of ["a All agents", "select agent", "button leave", "a For you", "a Search", "a Past", "a Two turns", "a Context", "summary Save observations", "button Yes, once", "button No", "button Approve", "button Refuse", "button Answer",
    "input query", "input tags", "select type", "select status", "input source", "select confidence", "input speak-input", "svg Timeline",
    "summary Every entry", "select thread", "button Mark s1 done", "button Pin s1", "button goals-over", "input episodes-query",
    "input facts-query", "summary Why: 1 source", "button Correct", "button No longer so", "button Forget", "input facts-statement", "a The API"])
    assert.ok(all.includes(what), what + " is not among\n" + all);
  assert.equal(stops, 1, "the list is not one stop");
  // In the list, arrows move on, Enter opens and Escape closes.
  await page.keyboard.press("Escape");
  await page.locator("body").click({position: {x: 2, y: 300}});
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "query");
  await page.locator("#observations-list .rowopen[tabindex='0']").focus();
  await page.keyboard.press("End");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Reading 0/);
  await page.keyboard.press("Enter");
  await page.locator(".inside").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".inside").count(), 0);
  // Approves with the keyboard.
  await page.locator(".card button", {hasText: "Approve"}).focus();
  await page.keyboard.press("Enter");
  await page.locator(".outcome", {hasText: "Approved"}).waitFor();
  await page.done();
});
