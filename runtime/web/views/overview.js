// Shows all agents that the person may see, those first in which something waits for a person. Looking
// here opens no agent: an agent that nobody has asked for anything since the server began has no figures.
import {get} from "../api.js";
import {addressOf} from "../address.js";
import {ago, timeOf} from "../clock.js";
import {arrange, beginning, byId, count, Kept, said, setText, tellProblem} from "../dom.js";
import {make, plural} from "../drawing.js";
import {saver} from "../saving.js";

const step = 60;
const between_polls_ms = 5000;

let rows = [], room = step, timer = 0;

const is_open = () => !byId("overview").hidden;
const waits = x => (x.questions || 0) + (x.actions || 0);

const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;

// What needs a person comes first, then what works, then the latest change.
const byNeed = (a, b) => waits(b) - waits(a) || (b.open_turns || 0) - (a.open_turns || 0) || b.is_loaded - a.is_loaded
  || compare(b.last_change_at || "", a.last_change_at || "") || compare(a.agent_id, b.agent_id);

class Agent {
  constructor() {
    this.link = said("a", "agentlink", "");
    const cell = (label, cls = "number") => { const td = make("td", cls); td.dataset.label = label; return td; };
    this.waits = cell("Waits for a person", "");
    this.turns = cell("Open turns");
    this.goals = cell("Open goals");
    this.live = cell("Observations");
    this.last = cell("Last observation", "");
    const th = make("th", "", this.link);
    th.scope = "row";
    this.element = make("tr", "", th, this.waits, this.turns, this.goals, this.live, this.last);
  }

  update(x) {
    setText(this.link, beginning(x.agent_id, 100));
    this.link.href = addressOf({agent: x.agent_id});
    this.link.title = beginning(x.agent_id, 400);
    const words = [x.questions ? plural(x.questions, "question") : "", x.actions ? plural(x.actions, "action") : ""].filter(s => s).join(", ");
    setText(this.waits, words || (x.is_loaded ? "nothing" : "not loaded: open it to see"));
    this.waits.className = words ? "warn" : "muted";
    this.element.className = words ? "waits" : "";
    const figure = (td, n) => setText(td, n === undefined ? "–" : count(n));
    figure(this.turns, x.open_turns);
    figure(this.goals, x.goals);
    figure(this.live, x.live);
    setText(this.last, x.last_change_at ? ago(x.last_change_at) : "–");
    this.last.title = timeOf(x.last_change_at);
  }
}

const kept = new Kept(() => new Agent());

const wanted = () => {
  const text = byId("agents-query").value.trim().toLowerCase();
  return text ? rows.filter(x => x.agent_id.toLowerCase().includes(text)) : rows;
};

const render = () => {
  const all = wanted();
  arrange(byId("agents-list"), kept.of(all.slice(0, room), x => x.agent_id));
  const n = rows.filter(waits).length;
  setText(byId("agents-count"), plural(rows.length, "agent") + (n ? ", " + plural(n, "waits", "wait") + " for a person" : ""));
  byId("agents-filter").hidden = rows.length < 8;
  byId("agents-more").hidden = all.length <= room;
  byId("agents-empty").hidden = all.length > 0;
  byId("agents-table").hidden = !all.length;
};

const load = async () => {
  if (!is_open() || document.hidden) return;
  try {
    const found = await get("/v1/agents?details=true"), details = new Map((found.details || []).map(x => [x.agent_id, x]));
    rows = found.agents.map(id => ({agent_id: id, is_loaded: details.has(id), ...details.get(id)})).sort(byNeed);
    tellProblem("agents-problem", null);
    render();
  } catch (err) { if (err.status !== 401) tellProblem("agents-problem", err); }
};

// Shows the agents with these ids; their figures follow.
export const open = ids => {
  clearInterval(timer);
  timer = setInterval(load, between_polls_ms);
  const known = new Map(rows.map(x => [x.agent_id, x]));
  rows = ids.map(id => known.get(id) || {agent_id: id, is_loaded: false});
  render();
  return load();
};

export const close = () => clearInterval(timer);

const rowOf = x => ({agent: x.agent_id, questions: x.questions, actions: x.actions, open_turns: x.open_turns, open_goals: x.goals,
  live_observations: x.live, last_observation_at: x.last_change_at || ""});

export const begin = () => {
  byId("agents-count").after(saver(() => "all", "agents", () => ({rows: wanted().slice(0, room).map(rowOf)})));
  byId("agents-query").addEventListener("input", () => { room = step; render(); });
  byId("agents-filter").addEventListener("submit", e => e.preventDefault());
  byId("agents-more").addEventListener("click", () => { room += step; render(); });
};
