// Searches everything that the agent knows: the page, the archive, earlier turns and facts. Each kind has
// its own list, the closest first.
import {get, isGone, path, session, withQuery} from "../api.js";
import {inAddress, setAddress} from "../address.js";
import {timeOf} from "../clock.js";
import {beginning, button, byId, sentenceOf, setText, tellProblem} from "../dom.js";
import {make, plural} from "../drawing.js";
import {highlighted, wordsOf} from "../highlights.js";
import {link, turnName} from "../links.js";
import {saver} from "../saving.js";
import {on} from "../state.js";

const kinds = [["page", "On the page", "on the page"], ["facts", "Facts", "among the facts"],
  ["episodes", "Earlier turns", "in earlier turns"], ["archive", "Archive", "in the archive"]];
const step = 10;
const most = 200;

let generation = 0, asked = "", has_agent = false;
const parts = new Map(); // by kind: {hits, total, limit, partial}

const problem = err => tellProblem("search-problem", err);

const linkOf = hit => hit.fact_id ? link("fact", hit.fact_id)
  : hit.observation_id ? link("observation", hit.observation_id, hit.observation_id, {at: hit.at})
    : hit.turn_id ? link("turn", hit.turn_id) : "";

const hitElement = (hit, wanted) => make("li", "hit", highlighted(hit.text, wanted),
  make("div", "about", linkOf(hit), hit.turn_id && !(hit.fact_id === undefined && hit.observation_id === undefined)
    ? make("span", "", "turn ", link("turn", hit.turn_id, turnName(hit.turn_id))) : "",
  make("span", "", beginning(hit.source || "", 80)), make("span", "", timeOf(hit.at))));

const group = ([kind, title]) => {
  const found = parts.get(kind), wanted = wordsOf(asked);
  if (!found || (!found.hits.length && !found.problem)) return "";
  const list = make("ol", "hits", ...found.hits.map(hit => hitElement(hit, wanted)));
  list.setAttribute("aria-label", title);
  const count = plural(found.total, "result") + (found.total > found.hits.length ? ", " + found.hits.length + " shown" : "")
    + (found.partial ? ", so far: not everything could be searched" : "");
  const more = found.total > found.hits.length && found.limit < most
    ? button("Show more " + title.toLowerCase(), "more", async () => { await loadPart(kind, Math.min(most, found.limit + 2 * step)); render(kind); }) : "";
  const box = make("section", "panel hitgroup", make("div", "sectionhead", make("h3", "", title), make("p", "count", count)),
    found.problem ? make("p", "problem", found.problem) : "", list, more);
  box.dataset.kind = kind;
  return box;
};

const render = focus_kind => {
  const shown = kinds.map(group).filter(x => x);
  byId("search-results").replaceChildren(...shown);
  if (focus_kind) {
    const last = byId("search-results").querySelector(`[data-kind=${focus_kind}] .hit:last-child a`);
    last?.focus();
  }
  const all = [...parts.values()].reduce((n, x) => n + x.total, 0);
  setText(byId("search-count"), asked ? plural(all, "result") : "");
  const empty = byId("search-empty");
  empty.hidden = shown.length > 0;
  setText(empty, asked ? "Nothing that the agent knows has these words: " + kinds.map(([, , where]) => "nothing " + where).join(", ") + ". Try fewer or other words."
    : "Search what is on the page, what has left it, what was said in earlier turns, and what is believed.");
};

const loadPart = async (kind, limit) => {
  const mine = generation;
  try {
    const found = await get(withQuery(path`memory/search`, {query: asked, in: kind, limit}));
    if (mine === generation) parts.set(kind, {hits: found.hits, total: found.total_count, partial: found.partial, limit});
  } catch (err) {
    if (isGone(err)) throw err;
    if (mine === generation) parts.set(kind, {hits: [], total: 0, limit, problem: sentenceOf(err)});
  }
};

const search = async () => {
  if (!has_agent) return;
  const mine = ++generation;
  asked = byId("search-query").value.trim();
  setAddress({q: asked});
  problem(null);
  if (!asked) { parts.clear(); byId("search-results").removeAttribute("aria-busy"); return render(); }
  byId("search-results").setAttribute("aria-busy", "true");
  parts.clear();
  try { await Promise.all(kinds.map(([kind]) => loadPart(kind, step))); }
  catch (err) { if (mine === generation) problem(err); }
  if (mine !== generation) return;
  byId("search-results").removeAttribute("aria-busy");
  render();
};

const rows = () => kinds.flatMap(([kind]) => (parts.get(kind)?.hits || []).map(hit => ({found_in: kind, text: hit.text, score: hit.score,
  source: hit.source || "", at: hit.at, observation_id: hit.observation_id || "", fact_id: hit.fact_id || "", turn_id: hit.turn_id || ""})));

export const begin = () => {
  let typing = 0;
  byId("search-count").after(saver(() => session.agent, "search results", () => ({rows: rows()})));
  byId("search-query").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(search, 300); });
  byId("search-form").addEventListener("submit", e => { e.preventDefault(); clearTimeout(typing); search(); });
  on("agent", () => { has_agent = true; generation += 1; parts.clear(); asked = ""; byId("search-results").removeAttribute("aria-busy"); byId("search-query").value = inAddress("q"); render(); if (inAddress("q")) search(); });
  on("view", ({name, query}) => {
    if (name !== "search") return;
    if (query !== undefined) { byId("search-query").value = query; search(); }
    byId("search-query").focus();
  });
};
