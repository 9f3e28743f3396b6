// Shows two turns beside each other, from their inputs to their responses, and marks what differs.
import {get, isGone, path, session, withQuery} from "../api.js";
import {inAddress, setAddress} from "../address.js";
import {timeOf} from "../clock.js";
import {beginning, byId, said, setText, tellProblem} from "../dom.js";
import {asked, make, plural, saidBy, span, turnStatus, words} from "../drawing.js";
import {link, turnName} from "../links.js";
import {saver} from "../saving.js";
import {on} from "../state.js";

const max_turns = 200; // that can be chosen
const max_lines = 60; // in a cell
const max_text = 1200;

let turns = [], generation = 0, has_agent = false, shown = [];

const problem = err => tellProblem("compare-problem", err);
const is_open = () => !byId("view-compare").hidden;

// -- what is known of a turn --------------------------------------------------------------------------

const observationsOf = async id => {
  const [episodes, live] = await Promise.all([get(withQuery(path`episodes`, {turn_id: id, limit: 1})),
    get(withQuery(path`observations`, {turn_id: id, limit: 200, status: ["active", "pending_review", "resolved"]}))]);
  const kept = episodes.episodes[0];
  return kept ? {...kept, is_kept: true} : {observations: live.observations.sort((a, b) => a.created_at < b.created_at ? -1 : 1)};
};

const find = (all, type) => all.find(o => o.type === type && o.source.tool === undefined);
const tool = c => c.tool_id || c.planned_tool || "";
const inputsOf = c => c.inputs && Object.keys(c.inputs).length ? " " + beginning(JSON.stringify(c.inputs), 200) : "";

const detailOf = async id => {
  const turn = turns.find(t => t.turn_id === id) || {turn_id: id}, kept = await observationsOf(id), all = kept.observations;
  const input = find(all, "user_input"), routing = find(all, "routing_decision"), plan = find(all, "execution_plan");
  const evaluation = find(all, "evaluation_result")?.metadata || {};
  const began = kept.started_at || turn.started_at, ended = kept.ended_at || turn.ended_at;
  const calls = evaluation.calls || [];
  return {id, began,
    input: input?.content || turn.input || "",
    by: input ? saidBy(input.source) : turn.user_id || "",
    thread: kept.thread_id || turn.thread_id || "",
    urgency: turn.urgency || routing?.metadata.urgency || "",
    reasons: routing?.metadata.reasons || [],
    plan: (input?.metadata.plan || []).map(c => tool(c) + inputsOf(c)),
    said_plan: plan?.content || "",
    calls: calls.map(c => tool(c) + ": " + words(c.outcome || "") + (c.attempts > 1 ? ", " + plural(c.attempts, "attempt") : "")),
    took: calls.map(c => tool(c) + " " + span(c.duration_ms || 0)),
    outcome: turnStatus(kept.status || turn.status || evaluation.outcome || ""),
    judged: (evaluation.reasons || []).map(String),
    questions: all.filter(o => o.type === "pending_confirmation").map(o => asked(o.content)),
    observations: all,
    response: find(all, "agent_response")?.content || "",
    lasted: began && ended ? Math.max(0, Date.parse(ended) - Date.parse(began)) : null};
};

// -- rows -----------------------------------------------------------------------------------------------

// A text or a list of texts: each line that the other side lacks is marked.
const cell = (mine, other) => {
  const list = x => (Array.isArray(x) ? x : [x]).map(String).filter(t => t);
  const lines = list(mine), others = list(other).slice(), td = make("td", "");
  if (!lines.length) { td.append(make("span", "muted", "none")); return td; }
  const box = make("ul", "lines");
  for (const text of lines.slice(0, max_lines)) {
    const at = others.indexOf(text);
    if (at >= 0) others.splice(at, 1);
    const shown_text = beginning(text, max_text);
    const content = at >= 0 ? said("span", "", shown_text) : said("mark", "", shown_text);
    box.append(make("li", "", content));
  }
  if (lines.length > max_lines) box.append(make("li", "muted", plural(lines.length - max_lines, "more line")));
  td.append(box);
  return td;
};

const seen = o => words(o.type) + ": " + beginning(o.content, 240);
const observationCell = (mine, other) => {
  const td = cell(mine.map(seen), other.map(seen));
  td.querySelectorAll("li").forEach((li, i) => { if (i < max_lines && mine[i]) li.append(" ", link("observation", mine[i].observation_id, mine[i].observation_id, {at: mine[i].created_at})); });
  return td;
};

