// Shows the subscribers of the page, and how far each one lags behind it.
import {get, isGone, path} from "../api.js";
import {arrange, beginning, byId, count, Kept, said, setText, tellProblem} from "../dom.js";
import {make, plural, span, words} from "../drawing.js";
import {on, tell} from "../state.js";

const max_rows = 100;
const between_polls_ms = 2000;

let has_agent = false;

// Who subscribes for the daemons of an agent that has not needed them yet.
const name_of = x => x.name === "stand_in" ? "stand_in (daemons that have not begun)" : x.name;

class Subscriber {
  constructor() {
    this.name = said("th", "", "");
    this.name.scope = "row";
    this.turns = make("td", "");
    this.lag = make("td", "number");
    this.since = make("td", "number");
    this.element = make("tr", "", this.name, this.turns, this.lag, this.since);
  }

  update(x) {
    setText(this.name, beginning(words(name_of(x)), 80));
    setText(this.turns, x.in_turns ? "yes" : "no");
    setText(this.lag, count(x.lag));
    this.lag.className = "number" + (x.lag > 1000 ? " bad" : x.lag > 100 ? " warn" : "");
    setText(this.since, x.waiting_ms ? span(x.waiting_ms) : "–");
  }
}

const kept = new Kept(() => new Subscriber());

const load = async () => {
  if (!has_agent || document.hidden) return;
  try {
    const {subscribers} = await get(path`subscribers`);
    // The largest lag comes first. Names may occur several times.
    const sorted = subscribers.map((x, i) => ({...x, key: x.name + " " + i})).sort((a, b) => b.lag - a.lag);
    arrange(byId("subscribers-list"), kept.of(sorted.slice(0, max_rows), x => x.key));
    byId("subscribers-table").hidden = !subscribers.length;
    byId("subscribers-empty").hidden = subscribers.length > 0;
    setText(byId("subscribers-count"), plural(subscribers.length, "subscriber") + (subscribers.length > max_rows ? ", " + max_rows + " shown" : ""));
    tellProblem("subscribers-problem", null);
    tell("lag", Math.max(0, ...subscribers.map(x => x.lag)));
  } catch (err) {
    if (!isGone(err) && err.status) tellProblem("subscribers-problem", err);
  }
};

export const begin = () => {
  on("agent", () => { has_agent = true; return load(); });
  setInterval(load, between_polls_ms);
};
