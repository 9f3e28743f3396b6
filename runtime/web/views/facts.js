// Shows what the agent believes: each fact with its confidence, since and until when it holds, who said
// so, and the observations that it was learnt from. A fact can be added, corrected and ended; the owner
// can have it forgotten. The server decides who may do so.
import {get, isGone, now, patch, path, post, remove, session, withQuery} from "../api.js";
import {announce, arrange, beginning, button, byId, count, Kept, said, setText, tellProblem, twice} from "../dom.js";
import {make, percent, pill, plural, words} from "../drawing.js";
import {atMostEvery} from "../frames.js";
import {link} from "../links.js";
import {saver} from "../saving.js";
import {on} from "../state.js";

const step = 20; // facts at first, and with each "more"
const max_facts = 200;
const max_text = 600;
const max_behind = 12; // observations and sources of a fact
const max_behind_text = 200;
const max_statement = 2000;
const between_polls_ms = 10000; // changes of facts are no events of the page

let room = step, has_agent = false, generation = 0, shown = [];

const problem = err => tellProblem("facts-problem", err);

const isOver = x => x.valid_until && Date.parse(x.valid_until) <= now();

const dayOf = text => {
  const at = new Date(text || "");
  return isNaN(at) ? "" : at.toLocaleString("en-GB", {dateStyle: "medium", timeStyle: "short"});
};

// An observation behind a fact: a link to it, and its text when `load` has found it on the page.
const behind = id => {
  const text = said("span", "", ""), note = make("small", "muted", "");
  const element = make("li", "", text, link("observation", id), " ", note);
  element.load = async () => {
    try {
      const x = await get(path`observations/${id}`);
      setText(text, beginning(x.content, max_behind_text) + " ");
    } catch (err) {
      if (isGone(err)) setText(note, "not on the page any more");
      else problem(err);
    }
  };
  return element;
};

class Fact {
  constructor() {
    this.statement = said("span", "statement", "");
    this.state = pill("", "");
    this.about = make("p", "muted note");
    this.why = make("ul", "why");
    this.details = make("details", "", make("summary", "", "Why"), this.why);
    this.details.addEventListener("toggle", () => this.loadWhy());
    this.acts = make("div", "acts");
    this.acts.setAttribute("role", "group");
    this.element = make("li", "fact", make("div", "title", this.statement, this.state), this.about, this.details, this.acts);
    if (session.who.may_write) this.offer();
  }

  offer() {
    this.correct = button("Correct", "plain", () => this.edit());
    this.end = button("No longer so", "plain", () => this.change(patch(this.at(), {ended: true}), "ended"));
    this.acts.append(this.correct, this.end);
    if (session.who.owner)
      this.acts.append(twice("Forget", "It cannot be brought back.", () =>
        this.change(remove(withQuery(path`memory`, {fact_id: this.x.fact_id})), "forgotten")));
  }

  // The texts of observations are asked for when somebody wants to see them.
  loadWhy() { if (this.details.open) for (const one of this.why.children) one.load?.(); }

  at() { return path`facts/${this.x.fact_id}`; }

  async change(work, done) {
    try {
      await work;
      problem(null);
      announce("The fact is " + done);
    } catch (err) { problem(err); return false; }
    await load();
    return true;
  }

  edit() {
    const input = make("input", "");
    input.value = this.x.statement;
    input.maxLength = max_statement;
    input.required = true;
    input.dir = "auto";
    const close = () => { form.replaceWith(this.acts); this.correct.focus(); };
    const form = make("form", "answer", make("label", "grow", make("span", "", "What is right instead"), input));
    const save = make("button", "main", "Save");
    save.type = "submit";
    form.append(save, button("Cancel", "plain", close));
    form.addEventListener("keydown", e => { if (e.key === "Escape") close(); });
    form.addEventListener("submit", async e => {
      e.preventDefault();
      const statement = input.value.trim();
      if (statement && await this.change(patch(this.at(), {statement}), "corrected")) close();
    });
    this.acts.replaceWith(form);
    input.focus();
  }

