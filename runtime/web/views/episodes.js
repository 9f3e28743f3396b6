// Shows earlier turns as they are remembered: what was said on both sides, and all observations of the
// turn. The server searches them. The owner can have a turn forgotten.
import {get, isGone, path, remove, session, withQuery} from "../api.js";
import {timeOf} from "../clock.js";
import {announce, arrange, beginning, byId, count, Kept, said, setText, tellProblem, twice} from "../dom.js";
import {make, percent, pill, plural, saidBy, turnStatus, words} from "../drawing.js";
import {atMostEvery} from "../frames.js";
import {link, turnName} from "../links.js";
import {saver} from "../saving.js";
import {on} from "../state.js";

const step = 10; // episodes at first, and with each "more"
const max_episodes = 60;
const max_text = 300;
const max_observations = 40; // of an episode
const between_polls_ms = 20000;

let episodes = [], cursor = "", has_agent = false, generation = 0;

const problem = err => tellProblem("episodes-problem", err);

const firstOf = (x, type) => x.observations.find(o => o.type === type && o.source.tool === undefined);

const line = o => make("li", "", make("small", "", words(o.type) + ", " + percent(o.confidence) + ": "),
  said("span", "", beginning(o.content, max_text)), " ", make("small", "by", saidBy(o.source)), " ",
  link("observation", o.observation_id, o.observation_id, {at: o.created_at}));

class Episode {
  constructor() {
    this.input = said("p", "said", "");
    this.response = said("p", "answered", "");
    this.state = pill("", "");
    this.about = make("span", "muted note");
    this.list = make("ul", "why");
    this.details = make("details", "", make("summary", "", ""), this.list);
    this.details.addEventListener("toggle", () => this.fill());
    this.element = make("li", "episode", make("div", "marks", this.about, this.state), this.input, this.response, this.details);
    if (session.who.owner && session.who.may_write)
      this.element.append(make("div", "acts", twice("Forget", "The turn and all of its observations cannot be brought back.", () => this.forget())));
  }

  async forget() {
    try {
      await remove(withQuery(path`memory`, {turn_id: this.x.turn_id}));
      problem(null);
      announce("The turn is forgotten");
    } catch (err) { return problem(err); }
    byId("episodes").focus();
    load();
  }

  // The lines of a closed episode are not made.
  fill() {
    const all = this.x.observations, more = all.length - max_observations + (this.x.left_out || 0);
    this.list.replaceChildren(...this.details.open ? all.slice(0, max_observations).map(line) : []);
    if (this.details.open && more > 0) this.list.append(make("li", "muted", plural(more, "more observation")));
  }

  update(x) {
    if (this.x && this.x.ended_at === x.ended_at && this.x.observations.length === x.observations.length) return;
    this.x = x;
    this.element.dataset.id = x.turn_id;
    const input = firstOf(x, "user_input"), response = firstOf(x, "agent_response") || firstOf(x, "evaluation_result");
    setText(this.input, beginning(input?.content || x.turn_id, max_text));
    setText(this.response, response ? beginning(response.content, max_text) : "");
    this.response.hidden = !response;
    setText(this.state, turnStatus(x.status || ""));
    this.state.className = "pill " + (x.status || "");
    this.about.replaceChildren(link("turn", x.turn_id, turnName(x.turn_id)), ", " + timeOf(x.started_at), x.thread_id ? ", thread " : "",
      x.thread_id ? link("thread", x.thread_id, beginning(x.thread_id, 40)) : "");
    setText(this.details.firstChild, plural(x.observations.length, "observation"));
    this.fill();
  }
}

const kept = new Kept(() => new Episode());

const render = () => {
  const list = byId("episodes-list"), focused = list.contains(document.activeElement);
  arrange(list, kept.of(episodes, x => x.turn_id));
  if (focused && !list.contains(document.activeElement)) byId("episodes").focus();
  const is_search = Boolean(byId("episodes-query").value.trim());
  setText(byId("episodes-count"), !episodes.length ? ""
    : is_search ? count(episodes.length) + " found" : episodes.length === 1 ? "1 turn" : "the last " + count(episodes.length));
  byId("episodes-more").hidden = !cursor || episodes.length >= max_episodes;
  byId("episodes-empty").hidden = episodes.length > 0;
  setText(byId("episodes-empty"), is_search ? "No earlier turn has an observation with these words." : "No turn has ended yet.");
};

const load = async (more = false) => {
  if (!has_agent) return;
  const mine = ++generation;
  const asked = {query: byId("episodes-query").value.trim(), limit: step, cursor: more ? cursor : ""};
  try {
    const found = await get(withQuery(path`episodes`, asked));
    if (mine !== generation) return;
    const known = new Set(more ? episodes.map(x => x.turn_id) : []);
    episodes = [...(more ? episodes : []), ...found.episodes.filter(x => !known.has(x.turn_id))].slice(0, max_episodes);
    cursor = found.next_cursor || "";
    problem(null);
    render();
  } catch (err) { if (!isGone(err) && err.status && mine === generation) problem(err); }
};

// The list stays as it is while more than its beginning is shown or somebody reads in it.
const isReading = () => episodes.length > step || byId("episodes-list").contains(document.activeElement)
  || byId("episodes-list").querySelector("details[open]");
const loadSoon = atMostEvery(2000, () => { if (!isReading()) load(); });

const rowOf = x => ({turn_id: x.turn_id, started_at: x.started_at, ended_at: x.ended_at, status: x.status || "", thread_id: x.thread_id || "",
  input: firstOf(x, "user_input")?.content || "", response: firstOf(x, "agent_response")?.content || "", observations: x.observations.length});

export const begin = () => {
  byId("episodes-count").after(saver(() => session.agent, "earlier turns", () => ({rows: episodes.map(rowOf)})));
  let typing = 0;
  byId("episodes-query").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => load(), 180);
  });
  byId("episodes-filter").addEventListener("submit", e => { e.preventDefault(); load(); });
  byId("episodes-more").addEventListener("click", () => load(true));
  on("agent", () => { has_agent = true; episodes = []; cursor = ""; kept.all = new Map(); problem(null); render(); return load(); });
  on("turn", loadSoon);
  on("event", event => { if (event.observation?.type === "evaluation_result") loadSoon(); });
  setInterval(() => { if (!document.hidden) loadSoon(); }, between_polls_ms);
};
