// Measures the page under 2 000 observations at 200 a second: how soon they are shown, and how
// long the page blocks the browser.
//
// usage: load.mjs PROGRAM PACKAGES [COUNT [A_SECOND]]
import {Household, browserOf} from "./household.mjs";

const [program, packages, count = "2000", per_second = "200"] = process.argv.slice(2);
const house = new Household(program);
await house.start();
await house.observe("ada", "The first");

const browser = await browserOf(packages);
const page = await (await browser.newContext({viewport: {width: 1440, height: 900}})).newPage();
await page.goto(house.url + "/?agent=ada");
await page.locator("#connection.live").waitFor();
await page.locator(".row").first().waitFor();
await page.waitForTimeout(2000);

await page.evaluate(() => {
  window.seen = {tasks: [], delays: [], frames: []};
  new PerformanceObserver(list => seen.tasks.push(...list.getEntries().map(x => x.duration))).observe({type: "longtask"});
  // The text of the newest row contains the time when it was sent.
  new MutationObserver(() => {
    const said = /sent (\d+)/.exec(document.querySelector("#observations-list .row .text")?.textContent || "");
    if (said && said[1] !== seen.last) seen.delays.push(Date.now() - Number(said[1]));
    seen.last = said?.[1] ?? seen.last;
  }).observe(document.getElementById("observations-list"), {childList: true, subtree: true, characterData: true});
  let last = performance.now();
  const frame = at => { seen.frames.push(at - last); last = at; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
});

// Meanwhile the agent runs a turn every two seconds.
let ended = false;
const work = async () => {
  for (let i = 0; !ended; ++i) {
    await house.post("ada/turns", {input: "Is it warm in room " + i + "? Check the heating, and tell the warden"});
    await new Promise(done => setTimeout(done, 2000));
  }
};
const working = work();
const begin = performance.now();
await house.pour("ada", Number(count), Number(per_second), i => ({type: "observation", content: `Reading number ${i}, sent ${Date.now()}`,
  tags: ["reading", "unit" + i % 7], ttl_minutes: 1 + i % 50}));
const poured = performance.now() - begin;
await page.waitForFunction(n => [...document.querySelectorAll("#observations-list .text")].some(x => x.textContent.includes(n)), `number ${count - 1},`);
const all = performance.now() - begin;
ended = true;
await working;
await page.waitForTimeout(1500);
const {seen, figures} = await page.evaluate(async () => ({seen, figures: {...(await import("/web/frames.js")).figures}}));
// Checks that the browser reports long tasks; otherwise every page would pass.
const sees = await page.evaluate(n => new Promise(done => {
  setTimeout(() => {
    const end = performance.now() + 80;
    while (performance.now() < end) { /* a long task */ }
    setTimeout(() => done(window.seen.tasks.length > n), 500);
  }, 0);
}), seen.tasks.length);
await browser.close();
await house.end();
if (!sees) throw new Error("the browser does not report long tasks");

const sorted = xs => [...xs].sort((a, b) => a - b);
const at = (xs, share) => sorted(xs)[Math.min(xs.length - 1, Math.floor(xs.length * share))] ?? 0;
console.log(`${count} observations in ${(poured / 1000).toFixed(1)} s, the last one shown ${Math.max(0, all - poured).toFixed(0)} ms later, turns drawn meanwhile
| | median | p99 | most |
|---|---|---|---|
| from being sent to being shown, ms | ${at(seen.delays, .5)} | ${at(seen.delays, .99)} | ${at(seen.delays, 1)} |
| from frame to frame, ms | ${at(seen.frames, .5).toFixed(0)} | ${at(seen.frames, .99).toFixed(0)} | ${at(seen.frames, 1).toFixed(0)} |
tasks over 50 ms: ${seen.tasks.length}${seen.tasks.length ? " (" + seen.tasks.map(x => x.toFixed(0)).join(", ") + " ms)" : ""}
work of the page in a frame: at most ${figures.longest_ms.toFixed(1)} ms`);
process.exitCode = seen.tasks.length > 0 || at(seen.delays, 1) > 1000 ? 1 : 0;
