// Shows live observations: the newest or the best match first, with filters, search and remaining
// lifetimes. The server searches; new observations are added as they come. How many are held, how many
// have rows, and how many rows a frame makes is bounded. An answer that is partial is asked for again.
import {Again} from "../again.js";
import {get, isGone, path, session, withQuery} from "../api.js";
import {arrange, byId, count, setText, tellProblem} from "../dom.js";
import {make, plural, words} from "../drawing.js";
import {atMostEvery, wake} from "../frames.js";
import {saver} from "../saving.js";
import {on} from "../state.js";
import {isLive, max_text, Row, rowOf, sourceOf} from "./observation.js";

const step = 60; // rows at first, and with each "more"
const max_rows = 600;
const max_held = 1000;
const max_late = 5000; // events that wait while an answer is loading
const max_rows_a_frame = 12;
const deadline_ms = 1000; // the longest that the server allows; it takes less if others wait

const list = byId("observations-list"), scroll = byId("observations-scroll"), fresh = byId("fresh");

// The list: ids in their order, and observations by id, with shortened contents.
let order = [], held = new Map(), room = step, total = 0, cursor = "", tail_is_held = true;
let asked = {}, generation = 0, loading = false, held_back = 0, shown_order = [];
let to_open = ""; // the id of a row that is opened when it is there
let question = "", answered = ""; // agent and filter of the last request, and of the list
const rows = new Map(), late = [];

const shortened = x => x.content.length <= 4 * max_text ? x : {...x, content: x.content.slice(0, 4 * max_text), is_cut: true};

// -- what is asked for ---------------------------------------------------------------------

const readFilter = () => {
  const tags = byId("tags").value.split(",").map(x => x.trim()).filter(x => x);
  return {query: byId("query").value.trim(), tags, type: byId("type").value, status: byId("status").value,
    source: byId("source").value.trim(), min_confidence: byId("confidence").value};
};

// Whether an observation matches the filter, by the server's rules. Only the server can search texts.
const fits = x => (asked.status ? x.status === asked.status : isLive(x)) && (!asked.type || x.type === asked.type)
  && asked.tags.every(tag => x.tags.includes(tag)) && (!asked.source || sourceOf(x.source) === asked.source)
  && (!asked.min_confidence || x.confidence >= Number(asked.min_confidence));

const isFiltered = () => Object.values(asked).some(x => x.length > 0);

const problem = err => tellProblem("observations-problem", err);

const again = new Again(() => load());

// Says that the list may lack something, and whether the page will ask again by itself.
const tellPartial = (is_partial, is_asked_again) => {
  byId("observations-partial").hidden = !is_partial;
  byId("observations-again").hidden = is_asked_again;
  if (is_partial) setText(byId("observations-partial-text"), "The agent has not looked through everything yet, so some matches may be missing. "
    + (is_asked_again ? "This page asks again by itself." : "This page has asked several times."));
};

// Makes an answer the list. A partial one takes nothing away from an earlier one to the same question.
const show = found => {
  const is_same = answered === question;
  answered = question;
  const before = found.partial && is_same ? order.slice(0, max_held - found.observations.length).map(id => held.get(id)) : [];
  if (!is_same) room = step;
  held_back = 0;
  to_open = "";
  order = [];
  held = new Map();
  shown_order = [];
  append([...found.observations, ...before]);
  total = Math.max(found.total_count, order.length);
};

const append = observations => {
  for (const x of observations) {
    if (held.has(x.observation_id)) continue;
    held.set(x.observation_id, shortened(x));
    order.push(x.observation_id);
    learnType(x.type);
  }
};

// The place behind the last observation that is held.
const behind = () => {
  if (asked.query) return {cursor};
  const last = held.get(order[order.length - 1]);
  return last ? {created_before: new Date(Date.parse(last.created_at) + 1).toISOString()} : {};
};

const beginQuestion = () => {
  asked = readFilter();
  again.rest();
  const now_asked = JSON.stringify([session.agent, asked]);
  if (now_asked === question) return;
  question = now_asked;
  again.reset();
  tellPartial(false, false);
};