const rows = [["Input", "input"], ["Said by", "by"], ["Thread", "thread"], ["Urgency", "urgency"], ["Why so urgent", "reasons"],
  ["Planned calls", "plan"], ["Plan", "said_plan"], ["Calls", "calls"], ["Calls took", "took", true], ["Outcome", "outcome"], ["Why judged so", "judged"],
  ["Questions", "questions"], ["Response", "response"], ["Lasted", "lasted", true], ["Observations", "observations"]];

// Durations always differ, so they are not marked.
const rowOf = ([title, member, is_time], a, b) => {
  const plain = x => member === "observations" ? x.map(seen) : member === "lasted" ? (x === null ? "" : span(x)) : x;
  const left = plain(a[member]), right = plain(b[member]), differs = !is_time && JSON.stringify(left) !== JSON.stringify(right);
  const th = make("th", "", title, differs ? make("span", "pill warn differs", "differs") : "");
  th.scope = "row";
  const cells = member === "observations" ? [observationCell(a[member], b[member]), observationCell(b[member], a[member])]
    : is_time ? [cell(left, left), cell(right, right)] : [cell(left, right), cell(right, left)];
  cells.forEach((td, i) => { td.dataset.turn = turnName((i ? b : a).id); });
  return {tr: make("tr", differs ? "differs" : "", th, ...cells), differs, title, left, right};
};

const render = (a, b) => {
  const made = rows.map(row => rowOf(row, a, b)), head = make("tr", "");
  const corner = make("th", "", "What");
  corner.scope = "col";
  head.append(corner);
  for (const x of [a, b]) {
    const th = make("th", "", link("turn", x.id, turnName(x.id)), make("span", "muted", " " + timeOf(x.began)));
    th.scope = "col";
    head.append(th);
  }
  shown = made.map(x => ({what: x.title, differs: x.differs, [a.id]: x.left, [b.id + (a.id === b.id ? " again" : "")]: x.right}));
  byId("compare-shown").replaceChildren(make("table", "comparison", make("caption", "unseen", "Two turns"), make("thead", "", head), make("tbody", "", ...made.map(x => x.tr))));
  const n = made.filter(x => x.differs).length;
  setText(byId("compare-count"), n ? plural(n, "row differs", "rows differ") : "They do not differ, except in time");
};

// -- what is chosen ---------------------------------------------------------------------------------------

const optionOf = t => { const o = make("option", "", turnName(t.turn_id) + " " + timeOf(t.started_at) + " " + beginning(t.input || "", 60)); o.value = t.turn_id; return o; };

const offer = (a, b) => {
  const known = id => !id || turns.some(t => t.turn_id === id) ? [] : [{turn_id: id}];
  const all = [...turns, ...known(a), ...known(b)];
  for (const [select, value] of [["compare-a", a], ["compare-b", b]]) {
    byId(select).replaceChildren(...all.map(optionOf));
    byId(select).value = value;
  }
};

const load = async () => {
  const a = byId("compare-a").value, b = byId("compare-b").value, mine = ++generation;
  if (!a || !b) return;
  setAddress({a, b});
  try {
    const both = await Promise.all([detailOf(a), detailOf(b)]);
    if (mine !== generation) return;
    problem(null);
    render(...both);
  } catch (err) { if (mine === generation) problem(err); }
};

const open = async first => {
  if (!has_agent || !is_open()) return;
  const agent = session.agent;
  try {
    const found = (await get(withQuery(path`turns`, {limit: max_turns}))).turns;
    if (agent !== session.agent) return;
    turns = found.sort((a, b) => a.started_at < b.started_at ? 1 : -1);
  } catch (err) { if (!isGone(err)) problem(err); }
  byId("compare-empty").hidden = turns.length > 1;
  byId("compare-form").hidden = turns.length < 2;
  byId("compare-shown").hidden = turns.length < 2;
  if (turns.length < 2) return;
  const b = first || inAddress("b") || turns[0].turn_id;
  const a = inAddress("a") && inAddress("a") !== b ? inAddress("a") : turns.find(t => t.turn_id !== b).turn_id;
  offer(a, b);
  load();
};

export const begin = () => {
  byId("compare-count").after(saver(() => session.agent, "two turns", () => ({rows: shown})));
  byId("compare-form").addEventListener("change", load);
  byId("compare-swap").addEventListener("click", () => { offer(byId("compare-b").value, byId("compare-a").value); load(); });
  on("agent", () => { has_agent = true; generation += 1; turns = []; shown = []; byId("compare-shown").replaceChildren(); return open(); });
  on("view", ({name, first}) => { if (name === "compare") open(first); });
};
