// Shows turns as a timeline by daemon, in which each mark is an entry of the trace; and a field to
// begin a turn.
import {get, isGone, path, post, session, withQuery} from "../api.js";
import {timeOf} from "../clock.js";
import {announce, arrange, beginning, button, byId, clockTime, count, hasMembers, Kept, said, sentenceOf, setText, tellProblem} from "../dom.js";
import {legend, make, makeAxis, pill, plural, span, timeline, turnStatus, words} from "../drawing.js";
import {atMostEvery} from "../frames.js";
import {factsOf, link, linkedJson, turnName} from "../links.js";
import {saver} from "../saving.js";
import {on, tell} from "../state.js";

const max_turns = 20; // in the list
const max_drawn = 5; // unless one is chosen
const max_entries = 150; // of each; a turn alone may have more
const max_entries_alone = 400;
const max_table_rows = 200;
const between_polls_ms = 5000;

// The order of the lanes, as in the report. Other components follow.
const lane_order = ["user", "turns", "router", "clarifier", "executor", "consciousness", "toolbox", "tools", "error_handler",
  "evaluator", "reflector", "system_analyzer", "frontal_cortex", "scratch_page", "working_memory", "episodic_memory",
  "semantic_memory", "journal"];

let turns = [], chosen = "", has_agent = false, generation = 0, entries = [], drawn_as = "";
const traces = new Map(); // by turn: {entries, total_count, is_whole}

const is_open = t => !t.ended_at;

const problem = err => tellProblem("turns-problem", err);

// -- the list ----------------------------------------------------------------------------------

class Turn {
  constructor() {
    this.number = make("b", "");
    this.text = said("span", "said", "");
    this.when = make("span", "muted when");
    this.state = pill("", "");
    this.urgency = pill("", "");
    this.button = make("button", "turn", make("span", "line", this.number, " ", this.text), " ", make("span", "marks", this.when, this.urgency, this.state));
    this.button.type = "button";
    this.button.addEventListener("click", () => { chosen = chosen === this.x.turn_id ? "" : this.x.turn_id; render(); loadTraces(); });
    this.element = make("li", "", this.button);
  }

  update(x) {
    this.x = x;
    setText(this.text, beginning(x.input || x.turn_id, 160));
    setText(this.number, turnName(x.turn_id));
    this.number.title = x.turn_id;
    setText(this.when, timeOf(x.started_at) + (x.ended_at ? ", " + span(Math.max(0, Date.parse(x.ended_at) - Date.parse(x.started_at))) : ""));
    setText(this.state, turnStatus(x.status));
    this.state.className = "pill " + (x.status === "running" || x.status === "held" ? "in_progress" : x.status);
    setText(this.urgency, x.urgency && x.urgency !== "low" ? x.urgency : "");
    this.urgency.className = this.urgency.textContent ? "pill " + x.urgency : "";
    this.button.setAttribute("aria-pressed", String(wanted().includes(x)));
  }
}

const kept = new Kept(() => new Turn());

const wanted = () => chosen ? turns.filter(t => t.turn_id === chosen) : turns.slice(0, max_drawn);

const render = () => {
  byId("turns-empty").hidden = turns.length > 0;
  byId("turns-shown").hidden = turns.length === 0;
  const open = turns.filter(is_open).length, waiting = turns.filter(t => t.status === "waiting").length;
  setText(byId("turns-count"), turns.length ? (open ? open + " open, " : "") + (waiting ? waiting + " ended with a question, " : "")
    + (turns.length === 1 ? "1 turn" : "the last " + turns.length) : "");
  byId("turns-compare").hidden = turns.length < 2;
  arrange(byId("turns-list"), kept.of(turns, t => t.turn_id));
};

// -- traces ------------------------------------------------------------------------------------

// Loads a bounded number of entries of a turn, unless the same ones are known.
const loadTrace = async turn => {
  const known = traces.get(turn.turn_id);
  if (known?.is_whole && known.limit >= (chosen ? max_entries_alone : max_entries)) return;
  const limit = chosen ? max_entries_alone : max_entries;
  const trace = await get(withQuery(path`turns/${turn.turn_id}/trace`, {limit}));
  traces.set(turn.turn_id, {entries: trace.entries, total: trace.total_count, limit,
    // Entries that are written after the end of a turn come within seconds.
    is_whole: !is_open(turn) && Date.now() - Date.parse(turn.ended_at) > 3000});
};

const loadTraces = async () => {
  const mine = ++generation;
  for (const turn of wanted()) {
    try { await loadTrace(turn); } catch (err) { if (!isGone(err)) problem(err); }
    if (mine !== generation) return;
  }
  if (traces.size > 60) for (const id of [...traces.keys()].slice(0, 30)) traces.delete(id);
  drawSoon();
};

