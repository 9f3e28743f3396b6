// The page of a server: signs a person in, chooses an agent, and passes its events to the views.
import {get, headersOf, isGone, path, post, session, whenUnauthenticated} from "./api.js";
import {announce, beginning, byId, count, sentenceOf, setText, tellProblem} from "./dom.js";
import {make} from "./drawing.js";
import {Follower} from "./follower.js";
import {atMostEvery} from "./frames.js";
import {on, tell} from "./state.js";
import * as episodes from "./views/episodes.js";
import * as facts from "./views/facts.js";
import * as goals from "./views/goals.js";
import * as observations from "./views/observations.js";
import * as questions from "./views/questions.js";
import * as scratchbook from "./views/scratchbook.js";
import * as subscribers from "./views/subscribers.js";
import * as turns from "./views/turns.js";

const between_stats_ms = 2000;
let follower = null, generation = 0;

// -- the connection ---------------------------------------------------------------------------

const connection = (kind, text) => {
  const box = byId("connection");
  box.className = "connection " + kind;
  setText(box.lastElementChild, text);
};

const onState = (state, more) => {
  if (state === "live") connection("live", "live");
  if (state === "connecting") connection("waiting", "connecting …");
  if (state === "broken") connection("broken", "not connected; trying again");
  if (state === "ended") {
    connection("broken", more.sentence);
    if (more.status === 404) start();
  }
  if (state === "live") statsSoon();
};

addEventListener("online", () => follower?.hurry());
document.addEventListener("visibilitychange", () => { if (!document.hidden) follower?.hurry(); });

// -- figures ------------------------------------------------------------------------------------

const tiles = new Map();
const tile = (name, text, cls = "") => {
  if (!tiles.has(name)) {
    const value = make("dd", ""), box = make("div", "tile", make("dt", "", name), value);
    tiles.set(name, {value, box});
    byId("tiles").append(box);
  }
  const {value, box} = tiles.get(name);
  setText(value, text);
  box.className = "tile " + cls;
};

const figures = {waiting: 0, goals: 0, lag: 0, stats: null, arrivals: []};

const renderTiles = () => {
  const {stats} = figures, minute_ago = performance.now() - 60000;
  figures.arrivals = figures.arrivals.filter(([at]) => at > minute_ago);
  tile("live", stats ? count(stats.live) : "–");
  tile("new in a minute", count(figures.arrivals.reduce((n, [, x]) => n + x, 0)));
  tile("waiting for you", String(figures.waiting), figures.waiting ? "warn" : "");
  tile("open goals", String(figures.goals));
  tile("open turns", stats ? String(stats.open_turns) : "–");
  tile("expired", stats ? count(stats.expired) : "–");
  tile("subscribers", stats ? String(stats.subscribers) : "–");
  tile("largest lag", count(figures.lag), figures.lag > 1000 ? "bad" : figures.lag > 100 ? "warn" : "");
};

// Counts arrivals by the second, so that a minute needs sixty numbers.
const countArrival = () => {
  const at = performance.now(), last = figures.arrivals[figures.arrivals.length - 1];
  if (last && at - last[0] < 1000) last[1] += 1;
  else figures.arrivals.push([at, 1]);
};

const loadStats = async () => {
  if (!session.agent || document.hidden) return;
  try { figures.stats = await get(path`stats`); renderTiles(); } catch { /* the connection's state shows it */ }
};
const statsSoon = atMostEvery(500, loadStats);

// -- which agent ----------------------------------------------------------------------------------

const show = id => {
  for (const main of ["main", "welcome"]) byId(main).hidden = main !== id;
};

const welcome = (title, text, form) => {
  show("welcome");
  setText(byId("welcome-title"), title);
  setText(byId("welcome-text"), text);
  byId("welcome-problem").hidden = true;
  for (const id of ["token-form", "agent-form"]) byId(id).hidden = id !== form;
  byId(form)?.querySelector("input").focus();
};

const stop = () => { generation += 1; follower?.stop(); follower = null; };

// The stream begins at the sequence that the page had before anything is read, so that no event
// is missed in between.
const choose = async agent => {
  stop();
  const mine = generation;
  session.agent = agent;
  byId("agent").value = agent;
  document.title = agent + " · scratchpage";
  history.replaceState(null, "", "?agent=" + encodeURIComponent(agent) + location.hash);
  show("main");
  figures.arrivals = [];
  const stats = await get(path`stats`);
  if (mine !== generation) return;
  figures.stats = stats;
  renderTiles();
  follower = new Follower({from: stats.epoch + "-" + stats.sequence, take: onEvent, state: onState});
  tell("agent", agent);
};

