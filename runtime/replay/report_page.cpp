#include "scratchpage/runtime/replay/report_page.hpp"

namespace scratchpage::report_page {

// clang-format off

const std::string_view head = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
)html";

const std::string_view style = R"css(:root {
  --paper: #faf9f6; --card: #ffffff; --ink: #24282d; --soft: #6a717b; --line: #e5e2da; --band: #f3f1eb;
  --accent: #2c6e73; --accent-soft: #d7e8e7; --good: #3d7d4c; --good-soft: #dcecdf;
  --warn: #a66a10; --warn-soft: #f6e7cb; --bad: #b3402f; --bad-soft: #f7dcd6; --quiet: #a8adb4;
}
@media (prefers-color-scheme: dark) { :root {
  --paper: #14171a; --card: #1b1f23; --ink: #e3e5e8; --soft: #98a0aa; --line: #2c3238; --band: #1f2429;
  --accent: #76bdbf; --accent-soft: #213b3d; --good: #85c493; --good-soft: #20382a;
  --warn: #e0ac5c; --warn-soft: #41331b; --bad: #ee8f7f; --bad-soft: #4a2721; --quiet: #5d6670;
} }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
.top, main { max-width: 1240px; margin: 0 auto; padding: 0 28px; }
.top { padding-top: 40px; padding-bottom: 12px; }
.brand { margin: 0; color: var(--accent); font-size: 13px; letter-spacing: .08em; font-weight: 600; }
h1 { margin: 2px 0 0; font-size: 27px; line-height: 1.25; font-weight: 640; letter-spacing: -.01em; overflow-wrap: anywhere; }
h3 { margin: 26px 0 8px; font-size: 13px; font-weight: 640; color: var(--soft); letter-spacing: .02em; }
.muted { color: var(--soft); }
.top .muted { margin: 4px 0 0; }
.note { font-size: 13px; margin: 8px 0 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(132px, 1fr)); gap: 1px; margin-top: 24px;
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.tile { padding: 12px 14px; box-shadow: 0 0 0 1px var(--line); }
.tile b { display: block; font-size: 20px; white-space: nowrap; line-height: 1.2; font-weight: 620; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: 12.5px; }
.tile.warn b { color: var(--warn); } .tile.bad b { color: var(--bad); } .tile.good b { color: var(--good); }
.bar { display: flex; gap: 16px; align-items: center; flex-wrap: wrap; margin: 26px 0 10px; }
.bar input[type=search] { flex: 1 1 260px; max-width: 460px; padding: 8px 12px; border-radius: 8px; border: 1px solid var(--line);
  background: var(--card); color: var(--ink); font: inherit; }
