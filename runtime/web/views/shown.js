// Shows what a link names, in a dialog: an observation of the page or of the archive, a goal, a turn or a
// fact. It says where that is now, and it changes nothing.
import {get, isGone, path, withQuery} from "../api.js";
import {inAddress, setAddress} from "../address.js";
import {timeOf} from "../clock.js";
import {beginning, button, byId, said, sentenceOf, setText} from "../dom.js";
import {goalStatus, make, percent, pill, plural, saidBy, span, track, turnStatus, words} from "../drawing.js";
import {factsOf, kinds, link, linkList} from "../links.js";
import {on, tell} from "../state.js";
import {detailsOf, isLive, typePill} from "./observation.js";

const page_of_archive = 200; // observations in one answer
const max_answers = 10;
const max_rows = 60;
const max_back = 50;

const back = []; // what was shown before, in this dialog
let now_shown = null, generation = 0;

const missing = text => ({title: "Not found", parts: [make("p", "empty", text)]});

// -- observations ---------------------------------------------------------------------------------

// Observations have left the page in the order of the archive; the day in their id, or a hint of when one
// was made, narrows the search.
const timesOf = (id, at) => {
  const near = (ms, around) => ({created_after: new Date(ms - around).toISOString(), created_before: new Date(ms + around).toISOString()});
  if (at && !isNaN(Date.parse(at))) return near(Date.parse(at), 1000);
  const day = /^obs_(\d{4})(\d\d)(\d\d)_/.exec(id);
  return day ? near(Date.parse(`${day[1]}-${day[2]}-${day[3]}T12:00:00Z`), 36 * 3600000) : {};
};

const inArchive = async (id, at) => {
  let cursor = "";
  for (let i = 0; i < max_answers && (i === 0 || cursor); i++) {
    const part = await get(withQuery(path`archive`, {...timesOf(id, at), limit: page_of_archive, cursor}));
    const found = part.observations.find(x => x.observation_id === id);
    if (found) return found;
    cursor = part.next_cursor || "";
  }
  return null;
};

const observationOf = async ({id, at}) => {
  let x = null, where = "on the page";
  try { x = await get(path`observations/${id}`); } catch (err) { if (!isGone(err)) throw err; }
  if (!x) { x = await inArchive(id, at); where = "in the archive"; }
  if (!x) return missing(`${beginning(id, 80)} is neither on the page nor among the latest of the archive. It may have been forgotten.`);
  const parts = detailsOf(x);
  if (where === "on the page" && isLive(x)) parts.push(make("div", "acts", button("Show in the list", "plain", () => {
    byId("shown").close();
    tell("view", {name: "now"});
    tell("observation", x);
  })));
  return {title: "Observation", where, parts};
};

// -- goals, facts and turns ----------------------------------------------------------------------------

const line = o => make("li", "", typePill(o.type), " ", said("span", "", beginning(o.content, 300)), " ", make("small", "by", beginning(saidBy(o.source), 80)),
  " ", link("observation", o.observation_id, o.observation_id, {at: o.created_at}));

const lines = observations => {
  const list = make("ul", "lines", ...observations.slice(0, max_rows).map(line));
  if (observations.length > max_rows) list.append(make("li", "muted", plural(observations.length - max_rows, "more observation")));
  return list;
};

const goalOf = async ({id}) => {
  const x = await get(path`goals/${id}`);
  const evidence = make("ul", "lines", ...x.evidence.slice(0, max_rows).map(e => make("li", "", said("span", "", beginning(e.content, 300)), " ",
    make("small", "", percent(e.confidence) + (e.source ? ", " + beginning(e.source, 80) : "")), " ", e.observation_id ? link("observation", e.observation_id) : "")));
  const actions = make("ul", "lines", ...x.pending_actions.slice(0, max_rows).map(a => make("li", "",
    make("small", "", (a.assigned_to === "user" ? "for a person" : "for the agent") + ", " + words(a.status) + ": "), said("span", "", beginning(a.description, 400)))));
  return {title: "Goal", parts: [said("p", "big", beginning(x.title || words(x.goal_type), 400)), pill(goalStatus(x.goal_type, x.status), x.status), track(x.progress),
    factsOf([["id", link("goal", x.goal_id)], ["progress", percent(x.progress)], ["priority", x.priority], ["said", beginning(x.description || "", 400)],
      ["made", timeOf(x.created_at)], ["changed", timeOf(x.updated_at)],
      ["from", x.observation_ids.length ? linkList("observation", x.observation_ids) : ""]]),
    x.pending_actions.length ? make("h3", "", "Actions") : "", actions, x.evidence.length ? make("h3", "", "Evidence") : "", evidence]};
};