const onEvent = (kind, event) => {
  if (kind === "error") return;
  if (kind === "lagged") { tell("lagged", event); announce("Some events were missed; everything is loaded again"); return; }
  if (kind === "added") countArrival();
  tell("event", {...event, kind});
  statsSoon();
};

// Opens a session with the key in the address. A key works once, so it is removed from there.
const useKey = async () => {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!key) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    session.token = "";
    session.token = (await post("/v1/session", {key})).token;
  } catch (err) {
    announce(sentenceOf(err));
    tellProblem("sign-in-problem", err);
  }
};

const learnWho = async () => {
  session.who = await get("/v1/session");
  setText(byId("name"), session.isPerson ? session.who.name : "a viewer");
  byId("you").title = session.isPerson ? "You are signed in as a person, who can answer and approve"
    : "To answer and approve as a person, open the address that “scratchpage page” prints";
};

const agents = async () => (await get("/v1/agents")).agents;

const start = async () => {
  stop();
  let all;
  try {
    await useKey();
    await learnWho();
    all = await agents();
  } catch (err) {
    if (err.status === 401) return;
    connection("broken", "not connected; trying again");
    setTimeout(start, 2000);
    return;
  }
  byId("leave").hidden = !session.token;
  if (!all.length) return welcome("No agent yet", "The first request that writes to an agent creates it. This page can create one.", "agent-form");
  byId("agent").replaceChildren(...all.slice(0, 1000).map(id => { const o = make("option", "", beginning(id, 80)); o.value = id; return o; }));
  const wanted = new URLSearchParams(location.search).get("agent");
  try {
    await choose(all.includes(wanted) ? wanted : all[0]);
  } catch (err) {
    if (err.status === 401) return;
    connection("broken", isGone(err) ? "no such agent" : err.sentence || "not connected; trying again");
    if (!err.status || err.status >= 500) setTimeout(start, 2000);
  }
};

// Adds agents that are new.
const refreshAgents = async () => {
  if (document.hidden || byId("main").hidden) return;
  try {
    const select = byId("agent"), known = new Set([...select.options].map(o => o.value));
    for (const id of (await agents()).slice(0, 1000))
      if (!known.has(id)) { const o = make("option", "", beginning(id, 80)); o.value = id; select.append(o); }
  } catch { /* the connection's state shows it */ }
};

// -- who asks ---------------------------------------------------------------------------------------

let was_refused = false;
// A session ends with the server. If the server needs no token, one can still view the page.
const canView = async () => {
  try { return (await fetch("/v1/session", {headers: headersOf(), credentials: "omit"})).ok; } catch { return false; }
};

whenUnauthenticated(async () => {
  stop();
  const had = session.token;
  session.token = "";
  if (had && await canView()) {
    setText(byId("sign-in-problem"), "Your session has ended with the server, and you are a viewer now. To sign in again, open the address that “scratchpage page” prints.");
    byId("sign-in-problem").hidden = false;
    return start();
  }
  connection("broken", "a token is needed");
  welcome("Sign in", "This server needs a token: scratchpage token add --name … makes one. To answer and approve as a person, make it with --person; to read, --read-only is enough.", "token-form");
  if (had && was_refused !== had) {
    byId("welcome-problem").hidden = false;
    setText(byId("welcome-problem"), "The server refuses this token. It may be mistyped, expired or revoked.");
  }
  was_refused = had;
});

const begin = () => {
  for (const view of [observations, questions, goals, turns, episodes, facts, scratchbook, subscribers]) view.begin();
  on("waiting", n => { figures.waiting = n; renderTiles(); });
  on("open goals", n => { figures.goals = n; renderTiles(); });
  on("lag", n => { figures.lag = n; renderTiles(); });
  byId("agent").addEventListener("change", e => choose(e.target.value).catch(err => connection("broken", sentenceOf(err))));
  byId("leave").addEventListener("click", () => { session.token = ""; location.reload(); });
  byId("token-form").addEventListener("submit", e => {
    e.preventDefault();
    session.token = byId("token").value.trim();
    byId("token").value = "";
    start();
  });
  byId("agent-form").addEventListener("submit", async e => {
    e.preventDefault();
    session.agent = byId("agent-name").value.trim();
    try {
      await post(path`observations`, {type: "observation", content: session.who.name + " opened the page", confidence: .5, ttl_minutes: 60});
      start();
    } catch (err) {
      tellProblem("welcome-problem", err);
    }
  });
  addEventListener("keydown", e => {
    const is_writing = e.target.matches?.("input, select, textarea");
    if (e.key === "/" && !is_writing && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); byId("query").focus(); }
  });
  setInterval(loadStats, between_stats_ms);
  setInterval(refreshAgents, 10000);
  start();
};

begin();
