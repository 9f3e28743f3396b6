// What tests of the page share: a household, its person, and pages in a browser that fail a test at
// errors that it does not expect.
import assert from "node:assert/strict";
import {after, before} from "node:test";
import {Household, browserOf} from "./household.mjs";

export const patience = {timeout: 30_000};

// Registers what happens before and after the tests of a file; `begun` is called when the server runs.
export const pagesOf = (program, packages, begun = () => {}) => {
  const shut = [], all = {
    house: new Household(program), person: null, browser: null,
    // Another server, which ends with the tests.
    other: async (more = {}) => {
      const one = new Household(program, more);
      shut.push(one);
      await one.start();
      return one;
    },
    // Opens the page for the user of this machine, or for a reader if `looksOn`.
    open: async (agent, {at = all.house, looksOn = false, errors = [], more = "", ...options} = {}) => {
      const context = await all.browser.newContext({viewport: {width: 1280, height: 900}, reducedMotion: "reduce", ...options});
      const page = await context.newPage();
      page.setDefaultTimeout(patience.timeout);
      page.errors = [];
      page.on("pageerror", e => page.errors.push(String(e)));
      page.on("dialog", d => { page.errors.push("dialog: " + d.message()); d.dismiss(); });
      page.done = async () => {
        assert.deepEqual(page.errors.filter(e => !errors.some(x => e.includes(x))), []);
        await context.close();
      };
      const viewer = at.url + "/" + (agent ? "?agent=" + encodeURIComponent(agent) : "");
      const address = looksOn ? viewer : await at.address(agent);
      await page.goto(more ? address.replace(/(#|$)/, "&" + more + "$1") : address);
      if (agent && !page.url().includes("nobody")) await page.locator("#connection.live").waitFor();
      return page;
    }};
  before(async () => {
    all.browser = await browserOf(packages);
    await all.house.start();
    all.person = await all.house.person();
    begun(all);
  });
  after(async () => {
    await all.browser?.close();
    await all.house.end();
    for (const one of shut) await one.end();
  });
  return all;
};

export const row = (page, text) => page.locator("#observations-list .row", {hasText: text});

export const until = async (what, sentence) => {
  const end = Date.now() + patience.timeout;
  for (;;) {
    const found = await what();
    if (found) return found;
    assert.ok(Date.now() < end, sentence);
    await new Promise(done => setTimeout(done, 50));
  }
};

// A goal that waits for a person: "Transfer 900 to the landlord?"
export const goalOf = async (at, agent, id) => {
  await at.post(agent + "/observations", {type: "contextual_insight", content: "The rent is due", confidence: .95, tags: ["money"], context: {goal_id: id}});
  return until(async () => (await at.get(agent + "/goals")).goals.find(g => g.goal_id === id), "there is no goal");
};

// Fills an agent so that every part of the page shows something.
const gauge = {"Scratchpage-Caller": JSON.stringify({role: "tool", kind: "tool", name: "gauge"})};
export const fill = async (at, person, agent) => {
  for (let i = 0; i < 12; ++i) await at.post(agent + "/observations", {type: i % 3 ? "observation" : "alert", content: "Reading " + i, tags: ["reading"], confidence: .7, ttl_minutes: i + .5}, gauge);
  await goalOf(at, agent, "rent");
  await at.post(agent + "/turns", {input: "Remove the backups, urgently", plan: [{tool_id: "store.erase", inputs: {folder: "x"}}]}, person);
  await at.post(agent + "/turns", {input: "Book it", thread_id: "t"}, person);
  await at.post(agent + "/threads/main/items", {kind: "task", title: "Write", body: "it", progress: .5}, person);
  await at.post(agent + "/facts", {statement: "Ann prefers trains to planes"}, person);
};
