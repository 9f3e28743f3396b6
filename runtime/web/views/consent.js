// Says in words what a call would do that needs a person's consent: the tool, its arguments in a table,
// what it touches, why the agent asks, in which turn and since when. Whoever worded the call may have
// written to mislead, so every value is on one line, in quotes, and shows what is invisible.
import {get, path, withQuery} from "../api.js";
import {ago, timeOf} from "../clock.js";
import {beginning, hasMembers, said, shownJson} from "../dom.js";
import {make, plural, saidBy} from "../drawing.js";
import {factsOf, link, turnName} from "../links.js";

const max_json = 500000; // more than 64 KiB of JSON with line breaks and indents
const max_rows = 24;
const max_name = 120;
const max_value = 160; // characters; a longer value is folded
const max_reasons = 8;

// Only questions of the Executor ask for consent, whatever others write.
export const consentOf = x => x.source.daemon === "executor" && x.metadata.consent_for
  ? {user: x.metadata.consent_of || "", ...(x.metadata.call || {}), tool_id: x.metadata.consent_for} : null;

// Escapes characters that are invisible or change the direction of writing, so that a person who
// consents can see them. The variation selector of emojis stays, as in texts from the server.
const hidden = /[\p{Default_Ignorable_Code_Point}\u007f-\u009f\u2028\u2029\u2800\ufff9-\ufffb]/gu;
export const plain = text => text.replace(hidden, c => c === "\ufe0f" ? c
  : c.split("").map(unit => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0")).join(""));

// The call in full, as it is sent.
const partOf = (value, label, title) => {
  const json = said("pre", "json", plain(shownJson(value, max_json)));
  json.tabIndex = 0;
  json.setAttribute("role", "region");
  json.setAttribute("aria-label", label);
  return make("details", "inputs", make("summary", "", title), json);
};

// A value as JSON, with its beginning outside and the rest folded.
const valueCell = value => {
  const text = plain(JSON.stringify(value));
  if (text.length <= max_value) return make("td", "value", said("code", "", text));
  const whole = said("code", "", beginning(text, max_json));
  const kind = typeof value === "string" ? plural([...value].length, "character")
    : Array.isArray(value) ? plural(value.length, "element") : plural(Object.keys(value).length, "member");
  const fold = make("details", "", make("summary", "", "all of it: " + kind), whole);
  return make("td", "value", said("code", "", beginning(text, max_value)), fold);
};

const argumentTable = inputs => {
  const all = Object.entries(inputs), body = make("tbody", "");
  for (const [name, value] of all.slice(0, max_rows)) {
    const th = make("th", "", said("code", "", plain(beginning(name, max_name))));
    th.scope = "row";
    body.append(make("tr", "", th, valueCell(value)));
  }
  const head = make("tr", "");
  for (const name of ["Argument", "Value"]) { const th = make("th", "", name); th.scope = "col"; head.append(th); }
  const table = make("table", "arguments", make("caption", "unseen", "Arguments of the call"), make("thead", "", head), body);
  return make("div", "", table, all.length > max_rows
    ? make("p", "muted note", plural(all.length - max_rows, "more argument") + " below, in the whole call.") : "");
};

// "erase" of the server "store" for "store.erase"; a tool without a dot is the program's own.
const toolInWords = id => {
  const dot = id.indexOf(".");
  return dot > 0 ? ["the tool ", said("code", "", plain(id.slice(dot + 1))), " of ", said("code", "", plain(id.slice(0, dot)))]
    : ["the tool ", said("code", "", plain(id))];
};

// What comes after the call in the question. The text before it is worded by others; the last mark is the
// program's own.
const reasonOf = content => {
  const mark = "? Reason: ", at = content.lastIndexOf(mark);
  return at < 0 ? "" : content.slice(at + mark.length);
};

const listed = texts => make("span", "", ...texts.flatMap((text, i) => [i ? "; " : "", said("span", "", plain(beginning(text, 200)))]));

const touchesOf = query => {
  const filter = Object.entries(query.filters || query.filter || {}).filter(([, v]) => v !== null && (typeof v !== "object" || hasMembers(v)));
  return "The tool is given up to " + plural(query.limit ?? 10, "observation") + " of the page"
    + (filter.length ? " that match " + plain(beginning(JSON.stringify(Object.fromEntries(filter)), 300)) : "");
};

// What the server noted about the call, by other observations: each is filled in when it has come.
const learn = async (x, list) => {
  const add = (name, value) => list.append(...factsOf([[name, value]]).childNodes);
  const turn = x.source.turn_id;
  const [alert, input] = await Promise.allSettled([
    x.metadata.alert_id ? get(path`observations/${x.metadata.alert_id}`) : null,
    turn ? get(withQuery(path`observations`, {turn_id: turn, type: "user_input", limit: 1})) : null]);
  const said_input = input.value?.observations?.[0];
  if (said_input) add("for the input", make("span", "", "“", said("span", "", plain(beginning(said_input.content, 240))), "”, by "
    + saidBy(said_input.source)));
  const reasons = alert.value?.source.daemon === "executor" && Array.isArray(alert.value.metadata.reasons) ? alert.value.metadata.reasons : [];
  if (reasons.length) add("protected, because", listed(reasons.slice(0, max_reasons).map(String)));
};

// The whole description, without the title and the buttons.
export const describeConsent = (x, consent) => {
  const {inputs, scratch_page_query: query, tool_id: tool} = consent;
  const given = hasMembers(inputs) ? plural(Object.keys(inputs).length, "argument") : "no argument";
  const what = make("p", "would", "It would call ", ...toolInWords(tool), " once, with " + given + ".");
  const turn = x.source.turn_id;
  const list = factsOf([
    ["why it asks", plain(beginning(reasonOf(x.content), 300))],
    ["touches", query ? touchesOf(query) : ""],
    ["asked of", consent.user ? plain(beginning(consent.user, 80)) : ""],
    ["in the turn", turn ? link("turn", turn, turnName(turn)) : ""],
    ["since", timeOf(x.created_at) + ", " + ago(x.created_at)]]);
  learn(x, list).catch(() => {});
  const table = hasMembers(inputs) ? argumentTable(inputs) : "";
  const call = make("div", "call", what, table, hasMembers(inputs) ? partOf(inputs, "inputs", "The arguments as JSON") : "",
    hasMembers(query) ? partOf(query, "data from the page", "What it is given of the page, as JSON") : "");
  return make("div", "consentbody", call, list);
};

export const consentTitle = consent => make("h3", "", "May the agent call ", said("code", "", plain(beginning(consent.tool_id, 120))), "?");
