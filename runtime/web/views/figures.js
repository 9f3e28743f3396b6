// The line of figures: what is on the page, what waits, and how far the subscribers are behind.
import {get, path, session} from "../api.js";
import {byId, count, setText} from "../dom.js";
import {make} from "../drawing.js";
import {atMostEvery} from "../frames.js";
import {on} from "../state.js";

const between_polls_ms = 2000;

const tiles = new Map();
const figures = {waiting: 0, goals: 0, lag: 0, stats: null, arrivals: []};

// Shows a number under its name; `one` is the name for exactly one.
const tile = (key, n, many, one = many, cls = "") => {
  if (!tiles.has(key)) {
    const name = make("dt", ""), value = make("dd", "");
    tiles.set(key, {name, value, box: make("div", "tile", name, value)});
    byId("tiles").append(tiles.get(key).box);
  }
  const {name, value, box} = tiles.get(key);
  setText(name, n === 1 ? one : many);
  setText(value, n === undefined ? "–" : count(n));
  box.className = "tile " + cls;
};

const render = () => {
  const {stats} = figures, minute_ago = performance.now() - 60000;
  figures.arrivals = figures.arrivals.filter(([at]) => at > minute_ago);
  tile("live", stats?.live, "live");
  tile("new", figures.arrivals.reduce((n, [, x]) => n + x, 0), "new in a minute");
  tile("waiting", figures.waiting, "wait for you", "waits for you", figures.waiting ? "warn" : "");
  tile("goals", figures.goals, "open goals", "open goal");
  tile("turns", stats?.open_turns, "open turns", "open turn");
  tile("expired", stats?.expired, "expired");
  tile("subscribers", stats?.subscribers, "subscribers", "subscriber");
  tile("lag", figures.lag, "largest lag", "largest lag", figures.lag > 1000 ? "bad" : figures.lag > 100 ? "warn" : "");
};

// Counts arrivals by the second, so that a minute needs sixty numbers.
const countArrival = () => {
  const at = performance.now(), last = figures.arrivals[figures.arrivals.length - 1];
  if (last && at - last[0] < 1000) last[1] += 1;
  else figures.arrivals.push([at, 1]);
};

const load = async () => {
  if (!session.agent || document.hidden) return;
  const agent = session.agent;
  try {
    const stats = await get(path`stats`);
    if (agent === session.agent) { figures.stats = stats; render(); }
  } catch { /* the connection's state shows it */ }
};
const loadSoon = atMostEvery(500, load);

export const begin = () => {
  on("stats", stats => { figures.stats = stats; figures.arrivals = []; render(); });
  on("waiting", n => { figures.waiting = n; render(); });
  on("open goals", n => { figures.goals = n; render(); });
  on("lag", n => { figures.lag = n; render(); });
  on("live", loadSoon);
  on("event", ({kind}) => { if (kind === "added") countArrival(); loadSoon(); });
  setInterval(load, between_polls_ms);
};