// -- the drawing -------------------------------------------------------------------------------

const detailOf = e => {
  const d = e.detail || {};
  if (d.observation?.content) return words(d.observation.type || "") + ": " + beginning(d.observation.content, 160);
  return beginning(Object.entries(d).slice(0, 6).map(([k, v]) => words(k) + " " + (typeof v === "object" ? JSON.stringify(v) : v)).join(", "), 200);
};

// The data of the report's form, which drawing.js draws.
const dataOf = shown => {
  const all = shown.flatMap((t, i) => (traces.get(t.turn_id)?.entries || []).map(e => ({e, turn: i, at: Date.parse(e.timestamp)})));
  all.sort((a, b) => a.at - b.at || a.e.id - b.e.id);
  const begin = Math.min(...shown.map(t => Date.parse(t.started_at)), ...all.map(x => x.at));
  const found = [...new Set(all.map(x => x.e.component))];
  const rank = c => lane_order.includes(c) ? lane_order.indexOf(c) : lane_order.length;
  const lanes = found.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const table = [], wordOf = w => { let i = table.indexOf(w); if (i < 0) i = table.push(w) - 1; return i; };
  const marks = all.map(x => [lanes.indexOf(x.e.component), wordOf(x.e.operation), wordOf(x.e.status), Math.floor(x.at - begin),
    x.e.duration_ms || 0, x.turn, detailOf(x.e)]);
  const lastOf = i => Math.max(0, ...marks.filter(m => m[5] === i).map(m => m[3]));
  const data = {lanes, marks, words: table, observations: [], turns: shown.map((t, i) => ({from: Math.floor(Date.parse(t.started_at) - begin),
    to: t.ended_at ? Math.floor(Date.parse(t.ended_at) - begin) : lastOf(i), status: t.status, urgency: t.urgency || "low", name: turnName(t.turn_id), calls: []}))};
  data.end = Math.max(0, ...marks.map(m => m[3]), ...data.turns.map(t => t.to));
  return {data, all};
};

// The entry that caused this one, as a button that shows it; its number if it is not drawn.
const causeOf = e => {
  if (!e.parent) return "";
  const cause = entries.find(x => x.e.id === e.parent);
  if (!cause) return e.parent + ", which is not among the entries that are drawn";
  return button(words(cause.e.component) + ": " + words(cause.e.operation), "linklike", () => showEntry(cause));
};

const showEntry = ({e}) => {
  const box = byId("entry"), had_focus = box.contains(document.activeElement);
  const seen = e.detail?.observation_id || e.detail?.observation?.observation_id;
  const title = make("h3", "", words(e.component) + ": " + words(e.operation));
  title.tabIndex = -1;
  box.replaceChildren(title, factsOf([["at", timeOf(e.timestamp)], ["took", e.duration_ms ? span(e.duration_ms) : ""],
    ["status", words(e.status)], ["caller", e.source], ["cause", causeOf(e)],
    ["observation", typeof seen === "string" ? link("observation", seen) : ""],
    ["turn", e.turn_id ? link("turn", e.turn_id) : ""], ["entry", String(e.id)]]),
    hasMembers(e.detail) ? linkedJson(e.detail, "Detail") : "");
  box.hidden = false;
  if (had_focus) title.focus();
  announce(words(e.component) + ": " + words(e.operation) + ", shown below the timeline");
};

const tableOf = all => {
  const table = make("table", "", make("caption", "unseen", "Entries of the trace"));
  const head = make("tr", "");
  for (const name of ["Time", "Component", "Operation", "Status", "Duration"]) { const th = make("th", "", name); th.scope = "col"; head.append(th); }
  const body = make("tbody", "");
  for (const x of all.slice(0, max_table_rows)) {
    const b = make("button", "linklike", words(x.e.operation));
    b.type = "button";
    b.addEventListener("click", () => showEntry(x));
    body.append(make("tr", "", make("td", "", clockTime(x.e.timestamp)), make("td", "", words(x.e.component)), make("td", "", b),
      make("td", "", words(x.e.status)), make("td", "number", x.e.duration_ms ? span(x.e.duration_ms) : "")));
  }
  table.append(make("thead", "", head), body);
  return make("div", "", table, all.length > max_table_rows ? make("p", "muted note", "The first " + max_table_rows + " of " + plural(all.length, "entry", "entries") + ".") : "");
};

const drawTable = () => {
  const box = byId("entries");
  if (box.parentElement.open) box.replaceChildren(tableOf(entries));
  else box.replaceChildren();
};