const factOf = async ({id}) => {
  let cursor = "", x = null;
  for (let i = 0; i < max_answers && !x && (i === 0 || cursor); i++) {
    const part = await get(withQuery(path`facts`, {limit: page_of_archive, cursor}));
    x = part.facts.find(f => f.fact_id === id);
    cursor = part.next_cursor || "";
  }
  if (!x) return missing(`${beginning(id, 80)} is not among the facts. It may have been corrected or forgotten.`);
  const ids = x.observation_ids || [];
  return {title: "Fact", parts: [said("p", "big", beginning(x.statement, 600)), factsOf([["id", link("fact", x.fact_id)], ["sure", percent(x.confidence)],
    ["since", timeOf(x.valid_from)], ["until", timeOf(x.valid_until)], ["experiences", String(x.support)], ["said by", beginning((x.sources || []).join(", "), 400)],
    ["tags", beginning((x.tags || []).join(", "), 400)], ["learnt from", ids.length ? linkList("observation", ids) : ""]])]};
};

const turnOf = async ({id}) => {
  const [episodes, live] = await Promise.all([get(withQuery(path`episodes`, {turn_id: id, limit: 1})),
    get(withQuery(path`observations`, {turn_id: id, limit: max_rows}))]);
  const x = episodes.episodes[0];
  const observations = x ? x.observations : live.observations.sort((a, b) => a.created_at < b.created_at ? -1 : 1);
  if (!observations.length) return missing(`There is nothing of ${beginning(id, 80)}. It may have just begun, or it was forgotten.`);
  const of = type => observations.find(o => o.type === type && o.source.tool === undefined);
  const input = of("user_input"), response = of("agent_response");
  return {title: "Turn", where: x ? "ended" : "open, or its end is not stored yet", parts: [
    input ? said("p", "big", beginning(input.content, 600)) : "", response ? said("p", "answered", beginning(response.content, 1000)) : "",
    factsOf([["id", link("turn", id)], ["status", x?.status ? turnStatus(x.status) : ""], ["began", timeOf(x?.started_at || observations[0].created_at)],
      ["took", x?.ended_at ? span(Math.max(0, Date.parse(x.ended_at) - Date.parse(x.started_at))) : ""],
      ["thread", x?.thread_id ? link("thread", x.thread_id) : ""]]),
    make("h3", "", plural(observations.length + (x?.left_out || 0), "observation")), lines(observations),
    make("div", "acts", button("Put beside another turn", "plain", () => { byId("shown").close(); tell("view", {name: "compare", first: id}); }))]};
};

const loaders = {observation: observationOf, goal: goalOf, fact: factOf, turn: turnOf};

// -- the dialog -----------------------------------------------------------------------------------------

const show = async (what, is_back = false) => {
  if (what.kind === "thread") {
    byId("shown").close();
    tell("view", {name: "now"});
    return tell("thread", what.id);
  }
  const mine = ++generation, dialog = byId("shown"), body = byId("shown-body");
  if (!is_back && now_shown && dialog.open && back.length < max_back) back.push(now_shown);
  now_shown = what;
  byId("shown-back").hidden = !back.length;
  setText(byId("shown-title"), words(what.kind)[0].toUpperCase() + what.kind.slice(1));
  setText(byId("shown-where"), "");
  body.replaceChildren(make("p", "empty", "Looking for it …"));
  if (!dialog.open) dialog.showModal();
  setAddress({show: what.kind + ":" + what.id});
  let found;
  try { found = await loaders[what.kind](what); }
  catch (err) { found = isGone(err) ? missing(`There is no ${what.kind} ${beginning(what.id, 80)} any more.`) : {title: "It cannot be shown", parts: [make("p", "problem", sentenceOf(err))]}; }
  if (mine !== generation) return;
  setText(byId("shown-title"), found.title);
  setText(byId("shown-where"), found.where || "");
  body.replaceChildren(...found.parts);
  body.scrollTop = 0;
};

// What the address names when the page is opened.
const showAddressed = () => {
  const [kind, ...id] = inAddress("show").split(":");
  if (kinds.includes(kind) && id.length) show({kind, id: id.join(":")});
};

export const begin = () => {
  const dialog = byId("shown");
  byId("shown-close").addEventListener("click", () => dialog.close());
  byId("shown-back").addEventListener("click", () => { if (back.length) show(back.pop(), true); byId("shown-close").focus(); });
  dialog.addEventListener("click", e => { if (e.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => { generation += 1; back.length = 0; now_shown = null; setAddress({show: ""}); });
  on("show", show);
  on("agent", showAddressed);
};
