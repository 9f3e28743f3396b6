// The drawing that the page in the browser and the report of `simulate` share: words and pills, the
// timeline of turns by daemon, its tooltip. This module has no imports, since the report puts its text
// before its own script.

export const byId = id => document.getElementById(id);
// Texts become text nodes, never markup.
export const make = (name, cls, ...kids) => {
  const e = document.createElement(name);
  if (cls) e.className = cls;
  for (const k of kids) if (k !== null && k !== undefined) e.append(k);
  return e;
};
export const draw = (name, at, text) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in at) e.setAttribute(k, at[k]);
  if (text !== undefined) e.textContent = text;
  return e;
};
export const pill = (text, kind) => make("span", "pill " + (kind || ""), text);
const numbers = new Intl.NumberFormat("en");
export const plural = (n, one, many) => numbers.format(n) + " " + (n === 1 ? one : many || one + "s");
// The source of a text: "tool weather_api", "user ada, relayed by mcp_client".
export const saidBy = x => {
  const kind = ["tool", "daemon", "user"].find(k => x && x[k] !== undefined);
  return kind ? kind + " " + x[kind] + (x.relayed_by ? ", relayed by " + x.relayed_by : "") : "";
};
export const words = x => x.replace(/_/g, " ");
// What a question of an agent's response asks for, by its kind.
export const asksFor = {confirm: "asks whether it may", inputs: "asks for something", choice: "offers something"};
// A question without the mark of the list that it was taken from.
export const asked = text => text.replace(/^[-*•–]\s+/, "");
export const turnStatus = x => x === "waiting" ? "waits for an answer" : words(x);
// A goal of the type "wish" comes from what a user wants.
export const goalStatus = (type, status) => type === "wish" && status === "blocked" ? "blocked: it waits or has failed" : words(status);
export const span = ms => {
  if (ms < 1) return ms.toFixed(ms === 0 ? 0 : 2) + " ms";
  if (ms < 1000) return Math.round(ms) + " ms";
  const units = [[1000, "s"], [60000, "min"], [3600000, "h"], [86400000, "d"]];
  let u = units[0];
  for (const x of units) if (ms >= x[0]) u = x;
  const n = ms / u[0];
  return (n >= 100 ? Math.round(n) : Number(n.toFixed(1))) + " " + u[1];
};
export const percent = x => Math.round(x * 100) + " %";

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

// Lets the user explore the marks of a drawing with the pointer, and with arrow keys when it has the
// focus. `pick` gets the mark that is chosen with Enter or a click.
export const explore = (svg, items, pick) => {
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
  if (pick) svg.addEventListener("click", e => { if (of.has(e.target)) pick(of.get(e.target)); });
  svg.addEventListener("blur", () => choose(-1));
  svg.addEventListener("keydown", e => {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[e.key];
    if (e.key === "Escape") return choose(-1);
    if (pick && e.key === "Enter" && chosen >= 0) return pick(ordered[chosen]);
    if (!ordered.length || (!step && e.key !== "Home" && e.key !== "End")) return;
    e.preventDefault();
    if (e.key === "Home") return choose(0);
    if (e.key === "End") return choose(ordered.length - 1);
    choose((chosen + step + ordered.length) % ordered.length);
  });
};

// -- time ------------------------------------------------------------------------
// Much may happen in one instant, and nothing for hours. So an instant gets as many columns as its
// marks need, and the width of a pause is logarithmic.
const DOT = 9;

// The column of each mark within its instant. Marks of one lane follow each other, and a turn that
// begins in an instant comes after earlier turns.
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

export const makeAxis = (d, least) => {
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

// A turn has its own name, or its place in the drawing.
const nameOf = (d, i) => d.turns[i].name || String(i + 1);

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
    line(17, nameOf(d, i) + " " + words(t.status), nameOf(d, i), "strong");
    line(33, span(t.from) + (t.goes_on ? ", not ended" : t.to > t.from ? " + " + span(t.to - t.from) : ""), span(t.from).length <= room ? span(t.from) : "", "");
  });
};

// -- one conversation ----------------------------------------------------------------
export const timeline = (d, axis, pick) => {
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
      "turn " + nameOf(d, i) + ", " + (c.status === "unanswered" ? "the result is not known" : span(c.ms)) + (c.attempts ? ", " + plural(c.attempts, "attempt") : ""), c.error,
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
    items.push({node, x, y: lane, mark: k, title: words(d.lanes[lane]) + ": " + words(d.words[operation]), lines: [
      (turn >= 0 ? "turn " + nameOf(d, turn) + ", " : "") + "at " + span(at) + (ms > 0 ? ", took " + span(ms) : "") +
      (status === "success" ? "" : ", " + words(status)), detail]});
  });
  explore(svg, items, pick);
  return make("div", "scroll", make("div", "plot", names, svg));
};

// The progress of a goal or an item.
export const track = progress => {
  const fill = make("span"), bar = make("div", "track", fill);
  fill.style.width = percent(progress).replace(" ", "");
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", "progress " + percent(progress));
  return bar;
};

export const legend = () => make("div", "legend", ...[["--accent", "done"], ["--quiet", "page's bookkeeping"], ["--warn", "warning or alert"], ["--bad", "failed"]]
  .map(([c, text]) => { const i = make("i"); i.style.setProperty("--c", `var(${c})`); return make("span", "", i, text); }),
  make("span", "", "Pauses are drawn shorter than they are; each mark has its time."));
