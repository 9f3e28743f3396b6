// Takes screenshots of a filled page: dark and light, wide and narrow.
//
// usage: pictures.mjs PROGRAM PACKAGES FOLDER
import {join} from "node:path";
import {Household, browserOf} from "./household.mjs";

const [program, packages, folder] = process.argv.slice(2);
const house = new Household(program);
await house.start();
const people = await house.person();

const tool = name => ({"Scratchpage-Caller": JSON.stringify({role: "tool", kind: "tool", name})});
const say = (input, more = {}) => house.post("ada/turns", {input, ...more}, people);
const note = (content, more = {}, by = people) => house.post("ada/observations", {type: "observation", content, ...more}, by);

await note("Ann prefers trains to planes below six hours", {type: "contextual_insight", confidence: .93, tags: ["travel", "preference"], context: {goal_id: "lisbon_trip"}});
await note("The night train to Lisbon runs again from May on", {type: "contextual_insight", confidence: .96, tags: ["travel", "train"], context: {goal_id: "lisbon_trip"}}, tool("timetable"));
await say("Find out when the night train leaves", {plan: [{tool_id: "store.read", inputs: {what: "timetable"}}]});
await note("Smoke in the server room", {type: "alert", confidence: .97, tags: ["fire", "server room"], ttl_minutes: 2}, tool("smoke_detector"));
await say("Is the server room safe right now? Check the sensors and tell the warden", {plan: [{tool_id: "store.echo", inputs: {text: "sensors"}}, {tool_id: "store.fail"}]});
await note("Rent for December is due on the 1st", {type: "contextual_insight", confidence: .95, tags: ["money", "rent"], context: {goal_id: "pay_the_rent"}});
await say("Remove last year's backups", {plan: [{tool_id: "store.erase", inputs: {folder: "backups/2025"}}]});
await say("Book it", {thread_id: "travel"});
const fact = (statement, by = people) => house.post("ada/facts", {statement}, by);
await fact("Ann is allergic to feathers");
await fact("The night train has no dining car");
await say("I'm vegetarian, by the way");
const asked = await house.post("ada/turns", {input: "Find us a table in Lisbon for Friday", user_id: "ann", thread_id: "travel", hold: true});
await house.post("ada/turns/" + asked.turn_id + "/end", {response: "Casa da Rua has a table for two at 20:00 on Friday. Shall I book it?"});
for (const [kind, title, body] of [["task", "Book the trip to Lisbon", "Night train out, plane back"], ["todo", "Ask Ann about the sleeping car", ""], ["note", "The station's desk closes at 20:00", "It opens again at 6:30"], ["todo", "Compare the two fares", ""]]) {
  const item = await house.post("ada/threads/main/items", {kind, title, body, ...(kind === "task" ? {progress: .4} : {})});
  if (kind === "note") await house.post("ada/threads/main/items/" + item.id + "/pin");
  if (title.startsWith("Compare")) await house.post("ada/threads/main/items/" + item.id + "/complete");
}
const rooms = ["kitchen", "server room", "cellar", "attic", "garage"];
const reading = i => note(`The ${rooms[i % 5]} has ${(18 + i * .4).toFixed(1)} °C`,
  {confidence: .6 + i % 4 / 10, tags: ["temperature", rooms[i % 5]], ttl_minutes: 1 + (i * 7) % 30}, tool("thermometer"));
for (let i = 0; i < 24; ++i) await reading(i);
// Adds observations while the page is open.
const go_on = async () => {
  await reading(25);
  await note("The fan in the server room stands still", {type: "alert", confidence: .82, tags: ["server room", "fan"], ttl_minutes: 1.2}, tool("fan_watch"));
  await note("قال الجار: الباب مفتوح", {confidence: .7, tags: ["door"]}, people);
  await note("The smoke is from the kitchen: someone burned the toast", {confidence: .9, tags: ["fire", "kitchen"], ttl_minutes: 45}, people);
};

// Other agents, for the overview.
await house.observe("garden", "The soil is dry", {tags: ["garden"]});
await house.post("garden/turns", {input: "Remove the old plans", plan: [{tool_id: "store.erase", inputs: {folder: "plans"}}]}, people);
await house.observe("library", "A book was returned", {tags: ["book"]});
const left = await note("The milk has run out", {confidence: .9, tags: ["kitchen"]});
await house.ask("DELETE", "/v1/agents/ada/observations/" + left.observation_id, undefined, people);

const browser = await browserOf(packages);
const opened = async (address, options) => {
  const page = await (await browser.newContext(options)).newPage();
  page.on("pageerror", e => console.log("error:", e.message));
  page.on("console", m => { if (m.type() === "error") console.log("console:", m.text()); });
  await page.goto(address);
  return page;
};

for (const scheme of ["light", "dark"])
  for (const [name, width, height] of [["wide", 1440, 1160], ["narrow", 360, 780]]) {
    const page = await opened(await house.address("ada"), {colorScheme: scheme, viewport: {width, height}});
    await page.waitForSelector(".row");
    if (scheme === "light" && name === "wide") await go_on();
    await page.waitForTimeout(2500);
    const shoot = (what, more = {}) => page.screenshot({path: join(folder, [what, scheme, name].filter(x => x).join("_") + ".png"), ...more});
    await shoot("agent");
    if (scheme === "light" && name === "wide") {
      await page.setViewportSize({width: 1360, height: 1480});
      await page.waitForTimeout(1000);
      await page.screenshot({path: join(folder, "page.png")});
      await page.setViewportSize({width, height});
    }
    await shoot("agent_whole", {fullPage: true});
    await page.locator(".goal a.ref").first().click();
    await page.waitForTimeout(800);
    await shoot("link");
    for (const [what, address, ready] of [["overview", "/", "#agents-list tr.waits"], ["search", "/?agent=ada&view=search&q=night+train", ".hit"],
      ["past", "/?agent=ada&view=past&after=30", "#past-list .row"], ["compare", "/?agent=ada&view=compare", ".comparison"],
      ["context", "/?agent=ada&view=context&prompt=when+does+the+train+leave", ".costs"], ["missing", "/?agent=newone", "#missing-list li"]]) {
      await page.goto(house.url + address);
      await page.waitForSelector(ready);
      await page.waitForTimeout(700);
      await shoot(what);
    }
    await page.context().close();
  }
await browser.close();
await house.end();