const draw = () => {
  const box = byId("timeline");
  // A drawing with the focus is kept, so that the user can go from mark to mark.
  if (box.contains(document.activeElement)) return;
  const shown = wanted().filter(t => traces.has(t.turn_id)).reverse();
  const as = JSON.stringify([chosen, shown.map(t => [t.turn_id, t.status, t.urgency, traces.get(t.turn_id).total, traces.get(t.turn_id).entries.length]), innerWidth]);
  if (as === drawn_as) return;
  drawn_as = as;
  if (!shown.length) { box.replaceChildren(); entries = []; drawTable(); return; }
  const {data, all} = dataOf(shown);
  entries = all;
  if (!data.marks.length) { box.replaceChildren(make("p", "muted note", "These turns have no trace entries, or these were deleted.")); return drawTable(); }
  const was = box.querySelector(".scroll");
  const at_end = !was || was.scrollLeft + was.clientWidth >= was.scrollWidth - 30, left = was?.scrollLeft || 0;
  const axis = makeAxis(data, Math.max(300, box.clientWidth - 150));
  const drawing = timeline(data, axis, item => { if (item.mark !== undefined) showEntry(all[item.mark]); });
  const more = shown.reduce((n, t) => n + Math.max(0, traces.get(t.turn_id).total - traces.get(t.turn_id).entries.length), 0);
  box.replaceChildren(drawing, more ? make("p", "muted note", plural(more, "more entry is", "more entries are") + " not drawn" + (chosen ? "." : "; choose a turn to see more of it.")) : "", legend());
  drawing.scrollLeft = at_end ? drawing.scrollWidth : left;
  drawTable();
};

const drawSoon = atMostEvery(200, draw);

// -- what is new ---------------------------------------------------------------------------------

// A server that cannot list turns still has the inputs of turns on its page.
const listFromPage = async () => {
  const found = await get(withQuery(path`observations`, {type: "user_input", limit: max_turns}));
  return found.observations.filter(x => x.source.turn_id).map(x => ({turn_id: x.source.turn_id, thread_id: x.context.thread_id || "",
    input: x.content, status: "complete", started_at: x.created_at, ended_at: x.updated_at}));
};

const load = async () => {
  if (!has_agent) return;
  try {
    let list;
    try { list = (await get(withQuery(path`turns`, {limit: max_turns}))).turns; }
    catch (err) { if (![404, 405].includes(err.status)) throw err; list = await listFromPage(); }
    turns = list.sort((a, b) => a.started_at < b.started_at ? 1 : -1);
    if (chosen && !turns.some(t => t.turn_id === chosen)) chosen = "";
    problem(null);
    render();
    tell("turns", turns);
    await loadTraces();
  } catch (err) { if (!isGone(err) && err.status) problem(err); }
};

const loadSoon = atMostEvery(800, load);

export const begin = () => {
  byId("speak").addEventListener("submit", async e => {
    e.preventDefault();
    const input = byId("speak-input"), thread = byId("speak-thread").value.trim(), text = input.value.trim();
    if (!text) return;
    const out = byId("turns-outcome");
    out.hidden = false;
    out.dir = "auto";
    out.className = "outcome";
    setText(out, "The agent works on “" + beginning(text, 80) + "” …");
    input.value = "";
    try {
      const result = await post(path`turns`, {input: text, ...(thread ? {thread_id: thread} : {})});
      setText(out, turnStatus(result.status) + (result.response ? ": " + beginning(result.response, 600) : ""));
      tell("turn", result.turn_id);
    } catch (err) {
      out.className = "outcome bad";
      setText(out, sentenceOf(err));
      input.value = text;
    }
    loadSoon();
  });
  byId("turns-count").after(saver(() => session.agent, "turns", () => ({rows: turns})));
  byId("turns-compare").addEventListener("click", () => tell("view", {name: "compare"}));
  byId("entries").parentElement.addEventListener("toggle", drawTable);
  byId("timeline").addEventListener("focusout", () => setTimeout(drawSoon, 0));
  addEventListener("resize", drawSoon);
  on("agent", () => {
    has_agent = true; turns = []; chosen = ""; traces.clear(); drawn_as = "";
    byId("entry").hidden = true;
    byId("turns-outcome").hidden = true;
    render();
    return load();
  });
  on("event", event => { if (event.turn_id) loadSoon(); });
  on("lagged", loadSoon);
  on("turn", loadSoon);
  setInterval(() => { if (!document.hidden && turns.some(t => is_open(t) || Date.now() - Date.parse(t.ended_at) < 15000)) loadSoon(); }, 2000);
  setInterval(() => { if (!document.hidden) loadSoon(); }, between_polls_ms);
};