const load = async (more = false) => {
  const mine = ++generation;
  loading = true;
  if (!more) beginQuestion();
  try {
    const found = await get(withQuery(path`observations`,
      {...asked, ...(more ? behind() : {}), limit: more || asked.query ? 100 : 200, deadline_ms}));
    if (mine !== generation) return;
    if (more) append(found.observations);
    else show(found);
    cursor = found.next_cursor || "";
    tail_is_held = !cursor && !found.partial;
    if (more) total = Math.max(total, order.length);
    else settle(found.partial);
    problem(null);
  } catch (err) {
    if (mine !== generation || isGone(err)) return;
    problem(err);
    if (!err.status || err.status >= 500) settle(true);
  } finally {
    if (mine === generation) {
      loading = false;
      for (const event of late.splice(0)) take(event);
    }
    wake(render);
  }
};

const settle = is_partial => {
  if (!is_partial) again.reset();
  tellPartial(is_partial, is_partial && again.plan());
};

const reloadSoon = atMostEvery(700, () => load());

// Asks the server for the total after changes of observations that are not held here.
const recountSoon = atMostEvery(2000, async () => {
  const mine = generation;
  try {
    const found = await get(withQuery(path`observations`, {...asked, limit: 1}));
    if (mine === generation && !loading && !found.partial) { total = Math.max(order.length, found.total_count); wake(render); }
  } catch { /* the next recount will do */ }
});

// -- what comes ------------------------------------------------------------------------------

const learnType = type => {
  const select = byId("type");
  if (known_types.has(type) || known_types.size >= 100) return;
  known_types.add(type);
  const option = make("option", "", words(type));
  option.value = type;
  const after = [...select.options].slice(1).find(o => o.value > type);
  select.insertBefore(option, after || null);
};
const known_types = new Set();

const add = x => {
  held.set(x.observation_id, shortened(x));
  order.unshift(x.observation_id);
  if (order.length > max_held) { held.delete(order.pop()); tail_is_held = false; }
};

const drop = id => {
  if (!held.delete(id)) return;
  order.splice(order.indexOf(id), 1);
  total = Math.max(0, total - 1);
};

// Whether an observation is older than all that are held.
const isBehind = x => order.length > 0 && x.created_at < held.get(order[order.length - 1]).created_at;

const take = event => {
  const x = event.observation;
  if (!x || !asked.tags) return;
  learnType(x.type);
  if (loading) {
    late.push(event);
    if (late.length > max_late) { late.length = 0; reloadSoon(); }
    return;
  }
  const known = held.get(x.observation_id);
  const ends = ["archived", "expired", "evicted"].includes(event.kind);
  if (known && x.revision < known.revision) return;
  if (!known && (ends || event.kind === "updated")) recountSoon();
  if (ends || !fits(x)) drop(x.observation_id);
  else if (known) held.set(x.observation_id, shortened(x));
  else if (asked.query) return reloadSoon();
  else if (isBehind(x)) { total += event.kind === "added" ? 1 : 0; return; }
  else { add(x); total += 1; }
  wake(render);
};

// -- rows --------------------------------------------------------------------------------------

// Shows one observation on top, opened, wherever it is in the list.
const showOne = x => {
  const id = x.observation_id;
  showFresh();
  if (held.has(id)) order.splice(order.indexOf(id), 1);
  else recountSoon();
  held.set(id, shortened(x));
  order.unshift(id);
  to_open = id;
  byId("observations").scrollIntoView({block: "start"});
  wake(render);
};

const openWanted = () => {
  const row = rows.get(to_open);
  if (!row) return;
  to_open = "";
  if (!row.inside) row.toggle();
  row.open.focus();
};

// Whether the user reads in the list or has scrolled in it, so that it must not move.
const isReading = () => scroll.scrollTop > 4 || list.contains(document.activeElement) || list.querySelector("[aria-expanded=true]");

const wantedOrder = () => {
  if (!isReading() || !shown_order.length) { held_back = 0; return order.slice(0, room); }
  const shown = new Set(shown_order);
  const first = order.findIndex(id => shown.has(id));
  held_back = Math.max(0, first);
  return order.slice(held_back, held_back + room);
};

const render = hasTime => {
  const wanted = wantedOrder(), keep = new Set(wanted), free = [];
  for (const [id, row] of rows) if (!keep.has(id)) { rows.delete(id); free.push(row); }
  const focused = free.find(row => row.element.contains(document.activeElement));
  let made = 0, left = false;
  const elements = [];
  for (const id of wanted) {
    let row = rows.get(id);
    if (!row) {
      if (made >= max_rows_a_frame || !hasTime()) { left = true; continue; }
      made += 1;
      row = free.find(x => x !== focused && !x.inside);
      if (row) free.splice(free.indexOf(row), 1);
      else row = new Row();
      rows.set(id, row);
    }
    row.tell(held.get(id));
    elements.push(row.element);
  }
  const next = focused && (focused.element.nextElementSibling?.row || focused.element.previousElementSibling?.row);
  arrange(list, elements);
  shown_order = wanted;
  if (focused) (next?.element.isConnected ? next.open : byId("query")).focus();
  tellCounts();
  keepOneStop();
  if (to_open) openWanted();
  return left;
};