  update(x) {
    const as = JSON.stringify(x) + isOver(x);
    if (this.as === as) return;
    this.as = as;
    this.x = x;
    const over = isOver(x), sources = x.sources || [], ids = x.observation_ids || [];
    this.element.dataset.id = x.fact_id;
    this.element.classList.toggle("over", Boolean(over));
    setText(this.statement, beginning(x.statement, max_text));
    setText(this.state, over ? "no longer so" : percent(x.confidence));
    this.state.className = "pill " + (over ? "warn" : "");
    setText(this.about, [over ? "was " + percent(x.confidence) + " sure" : "", dayOf(x.valid_from) ? "since " + dayOf(x.valid_from) : "",
      x.valid_until ? "until " + dayOf(x.valid_until) : "", plural(x.support, "experience"),
      x.contradicted ? plural(x.contradicted, "says", "say") + " the opposite" : ""].filter(s => s).join(", "));
    this.acts.setAttribute("aria-label", "Change: " + beginning(x.statement, 80));
    setText(this.details.firstChild, "Why: " + plural(sources.length, "source") + (ids.length ? ", " + plural(ids.length, "observation") : ""));
    this.why.replaceChildren(make("li", "", make("small", "", "fact "), link("fact", x.fact_id)), ...sources.slice(-max_behind).map(s => make("li", "", make("small", "", "said by "), said("span", "", beginning(s, 120)))),
      ...ids.slice(-max_behind).map(behind),
      x.tags?.length ? make("li", "", make("small", "", "tags "), said("span", "", beginning(x.tags.map(words).join(", "), 200))) : "");
    if (this.end) this.end.hidden = Boolean(over);
    this.loadWhy();
  }
}

const kept = new Kept(() => new Fact());

const rowOf = x => ({fact_id: x.fact_id, statement: x.statement, confidence: x.confidence, support: x.support, contradicted: x.contradicted,
  valid_from: x.valid_from, valid_until: x.valid_until, sources: (x.sources || []).join(", "), observations: (x.observation_ids || []).join(", "),
  tags: (x.tags || []).join(", ")});

const render = found => {
  shown = found.facts;
  const list = byId("facts-list"), focused = list.contains(document.activeElement);
  arrange(list, kept.of(found.facts, x => x.fact_id));
  if (focused && !list.contains(document.activeElement)) byId("facts").focus();
  const {total_count: total = found.facts.length} = found, asked = byId("facts-query").value.trim();
  setText(byId("facts-count"), (asked ? plural(total, "matches", "match") : plural(total, "fact")) + (total > found.facts.length ? ", " + found.facts.length + " shown" : ""));
  byId("facts-more").hidden = total <= found.facts.length || room >= max_facts;
  byId("facts-empty").hidden = found.facts.length > 0;
  setText(byId("facts-empty"), asked ? "No fact shares a word with this." : "Nothing is known yet. Facts come from what users say and from what recurs.");
};

const load = async () => {
  if (!has_agent) return;
  const mine = ++generation;
  try {
    const found = await get(withQuery(path`facts`, {query: byId("facts-query").value.trim(), limit: room}));
    if (mine === generation) render(found);
  } catch (err) { if (!isGone(err) && err.status && mine === generation) problem(err); }
};

const loadSoon = atMostEvery(1000, load);

const add = async e => {
  e.preventDefault();
  const input = byId("facts-statement"), statement = input.value.trim();
  if (!statement) return;
  try {
    await post(path`facts`, {statement});
    input.value = "";
    problem(null);
    announce("The fact is added");
  } catch (err) { problem(err); }
  load();
};

export const begin = () => {
  byId("facts-count").after(saver(() => session.agent, "facts", () => ({rows: shown.map(rowOf)})));
  let typing = 0;
  byId("facts-query").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => { room = step; load(); }, 180);
  });
  byId("facts-filter").addEventListener("submit", e => { e.preventDefault(); load(); });
  byId("facts-add").addEventListener("submit", add);
  byId("facts-more").addEventListener("click", () => { room = Math.min(max_facts, room + step); load(); });
  on("agent", () => {
    has_agent = true;
    room = step;
    kept.all = new Map();
    byId("facts-add").hidden = !session.who.may_write;
    problem(null);
    return load();
  });
  on("turn", loadSoon);
  on("event", event => { if (event.observation?.type === "learning") loadSoon(); });
  setInterval(() => { if (!document.hidden) loadSoon(); }, between_polls_ms);
};
