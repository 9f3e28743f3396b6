// Shows what a model would be told now within a budget of tokens, and what each part of it costs.
import {get, path, session, withQuery} from "../api.js";
import {inAddress, setAddress} from "../address.js";
import {byId, count, said, setText, tellProblem} from "../dom.js";
import {make, percent, plural, words} from "../drawing.js";
import {link} from "../links.js";
import {saver} from "../saving.js";
import {on} from "../state.js";

const usual_budget = "1000";
const max_budget = 1000000;
const max_links = 500;

let generation = 0, has_agent = false, shown = null;

const problem = err => tellProblem("context-problem", err);
const is_open = () => !byId("view-context").hidden;

// "episodes" are called earlier turns on this page.
const nameOf = part => part.name === "episodes" ? "earlier turns" : words(part.name);

// The parts side by side; what is left of the budget is empty. Each part has a colour, which the key in the table names.
const bar = (parts, tokens, budget) => {
  const most = Math.max(tokens, budget, 1), box = make("div", "costbar");
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", plural(tokens, "token") + " of " + count(budget) + ": "
    + (parts.map(p => nameOf(p) + " " + count(p.tokens)).join(", ") || "nothing"));
  parts.forEach((p, i) => {
    if (!p.tokens) return;
    const e = make("span", "cost c" + i % 6);
    e.style.width = (100 * p.tokens / most).toFixed(2) + "%";
    e.title = nameOf(p) + ": " + plural(p.tokens, "token");
    box.append(e);
  });
  return box;
};

const table = (parts, tokens) => {
  const head = make("tr", "");
  for (const [name, cls] of [["Part", ""], ["Tokens", "number"], ["Share", "number"], ["At most", "number"], ["Entries", "number"], ["Left out", "number"]]) {
    const th = make("th", cls, name);
    th.scope = "col";
    head.append(th);
  }
  const rows = parts.map((p, i) => {
    const th = make("th", "", make("i", "key c" + i % 6), nameOf(p));
    th.scope = "row";
    return make("tr", "", th, ...[count(p.tokens), percent(tokens ? p.tokens / tokens : 0), count(p.budget), count(p.entries), count(p.left_out)]
      .map(x => make("td", "number", x)));
  });
  return make("table", "costs", make("caption", "unseen", "Parts of the context"), make("thead", "", head), make("tbody", "", ...rows));
};

// The text as the model gets it. What names an observation, a turn or a fact is a link, and so is the goal
// at the beginning of a line.
const named = /\b((?:obs|turn)_\d{8}_\d+|fact_\d+)\b/g;
const entry = /^- \[([^\]\n]{1,200})\]/;
const kindOf = id => id.startsWith("obs_") ? "observation" : id.startsWith("turn_") ? "turn" : "fact";

const lineOf = (line, part, room) => {
  const nodes = [], goal = part === "Goals:" ? entry.exec(line)?.[1] : "";
  let at = 0;
  if (goal) { nodes.push("- [", link("goal", goal)); at = 3 + goal.length; }
  for (const m of line.matchAll(named)) {
    if (m.index < at || nodes.length > 2 * room) continue;
    nodes.push(line.slice(at, m.index), link(kindOf(m[0]), m[0]));
    at = m.index + m[0].length;
  }
  return [...nodes, line.slice(at) + "\n"];
};

const textOf = text => {
  const box = said("pre", "whole context", "");
  let part = "", made = 0;
  for (const line of text.trimEnd().split("\n")) {
    if (/^[A-Z][a-z ]+:$/.test(line)) { part = line; box.append(make("b", "", line), "\n"); continue; }
    const nodes = lineOf(line, part, Math.max(0, max_links - made));
    made += nodes.length >> 1;
    box.append(...nodes);
  }
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "The text");
  return box;
};

const render = (found, budget) => {
  shown = found;
  byId("context-shown").hidden = !found;
  byId("context-empty").hidden = Boolean(found?.text);
  if (!found) return;
  const left = found.parts.reduce((n, p) => n + p.left_out, 0);
  setText(byId("context-count"), plural(found.tokens, "token") + " of " + count(budget) + (left ? ", " + plural(left, "entry does", "entries do") + " not fit" : ""));
  byId("context-shown").replaceChildren(bar(found.parts, found.tokens, budget), table(found.parts, found.tokens), textOf(found.text));
  setText(byId("context-empty"), "A model would be told nothing: nothing is known, or nothing fits into the budget.");
};

const load = async () => {
  if (!has_agent || !is_open()) return;
  const mine = ++generation, prompt = byId("context-prompt").value.trim();
  const budget = Math.min(max_budget, Math.max(0, Math.floor(Number(byId("context-budget").value)) || 0));
  setAddress({prompt, budget: String(budget) === usual_budget ? "" : String(budget)});
  try {
    const found = await get(withQuery(path`context`, {prompt, budget}));
    if (mine !== generation) return;
    problem(null);
    render(found, budget);
  } catch (err) { if (mine === generation) problem(err); }
};

export const begin = () => {
  let typing = 0;
  byId("context-count").after(saver(() => session.agent, "context", () => ({whole: shown})));
  byId("context-form").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(load, 300); });
  byId("context-form").addEventListener("submit", e => { e.preventDefault(); clearTimeout(typing); load(); });
  on("agent", () => {
    has_agent = true;
    generation += 1;
    byId("context-prompt").value = inAddress("prompt");
    byId("context-budget").value = inAddress("budget") || usual_budget;
    render(null, 0);
    return load();
  });
  on("view", ({name}) => { if (name === "context") load(); });
};
