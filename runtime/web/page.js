// The page of a server: signs a person in, chooses an agent, and passes its events to the views.
import {get, headersOf, isGone, path, post, session, whenUnauthenticated} from "./api.js";
import {addressOf, inAddress, setAddress} from "./address.js";
import {announce, beginning, byId, said, sentenceOf, setText, tellProblem} from "./dom.js";
import {make} from "./drawing.js";
import {Follower} from "./follower.js";
import {tell} from "./state.js";
import * as compare from "./views/compare.js";
import * as context from "./views/context.js";
import * as episodes from "./views/episodes.js";
import * as facts from "./views/facts.js";
import * as figures from "./views/figures.js";
import * as goals from "./views/goals.js";
import * as observations from "./views/observations.js";
import * as overview from "./views/overview.js";
import * as past from "./views/past.js";
import * as questions from "./views/questions.js";
import * as scratchbook from "./views/scratchbook.js";
import * as search from "./views/search.js";
import * as shown from "./views/shown.js";
import * as subscribers from "./views/subscribers.js";
import * as tabs from "./views/tabs.js";
import * as turns from "./views/turns.js";

const between_lists_ms = 10000;
const max_listed = 1000; // agents in the list to choose from
const between_missing_ms = 3000;
const max_links = 100; // agents that are named where one is missing
let follower = null, generation = 0;

// -- the connection ---------------------------------------------------------------------------

const connection = (kind, text) => {
  const box = byId("connection");
  box.className = "connection " + kind;
  box.firstElementChild.hidden = !text;
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
  if (state === "live") tell("live");
};

addEventListener("online", () => follower?.hurry());
document.addEventListener("visibilitychange", () => { if (!document.hidden) follower?.hurry(); });

// -- which agent ----------------------------------------------------------------------------------

const mains = ["main", "welcome", "overview", "missing"];
const show = id => {
  for (const main of mains) byId(main).hidden = main !== id;
  for (const e of document.querySelectorAll("[data-of-agent]")) e.hidden = id !== "main";
  if (id !== "overview") overview.close();
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

const offer = (ids, chosen) => {
  const all = [...new Set([...ids.slice(0, max_listed), chosen])];
  byId("agent").replaceChildren(...all.map(id => { const o = make("option", "", beginning(id, 80)); o.value = id; return o; }));
  byId("agent").value = chosen;
};

// The stream begins at the sequence that the page had before anything is read, so that no event
// is missed in between.
const choose = async agent => {
  stop();
  const mine = generation;
  session.agent = agent;
  byId("agent").value = agent;
  document.title = beginning(agent, 80) + " · scratchpage";
  show("main");
  byId("main").inert = true; // what it shows is still of the agent before
  tabs.open();
  const stats = await get(path`stats`);
  if (mine !== generation) return;
  tell("stats", stats);
  follower = new Follower({from: stats.epoch + "-" + stats.sequence, take: onEvent, state: onState});
  tell("agent", agent);
  byId("main").inert = false;
};

// An agent that is not there is not replaced by another one: what is shown, and what is approved, is of
// the agent in the address. It may be made later.
const tellMissing = (wanted, all) => {
  show("missing");
  connection("", "no agent is shown");
  document.title = "No such agent · scratchpage";
  byId("missing-title").replaceChildren("There is no agent “", said("span", "", beginning(wanted, 100)), "”");
  const like = id => id.toLowerCase().includes(wanted.toLowerCase()) || wanted.toLowerCase().includes(id.toLowerCase());
  const sorted = [...all].sort((a, b) => like(b) - like(a));
  byId("missing-list").replaceChildren(...sorted.slice(0, max_links).map(id => {
    const a = said("a", "", beginning(id, 100));
    a.href = addressOf({agent: id});
    return make("li", "", a);
  }));
  setText(byId("missing-more"), all.length > max_links ? "and " + (all.length - max_links) + " more" : "");
  announce("There is no agent of this name");
  watchFor(wanted, generation);
};

// Looks again and again whether an agent is there by now.
const watchFor = (wanted, mine) => setTimeout(async () => {
  if (mine !== generation) return;
  try { if ((await agents()).includes(wanted) && mine === generation) return start(); } catch { /* it is asked again */ }
  watchFor(wanted, mine);
}, between_missing_ms);

const onEvent = (kind, event) => {
  if (kind === "error") return;
  if (kind === "lagged") { tell("lagged", event); announce("Some events were missed; everything is loaded again"); return; }
  tell("event", {...event, kind});
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
  const wanted = inAddress("agent");
  if (!all.length) {
    connection("", "");
    welcome("No agent yet", "The first request that writes to an agent creates it. This page can create one.", "agent-form");
    if (wanted) byId("agent-name").value = wanted;
    return;
  }
  if (!wanted) {
    show("overview");
    connection("", "");
    document.title = "Agents · scratchpage";
    return overview.open(all);
  }
  if (!all.includes(wanted)) return tellMissing(wanted, all);
  offer(all, wanted);
  try {
    await choose(wanted);
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
    for (const id of (await agents()).slice(0, max_listed))
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
  for (const view of [tabs, figures, observations, questions, goals, turns, episodes, facts, scratchbook, subscribers, search, past,
    compare, context, shown, overview]) view.begin();
  byId("agent").addEventListener("change", e => {
    history.pushState(null, "", addressOf({agent: e.target.value, view: inAddress("view")}) + location.hash);
    choose(e.target.value).catch(err => connection("broken", sentenceOf(err)));
  });
  addEventListener("popstate", () => {
    if (inAddress("agent") !== session.agent) return location.reload();
    byId("shown").close();
    const name = tabs.open();
    tell("view", name === "search" ? {name, query: inAddress("q")} : {name});
  });
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
    setAddress({agent: session.agent});
    try {
      await post(path`observations`, {type: "observation", content: session.who.name + " opened the page", confidence: .5, ttl_minutes: 60});
      start();
    } catch (err) {
      tellProblem("welcome-problem", err);
    }
  });
  setInterval(refreshAgents, between_lists_ms);
  start();
};

begin();