.bar label { color: var(--soft); font-size: 13.5px; display: flex; gap: 6px; align-items: center; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
details.talk { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: 8px 0; }
details.talk > summary { cursor: pointer; list-style: none; display: grid; gap: 14px; align-items: center; padding: 10px 16px;
  grid-template-columns: 14px minmax(130px, 1.1fr) minmax(0, 2.2fr) auto; border-radius: 10px; }
details.talk > summary::-webkit-details-marker { display: none; }
summary .tick { color: var(--soft); transition: transform .12s; }
details[open] > summary .tick { transform: rotate(90deg); }
summary .name { font-weight: 600; overflow-wrap: anywhere; }
summary .hint { color: var(--soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; font-size: 13.5px; }
summary .figures { display: flex; gap: 6px; align-items: center; justify-content: flex-end; flex-wrap: wrap; }
.pill { display: inline-block; padding: 0 8px; border-radius: 999px; font-size: 12px; line-height: 20px; white-space: nowrap;
  background: var(--band); color: var(--soft); font-variant-numeric: tabular-nums; }
.pill.high, .pill.timed_out, .pill.bad, .pill.error, .pill.timeout { background: var(--bad-soft); color: var(--bad); }
.pill.medium, .pill.needs_answer, .pill.warn, .pill.blocked, .pill.more_work, .pill.partial { background: var(--warn-soft); color: var(--warn); }
.pill.complete, .pill.completed, .pill.good { background: var(--good-soft); color: var(--good); }
.pill.in_progress, .pill.aim { background: var(--accent-soft); color: var(--accent); }
.inside { padding: 2px 16px 20px; border-top: 1px solid var(--line); }
.unmet { margin: 14px 0 0; padding: 10px 14px; border-radius: 8px; background: var(--bad-soft); color: var(--bad); font-size: 13.5px; }
.unmet p { margin: 2px 0; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; position: relative; }
.plot { display: grid; grid-template-columns: 146px auto; width: max-content; min-width: 100%; }
.names { position: sticky; left: 0; z-index: 2; background: var(--card); border-right: 1px solid var(--line); font-size: 12.5px; }
.names div { height: 26px; line-height: 26px; padding: 0 10px; color: var(--soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.names div.head { height: 44px; }
.names.rows div { height: 20px; line-height: 20px; }
svg { display: block; font: 11.5px system-ui, -apple-system, "Segoe UI", sans-serif; }
svg .band { fill: var(--band); } svg .band.high { fill: var(--bad-soft); opacity: .55; } svg .band.medium { fill: var(--warn-soft); opacity: .55; }
svg .rule { stroke: var(--line); } svg .edge { stroke: var(--quiet); stroke-dasharray: 2 3; }
svg text { fill: var(--soft); } svg text.strong { fill: var(--ink); font-weight: 600; }
svg .mark { fill: var(--accent); } svg .mark.dim { fill: var(--quiet); }
svg .mark.warning { fill: var(--warn); } svg .mark.failure { fill: var(--bad); }
svg .call { fill: var(--accent); opacity: .3; } svg .call.ok { fill: var(--good); } svg .call.error, svg .call.timeout { fill: var(--bad); opacity: .45; }
svg .life { fill: var(--accent); opacity: .38; } svg .life.resolved, svg .life.archived { fill: var(--good); }
svg .life.expired, svg .life.evicted { fill: var(--quiet); } svg .life.alerting { fill: var(--warn); opacity: .5; }
svg .chosen { stroke: var(--ink); stroke-width: 2; paint-order: stroke; }
.tip { position: fixed; z-index: 10; max-width: 440px; padding: 9px 12px; border-radius: 8px; pointer-events: none; background: var(--ink);
  color: var(--paper); font-size: 13px; line-height: 1.42; overflow-wrap: anywhere; box-shadow: 0 6px 24px rgb(0 0 0 / .22); }
.tip b { font-weight: 640; } .tip p { margin: 3px 0 0; opacity: .82; } .tip[hidden] { display: none; }
.legend { display: flex; gap: 14px; flex-wrap: wrap; color: var(--soft); font-size: 12.5px; margin-top: 7px; }
.legend i { display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin-right: 5px; background: var(--c); }
.turn { display: grid; grid-template-columns: 34px minmax(0, 1fr) auto; gap: 4px 12px; padding: 11px 0; border-top: 1px solid var(--line); }
.turn:first-child { border-top: 0; }
.turn .n { color: var(--soft); text-align: right; font-variant-numeric: tabular-nums; }
.turn .said { overflow-wrap: anywhere; }
.turn .answer { color: var(--soft); overflow-wrap: anywhere; margin-top: 2px; }
.turn .ask { color: var(--warn); margin-top: 2px; }
.turn .state { text-align: right; }
.calls { display: flex; gap: 6px; flex-wrap: wrap; margin-top: 6px; }
.book { margin-top: 7px; border-left: 2px solid var(--line); padding-left: 10px; font-size: 13.5px; }
.book > summary { cursor: pointer; list-style: none; color: var(--soft); display: flex; gap: 6px; align-items: center; flex-wrap: wrap; border-radius: 6px; }
.book > summary::-webkit-details-marker { display: none; }
.book > summary .tick { display: inline-block; font-size: 12px; }
.book p { margin: 8px 0 2px; color: var(--soft); font-size: 12.5px; }
.book p.cut { display: flex; gap: 8px; align-items: center; }
.book p.cut::after { content: ""; flex: 1; border-top: 1px dashed var(--quiet); }
.book ul { margin: 0; padding: 0; list-style: none; }
.book li { padding: 1px 8px; overflow-wrap: anywhere; border-radius: 4px; }
.book li.new { background: var(--good-soft); }
.book li b { font-weight: 600; color: var(--accent); font-variant-numeric: tabular-nums; }
.book li small { color: var(--good); font-size: 12px; }
.books { display: flex; gap: 12px; align-items: baseline; flex-wrap: wrap; }
.books button { font: inherit; font-size: 12.5px; padding: 1px 10px; border-radius: 999px; border: 1px solid var(--line);
  background: var(--card); color: var(--accent); cursor: pointer; }
.goals { display: grid; grid-template-columns: repeat(auto-fill, minmax(330px, 1fr)); gap: 12px; }
.goal { border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; }
.goal .title { font-weight: 600; overflow-wrap: anywhere; display: flex; justify-content: space-between; gap: 10px; align-items: flex-start; }
.track { height: 7px; border-radius: 4px; background: var(--band); margin: 9px 0 7px; overflow: hidden; }
.track span { display: block; height: 100%; border-radius: 4px; background: var(--accent); }
.goal.completed .track span { background: var(--good); }
.goal ul, .facts { margin: 4px 0 0; padding: 0; list-style: none; font-size: 13.5px; }
.goal li, .facts li { padding: 2px 0; overflow-wrap: anywhere; }
.facts li { display: flex; gap: 10px; align-items: baseline; }
.goal li small, .facts small { color: var(--soft); }
footer { max-width: 1240px; margin: 34px auto 46px; padding: 0 28px; color: var(--soft); font-size: 13px; }
@media (max-width: 720px) { details.talk > summary { grid-template-columns: 14px 1fr; } summary .hint { display: none; }
  summary .figures { grid-column: 2; justify-content: flex-start; } .top, main { padding: 0 14px; } }
@media print { details.talk { break-inside: avoid; } .bar { display: none; } }
)css";

const std::string_view body = R"html(<main>
<noscript><p class="note">The timelines are drawn by this page's own script, which is switched off.</p></noscript>
<div class="bar" id="bar" hidden>
<input type="search" id="filter" placeholder="Filter conversations ( / )" aria-label="Filter conversations">
<label><input type="checkbox" id="trouble"> only with errors or unmet expectations</label>
<span class="muted note" id="shown" role="status"></span>
</div>
<div id="talks"></div>
<div class="tip" id="tip" role="status" hidden></div>
)html";

const std::string_view script = R"js("use strict";
(() => {
const byId = id => document.getElementById(id);
const data = id => JSON.parse(byId(id).textContent);
// Everything that was said reaches the page as text nodes, never as markup.
const make = (name, cls, ...kids) => {
  const e = document.createElement(name);
  if (cls) e.className = cls;
  for (const k of kids) if (k !== null && k !== undefined) e.append(k);
  return e;
};
const draw = (name, at, text) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in at) e.setAttribute(k, at[k]);
  if (text !== undefined) e.textContent = text;
  return e;
};
const pill = (text, kind) => make("span", "pill " + (kind || ""), text);
const plural = (n, one, many) => n + " " + (n === 1 ? one : many || one + "s");
const words = x => x.replace(/_/g, " ");
const span = ms => {
  if (ms < 1) return ms.toFixed(ms === 0 ? 0 : 2) + " ms";
  if (ms < 1000) return Math.round(ms) + " ms";
  const units = [[1000, "s"], [60000, "min"], [3600000, "h"], [86400000, "d"]];
  let u = units[0];
  for (const x of units) if (ms >= x[0]) u = x;
  const n = ms / u[0];
  return (n >= 100 ? Math.round(n) : Number(n.toFixed(1))) + " " + u[1];
};
const percent = x => Math.round(x * 100) + " %";

// -- tooltip ---------------------------------------------------------------------
const tip = byId("tip");
const showTip = (item, x, y) => {
  tip.replaceChildren(make("b", "", item.title), ...item.lines.filter(l => l).map(l => make("p", "", l)));
  tip.hidden = false;
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = Math.max(8, Math.min(x + 14, innerWidth - w - 12)) + "px";
  tip.style.top = (y + h + 24 > innerHeight ? Math.max(8, y - h - 12) : y + 16) + "px";
};
const hideTip = () => { tip.hidden = true; };

// Marks of a drawing, reachable with the pointer, and with arrow keys when it has the focus.
const explore = (svg, items) => {
  const ordered = [...items].sort((a, b) => a.x - b.x || a.y - b.y);
  let chosen = -1;
  const choose = i => {
    if (chosen >= 0) ordered[chosen].node.classList.remove("chosen");
    chosen = i;
    if (i < 0) return hideTip();
    const item = ordered[i];
    item.node.classList.add("chosen");
    item.node.scrollIntoView({block: "nearest", inline: "nearest"});
    const r = item.node.getBoundingClientRect();
    showTip(item, r.left, r.bottom - 8);
  };
  const of = new Map(items.map(item => [item.node, item]));
  svg.addEventListener("pointermove", e => {
    const item = of.get(e.target);
    if (item) showTip(item, e.clientX, e.clientY); else hideTip();
  });
  svg.addEventListener("pointerleave", hideTip);
  svg.addEventListener("blur", () => choose(-1));
  svg.addEventListener("keydown", e => {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[e.key];
    if (e.key === "Escape") return choose(-1);
    if (!ordered.length || (!step && e.key !== "Home" && e.key !== "End")) return;
    e.preventDefault();
    if (e.key === "Home") return choose(0);
    if (e.key === "End") return choose(ordered.length - 1);
    choose((chosen + step + ordered.length) % ordered.length);
  });
};

// -- time ------------------------------------------------------------------------
// Much happens within one instant and nothing for hours: an instant gets as many
// columns as its marks need, and a pause grows with its logarithm only.
const DOT = 9;

// The column of each mark within its instant: one behind the other in a lane, and
// a turn that begins in an instant stands behind the turns before it.
const makeColumns = d => {
  const instants = new Map();
  const at = t => {
    if (!instants.has(t)) instants.set(t, {lanes: new Map(), turns: new Map(), last: -1});
    return instants.get(t);
  };
  const enter = (i, turn) => {
    if (!i.turns.has(turn)) i.turns.set(turn, turn >= 0 && i.last >= 0 && [...i.turns.keys()].some(k => k >= 0) ? i.last + 3 : 0);
    return i.turns.get(turn);
  };
  const of = d.marks.map(m => {
    const i = at(m[3]), first = enter(i, m[5]);
    const column = Math.max(i.lanes.has(m[0]) ? i.lanes.get(m[0]) + 1 : 0, first);
    i.lanes.set(m[0], column);
    i.last = Math.max(i.last, column);
    return column;
  });
  return {of, count: t => instants.has(t) ? Math.max(0, instants.get(t).last) : 0,
    first: (t, turn) => instants.has(t) && instants.get(t).turns.has(turn) ? instants.get(t).turns.get(turn) : 0};
};

const makeAxis = (d, least) => {
  const columns = makeColumns(d), need = new Set([0, d.end]);
  for (const m of d.marks) need.add(m[3]);
  for (const t of d.turns) {
    need.add(t.from); need.add(t.to);
    for (const c of t.calls) { need.add(c.from); need.add(c.from + c.ms); }
  }
  for (const o of d.observations) { need.add(o.from); if (o.to <= d.end) need.add(o.to); }
  const times = [...need].sort((a, b) => a - b);
  const pause = i => i === 0 ? 0 : Math.min(90, Math.max(8, 7 * Math.log2(1 + times[i] - times[i - 1])));
  let fixed = 40, free = 0;
  times.forEach((t, i) => { fixed += columns.count(t) * DOT; free += pause(i); });
  const stretch = Math.max(1, Math.min(6, (least - fixed) / Math.max(1, free)));
  const at = new Map();
  let x = 14;
  times.forEach((t, i) => { x += pause(i) * stretch; at.set(t, x); x += columns.count(t) * DOT; });
  const width = Math.max(x + 26, least);
  const of = t => {
    if (at.has(t)) return at.get(t);
    if (t >= d.end) return x;
    let lo = 0;
    for (let i = 0; i < times.length && times[i] <= t; ++i) lo = i;
    const a = times[lo], b = times[Math.min(lo + 1, times.length - 1)];
    return b === a ? at.get(a) : after(a) + (at.get(b) - after(a)) * (t - a) / (b - a);
  };
  const after = t => of(t) + columns.count(t) * DOT;
  return {width, end: x + 8, of, after, columns};
};

const turnExtent = (d, axis, i) => {
  const t = d.turns[i];
  const from = axis.of(t.from) + axis.columns.first(t.from, i) * DOT - 6;
  let to = Math.max(axis.of(t.to), from + 10);
  d.marks.forEach((m, k) => { if (m[5] === i) to = Math.max(to, axis.of(m[3]) + axis.columns.of[k] * DOT + 6); });
  return [from, to];
};

const bands = (d, axis, svg, height, labels) => {
  const extents = d.turns.map((t, i) => turnExtent(d, axis, i));
  d.turns.forEach((t, i) => {
    const [x, to] = extents[i];
    svg.append(draw("rect", {class: "band " + t.urgency, x, y: 0, width: to - x, height, rx: 5}));
    if (!labels) return;
    const room = Math.floor((Math.max(to, i + 1 < extents.length ? extents[i + 1][0] : axis.width) - x - 6) / 6.4);
    const line = (y, text, short, cls) => svg.append(draw("text", {class: cls, x: x + 5, y}, text.length <= room ? text : short));
    line(17, (i + 1) + " " + words(t.status), String(i + 1), "strong");
    line(33, span(t.from) + (t.to > t.from ? " + " + span(t.to - t.from) : ""), span(t.from).length <= room ? span(t.from) : "", "");
  });
};

// -- one conversation ----------------------------------------------------------------
const timeline = (d, axis) => {
  const names = make("div", "names", make("div", "head"));
  const top = 44, row = 26, height = top + row * d.lanes.length + 6;
  const svg = draw("svg", {width: axis.width, height, tabindex: 0, role: "group",
    "aria-label": "Timeline of turns by daemon; arrow keys go from mark to mark"});
  bands(d, axis, svg, height, true);
  d.lanes.forEach((lane, i) => {
    names.append(make("div", "", words(lane)));
    svg.append(draw("line", {class: "rule", x1: 0, x2: axis.width, y1: top + i * row, y2: top + i * row}));
  });
  const items = [], tools = d.lanes.indexOf("tools");
  d.turns.forEach((t, i) => t.calls.forEach((c, k) => {
    if (tools < 0) return;
    const x = axis.after(c.from), to = axis.of(c.from + c.ms), room = row - 8;
    const node = draw("rect", {class: "call " + c.status, x, rx: 2, y: top + tools * row + 4 + (k % 3) * room / 3,
      width: Math.max(4, to - x), height: Math.max(3, room / 3 - 1)});
    svg.append(node);
    items.push({node, x, y: tools + .1, title: c.tool + " " + words(c.status), lines: [
      "turn " + (i + 1) + ", " + span(c.ms) + (c.attempts ? ", " + plural(c.attempts, "attempt") : ""), c.error,
      c.recovered_by ? "answered by " + c.recovered_by : ""]});
  }));
  d.marks.forEach((m, k) => {
    const [lane, operation, state, at, ms, turn, detail] = m;
    const x = axis.of(at) + axis.columns.of[k] * DOT, y = top + lane * row + row / 2, status = d.words[state];
    const dim = d.lanes[lane] === "scratch_page" ? " dim" : "";
    const kind = status === "success" ? dim : status === "warning" ? " warning" : " failure";
    if (ms > 0) {
      const from = axis.after(Math.max(0, at - ms));
      if (x - from > 4) svg.append(draw("rect", {class: "mark" + kind, opacity: .25, x: from, y: y - 2, width: x - from, height: 4, rx: 2}));
    }
    const node = draw("circle", {class: "mark" + kind, cx: x, cy: y, r: kind === dim ? 3.4 : 4.2});
    svg.append(node);
    items.push({node, x, y: lane, title: words(d.lanes[lane]) + ": " + words(d.words[operation]), lines: [
      (turn >= 0 ? "turn " + (turn + 1) + ", " : "") + "at " + span(at) + (ms > 0 ? ", took " + span(ms) : "") +
      (status === "success" ? "" : ", " + words(status)), detail]});
  });
  explore(svg, items);
  return make("div", "scroll", make("div", "plot", names, svg));
};

const lifetimes = (d, axis) => {
  const names = make("div", "names rows"), row = 20, height = row * d.observations.length + 6;
  const svg = draw("svg", {width: axis.width, height, tabindex: 0, role: "group",
    "aria-label": "Observations and how long they live; arrow keys go from one to the next"});
  bands(d, axis, svg, height, false);
  const items = [];
  d.observations.forEach((o, i) => {
    const name = make("div", "", words(o.type));
    name.title = o.id;
    names.append(name);
    const x = axis.of(o.from), stays = o.to > d.end;
    const to = stays ? axis.end : axis.of(o.to);
    const kind = /alert|pending_confirmation/.test(o.type) ? " alerting" : " " + o.status;
    const node = draw("rect", {class: "life" + kind, x, y: i * row + 5, width: Math.max(5, to - x), height: 10, rx: 3});
    svg.append(node);
    if (stays) svg.append(draw("path", {class: "mark dim", d: `M${to + 2} ${i * row + 6}l6 4l-6 4z`}));
    items.push({node, x, y: i, title: words(o.type) + ", " + percent(o.confidence) + ", " + words(o.status), lines: [o.content,
      "by " + o.by + ", " + (stays ? "until " + span(o.to - d.end) + " after the end" : "lived " + span(o.to - o.from)),
      (o.tags ? "tags: " + o.tags.join(", ") : ""), o.goals ? "for goal " + o.goals.join(", ") : "", o.id]});
  });
  explore(svg, items);
  return make("div", "scroll", make("div", "plot", names, svg));
};

// What the scratchbook showed in the prompts of a turn, and what left the model's sight.
const seenBefore = d => {
  // The last view before each turn, by agent and thread: what is not in it is new.
  const last = new Map();
  return d.turns.map(t => {
    const key = JSON.stringify([t.agent, t.thread]), before = last.has(key) ? last.get(key) : null;
    const views = (t.model || []).filter(m => m.view >= 0);
    if (views.length) last.set(key, views[views.length - 1].view);
    return before;
  });
};

const idOf = line => (/^s\d+(?= )/.exec(line) || [""])[0];

const bookLine = (text, change) => {
  const id = idOf(text);
  return make("li", change ? "new" : "", id ? make("b", "", id) : null, text.slice(id.length), change ? make("small", "", " " + change) : null);
};

const compaction = m => pill((m.compactions > 1 ? m.compactions + " compactions: " : "compaction: ") + plural(m.offloaded, "token")
  + " became " + m.kept, "warn");

const turnBook = (d, t, before) => {
  if (!t.model) return null;
  const prompts = t.model.filter(m => m.view !== undefined), box = make("div");
  let number = 0, shown = before, changes = 0, same = null;
  for (const m of t.model) {
    if (m.view === undefined) { box.append(make("p", "cut", compaction(m))); same = null; continue; }
    const name = m.tokens === undefined ? "After the turn" : "Prompt " + (++number) + " of " + prompts.length + ", " + plural(m.tokens, "token");
    if (same && m.view === shown) { same.textContent += "; " + name.toLowerCase() + ": the same"; continue; }
    same = make("p", "", name);
    if (m.view < 0) { box.append(same, make("p", "", "The view is not shown here: the report has no room for it.")); shown = null; continue; }
    const old = shown === null ? [] : d.views[shown], ids = old.map(i => idOf(d.lines[i]));
    const list = d.views[m.view].map(i => {
      const id = idOf(d.lines[i]), change = !id || old.includes(i) ? "" : ids.includes(id) ? "changed" : "new";
      changes += change ? 1 : 0;
      return bookLine(d.lines[i], change);
    });
    box.append(same, make("ul", "", ...list));
    shown = m.view;
  }
  const first = prompts.find(m => m.view >= 0);
  const items = first ? d.views[first.view].filter(i => idOf(d.lines[i])).length : 0;
  const tick = make("span", "tick", "▸");
  tick.setAttribute("aria-hidden", "true");
  const cuts = t.model.filter(m => m.view === undefined);
  return make("details", "book", make("summary", "", tick,
    "scratchbook: " + (items ? plural(items, "item") : "empty") + (changes ? ", " + plural(changes, "change") : "") + (number ? ", " + plural(number, "prompt") : ""),
    ...cuts.map(compaction)), box);
};

const allBooks = list => {
  const books = list.querySelectorAll("details.book");
  if (!books.length) return null;
  const button = make("button", "", "open all scratchbooks");
  button.type = "button";
  button.addEventListener("click", () => {
    const open = [...books].some(b => !b.open);
    for (const b of books) b.open = open;
    button.textContent = (open ? "close" : "open") + " all scratchbooks";
  });
  return make("div", "books", button, make("span", "muted note", "What the scratchbook showed in the prompts of each turn; marked lines are not as the view before had them."));
};

const turnList = (d, before = seenBefore(d)) => make("div", "", ...d.turns.map((t, i) => make("div", "turn",
  make("div", "n", String(i + 1)),
  make("div", "", make("div", "said", t.input), t.response ? make("div", "answer", t.response) : null,
    ...t.questions.map(q => make("div", "ask", "asks: " + q)),
    t.calls.length ? make("div", "calls", ...t.calls.map(c => {
      const p = pill(c.tool + (c.attempts ? " ×" + c.attempts : "") + " " + (c.status === "ok" ? span(c.ms) : words(c.status)),
        c.status === "ok" ? (c.error ? "warn" : "") : c.status);
      if (c.error) p.title = c.error;
      return p;
    })) : null, turnBook(d, t, before[i])),
  make("div", "state", pill(t.urgency, t.urgency), " ", pill(words(t.status), t.status)))));

const goalList = d => make("div", "goals", ...d.goals.map(g => {
  const fill = make("span");
  fill.style.width = percent(g.progress).replace(" ", "");
  const track = make("div", "track", fill);
  track.setAttribute("role", "img");
  track.setAttribute("aria-label", "progress " + percent(g.progress));
  return make("div", "goal " + g.status,
    make("div", "title", g.title || words(g.type), pill(words(g.status), g.status)), track,
    make("div", "muted note", percent(g.progress) + ", " + g.priority + " priority, " + plural(g.observations, "observation")),
    make("ul", "", ...g.evidence.map(e => make("li", "", e.content + " ", make("small", "", percent(e.confidence)))),
      ...g.actions.map(a => make("li", "", make("small", "", (a.who === "user" ? "for the user" : "next") + ", " + words(a.status) + ": "), a.text))));
}));

const factList = d => make("ul", "facts", ...d.facts.map(f =>
  make("li", "", make("small", "", percent(f.confidence)), make("span", "", f.text), make("small", "", plural(f.support, "time")))));

const hiddenNote = (n, what) => n > 0 ? make("p", "muted note", n + " more " + what + " not shown.") : null;

const legend = () => make("div", "legend", ...[["--accent", "done"], ["--quiet", "page's bookkeeping"], ["--warn", "warning or alert"], ["--bad", "failed"]]
  .map(([c, text]) => { const i = make("i"); i.style.setProperty("--c", `var(${c})`); return make("span", "", i, text); }),
  make("span", "", "Pauses are drawn short; each mark tells its time."));

const fill = (box, n) => {
  const d = data("c" + n);
  const axis = makeAxis(d, Math.max(500, box.clientWidth - 182));
  const part = (title, ...kids) => { if (kids.some(k => k)) box.append(make("h3", "", title), ...kids.filter(k => k)); };
  if (d.unmet.length) box.append(make("div", "unmet", ...d.unmet.map(u => make("p", "", u))));
  part("Timeline", d.marks.length || d.turns.length ? timeline(d, axis) : null, hiddenNote(d.hidden.marks, "trace entries"), d.marks.length ? legend() : null);
  const turns = d.turns.length ? turnList(d) : null;
  part("Turns", turns && allBooks(turns), turns, hiddenNote(d.hidden.turns, "turns"), hiddenNote(d.hidden.views, "views of the scratchbook"));
  part("Goals", d.goals.length ? goalList(d) : null, hiddenNote(d.hidden.goals, "goals"));
  part("Observations and their lifetimes", d.observations.length ? lifetimes(d, axis) : null, hiddenNote(d.hidden.observations, "observations"));
  part("What is known now", d.facts.length ? factList(d) : null, hiddenNote(d.hidden.facts, "facts"));
  box.append(make("p", "muted note", "From " + d.file + ", begins " + d.start + "."));
};

// -- the list ------------------------------------------------------------------------
const talks = byId("talks"), index = data("index");
const rows = index.map((r, n) => {
  const [id, turns, calls, errors, goals, unmet, urgency, hint] = r;
  const box = make("div", "inside");
  const figures = make("span", "figures", pill(urgency, urgency), pill(plural(turns, "turn")), pill(plural(calls, "call")),
    errors ? pill(plural(errors, "error"), "warn") : null, goals ? pill(plural(goals, "goal"), "aim") : null,
    unmet ? pill(unmet + " unmet", "bad") : null);
  const tick = make("span", "tick", "▸");
  tick.setAttribute("aria-hidden", "true");
  const talk = make("details", "talk", make("summary", "", tick, make("span", "name", id), make("span", "hint", hint), figures), box);
  talk.addEventListener("toggle", () => { if (talk.open && !box.firstChild) fill(box, n); });
  talks.append(talk);
  return {talk, text: (id + " " + hint).toLowerCase(), trouble: errors > 0 || unmet > 0};
});
if (rows.length) rows[0].talk.open = true;
if (rows.length > 1) {
  const filter = byId("filter"), trouble = byId("trouble");
  const apply = () => {
    const asked = filter.value.trim().toLowerCase();
    let shown = 0;
    for (const r of rows) {
      r.talk.hidden = !(r.text.includes(asked) && (!trouble.checked || r.trouble));
      shown += r.talk.hidden ? 0 : 1;
    }
    byId("shown").textContent = shown === rows.length ? plural(shown, "conversation") : shown + " of " + plural(rows.length, "conversation");
  };
  byId("bar").hidden = false;
  filter.addEventListener("input", apply);
  trouble.addEventListener("change", apply);
  addEventListener("keydown", e => { if (e.key === "/" && e.target !== filter) { e.preventDefault(); filter.focus(); } });
  apply();
}
})();
)js";

// clang-format on

} // namespace scratchpage::report_page
