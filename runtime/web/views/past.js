// Shows what was on the page after an earlier change, or at an earlier time. Nothing can be changed or
// approved here.
import {get, path, session, withQuery} from "../api.js";
import {inAddress, setAddress} from "../address.js";
import {ago, timeOf} from "../clock.js";
import {arrange, byId, count, Kept, setText, tellProblem} from "../dom.js";
import {plural} from "../drawing.js";
import {saver} from "../saving.js";
import {on, tell} from "../state.js";
import {Row, rowOf} from "./observation.js";

const step = 60; // observations in one answer
const max_rows = 300;

let has_agent = false, generation = 0, shown = null, observations = [], asked = {}, moving = 0;

const problem = err => tellProblem("past-problem", err);
const is_open = () => !byId("view-past").hidden;

class PastRow {
  constructor() { this.row = new Row(false); this.element = this.row.element; }
  update(x) { this.row.tell(x); }
}

let kept = new Kept(() => new PastRow());

// A time as the field for it takes it, in the time zone of the browser, in whole seconds.
const fieldOf = text => {
  const at = new Date(text);
  return isNaN(at) ? "" : new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
};

const render = () => {
  byId("past-shown").hidden = !shown;
  if (!shown) return;
  const {sequence, last_sequence: last, first_sequence: first, at} = shown, is_now = sequence >= last;
  const slider = byId("past-slider");
  slider.min = first;
  slider.max = Math.max(first, last);
  slider.value = sequence;
  slider.setAttribute("aria-valuetext", "after change " + sequence + " of " + last + (at ? ", " + timeOf(at) : ""));
  byId("past-at").value = at ? fieldOf(at) : "";
  setText(byId("past-where"), sequence ? "After change " + count(sequence) + " of " + count(last) + (at ? ", at " + timeOf(at) + " (" + ago(at) + ")" : "")
    : "Before the first change");
  setText(byId("past-first"), shown.first_at ? timeOf(shown.first_at) : "");
  setText(byId("past-last"), shown.last_at ? timeOf(shown.last_at) : "");
  setText(byId("past-note"), is_now ? "This is the last change. The list does not change by itself."
    : "This is the past: " + plural(last - sequence, "change has", "changes have") + " been made since. Nothing can be approved or changed here.");
  byId("past-note").className = "pastnote" + (is_now ? "" : " old");
  byId("view-past").classList.toggle("old", !is_now);
  for (const [id, is] of [["past-begin", sequence <= first], ["past-back", sequence <= first], ["past-on", is_now], ["past-end", is_now]]) byId(id).disabled = is;
  const total = shown.total_count ?? observations.length;
  setText(byId("past-count"), plural(total, "observation") + (total > observations.length ? ", " + observations.length + " shown" : ""));
  arrange(byId("past-list"), kept.of(observations, x => x.observation_id));
  byId("past-empty").hidden = observations.length > 0;
  byId("past-more").hidden = !shown.next_cursor || observations.length >= max_rows;
};

const load = async (wanted, more = false, why = null) => {
  if (!has_agent || !is_open()) return;
  const mine = ++generation;
  if (!more) asked = wanted;
  byId("past-list").setAttribute("aria-busy", "true");
  try {
    const found = await get(withQuery(path`page/at`, {...asked, ...(more ? {cursor: shown.next_cursor} : {}), limit: step}));
    if (mine !== generation || !is_open()) return;
    problem(why);
    observations = more ? [...observations, ...found.observations].slice(0, max_rows) : found.observations;
    shown = found;
    setAddress({after: found.sequence >= found.last_sequence ? "" : String(found.sequence)});
    render();
  } catch (err) {
    if (mine !== generation) return;
    problem(err);
    // An address may name a change that is not kept any more, or not there yet.
    if (!shown && Object.keys(asked).length) return load({}, false, err);
    render();
  }
  if (mine === generation) byId("past-list").removeAttribute("aria-busy");
};

const go = sequence => load({sequence: Math.max(shown.first_sequence, Math.min(shown.last_sequence, sequence))});

const open = () => load(inAddress("after") ? {sequence: inAddress("after")} : {});

export const begin = () => {
  byId("past-count").after(saver(() => session.agent + "_after_" + (shown?.sequence ?? 0), "past page", () => ({rows: observations.map(rowOf)})));
  byId("past-slider").addEventListener("input", e => {
    clearTimeout(moving);
    setText(byId("past-where"), "After change " + count(Number(e.target.value)) + " of " + count(shown.last_sequence) + " …");
    moving = setTimeout(() => go(Number(e.target.value)), 150);
  });
  byId("past-begin").addEventListener("click", () => go(shown.first_sequence));
  byId("past-back").addEventListener("click", () => go(shown.sequence - 1));
  byId("past-on").addEventListener("click", () => go(shown.sequence + 1));
  byId("past-end").addEventListener("click", () => load({}));
  byId("past-more").addEventListener("click", () => load(asked, true));
  byId("past-form").addEventListener("submit", e => {
    e.preventDefault();
    const at = new Date(byId("past-at").value);
    // The field has whole seconds; all changes of that second are in.
    if (!isNaN(at)) load({at: new Date(at.getTime() + 999).toISOString()});
  });
  byId("past-now").addEventListener("click", () => tell("view", {name: "now"}));
  on("agent", () => { has_agent = true; generation += 1; clearTimeout(moving); shown = null; observations = []; kept = new Kept(() => new PastRow()); render(); return open(); });
  on("view", ({name}) => { if (name === "past") open(); });
};
