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

const browser = await browserOf(packages);
for (const scheme of ["light", "dark"])
  for (const [name, width, height] of [["wide", 1440, 1160], ["narrow", 360, 780]]) {
    const page = await (await browser.newContext({colorScheme: scheme, viewport: {width, height}})).newPage();
    page.on("pageerror", e => console.log("error:", e.message));
    page.on("console", m => { if (m.type() === "error") console.log("console:", m.text()); });
    await page.goto(await house.address("ada"));
    await page.waitForSelector(".row");
    if (scheme === "light" && name === "wide") await go_on();
    await page.waitForTimeout(2500);
    await page.screenshot({path: join(folder, scheme + "_" + name + ".png")});
    if (scheme === "light" && name === "wide") {
      await page.setViewportSize({width: 1360, height: 1480});
      await page.waitForTimeout(1000);
      await page.screenshot({path: join(folder, "page.png")});
      await page.setViewportSize({width, height});
    }
    await page.screenshot({path: join(folder, scheme + "_" + name + "_whole.png"), fullPage: true});
  }
await browser.close();
await house.end();