const tellCounts = () => {
  const shown = Math.min(order.length, room);
  const is_partial = !byId("observations-partial").hidden, matches = plural(total, "matches", "match");
  setText(byId("observations-count"), (total > shown ? matches + ", " + count(shown) + " shown" : isFiltered() ? matches : count(total) + " live")
    + (is_partial ? ", so far" : ""));
  fresh.hidden = held_back === 0;
  setText(fresh, plural(held_back, "new observation"));
  byId("more").hidden = shown >= max_rows || (order.length <= room && tail_is_held) || total <= shown;
  const empty = byId("observations-empty");
  empty.hidden = order.length > 0 || loading || is_partial;
  if (!empty.hidden) setText(empty, isFiltered() ? "No observation matches. Try fewer words or other tags, or press Clear."
    : "No observation yet. What you add with scratchpage add \"…\", or with a POST to this agent's observations, appears here at once.");
};

// -- keys ----------------------------------------------------------------------------------------

// The list is one stop for the Tab key. Arrow keys go from row to row; in the current row, Tab also stops
// at its tags.
const keepOneStop = () => {
  const active = list.contains(document.activeElement) ? document.activeElement.closest(".row") : null;
  const current = active || list.querySelector(".row.current") || list.firstElementChild;
  for (const e of list.querySelectorAll(".row.current")) if (e !== current) setCurrent(e, false);
  if (current && !current.classList.contains("current")) setCurrent(current, true);
  if (current) for (const b of current.querySelectorAll(".tag")) b.tabIndex = 0;
};

const setCurrent = (row, is) => {
  row.classList.toggle("current", is);
  for (const b of row.querySelectorAll(".rowopen, .tag")) b.tabIndex = is ? 0 : -1;
};

list.addEventListener("focusin", keepOneStop);

list.addEventListener("keydown", e => {
  const row = e.target.closest(".row");
  if (!row || (e.target !== row.row.open && e.key !== "Escape")) return;
  const to = {ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling,
    Home: list.firstElementChild, End: list.lastElementChild}[e.key];
  if (to) { e.preventDefault(); to.row.open.focus(); }
  if (e.key === "Escape" && row.row.inside) { row.row.close(); row.row.open.focus(); }
});

// -- wiring ----------------------------------------------------------------------------------------

const showFresh = () => {
  if (list.contains(document.activeElement)) byId("query").focus();
  for (const row of rows.values()) row.close();
  scroll.scrollTop = 0;
  shown_order = [];
  wake(render);
};

let typing = 0;
const filterSoon = ms => {
  clearTimeout(typing);
  typing = setTimeout(() => { showFresh(); load(); }, ms);
};

export const begin = () => {
  byId("observations-count").after(saver(() => session.agent, "observations", () => ({rows: shown_order.map(id => rowOf(held.get(id)))})));
  byId("filter").addEventListener("input", () => filterSoon(180));
  byId("filter").addEventListener("reset", () => filterSoon(0));
  byId("filter").addEventListener("submit", e => { e.preventDefault(); filterSoon(0); });
  byId("more").addEventListener("click", async () => {
    room = Math.min(max_rows, room + step);
    if (order.length < room && !tail_is_held && !loading) await load(true);
    wake(render);
  });
  fresh.addEventListener("click", showFresh);
  scroll.addEventListener("scroll", () => { if (held_back && scroll.scrollTop <= 4) wake(render); }, {passive: true});
  list.addEventListener("focusout", () => { if (held_back) setTimeout(() => wake(render), 0); });
  byId("observations-again").addEventListener("click", () => { again.reset(); byId("observations").focus(); load(); });
  on("agent", () => { to_open = ""; answered = ""; late.length = 0; asked = readFilter(); order = []; held = new Map(); total = 0; shown_order = []; wake(render); return load(); });
  on("event", take);
  on("lagged", reloadSoon);
  on("observation", showOne);
  on("tag", tag => {
    const input = byId("tags");
    if (!readFilter().tags.includes(tag)) input.value = [...readFilter().tags, tag].join(", ");
    filterSoon(0);
    input.focus();
  });
};
