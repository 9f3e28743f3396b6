// The views of one agent, of which one is open: now, search, past, two turns, context.
import {addressOf, inAddress, setAddress} from "../address.js";
import {session} from "../api.js";
import {byId} from "../dom.js";
import {on, tell} from "../state.js";

const names = ["now", "search", "past", "compare", "context"];
const of_views = {q: "", after: "", a: "", b: "", prompt: "", budget: ""}; // members of the address
const field = {now: "query", search: "search-query"};

let shown = "now";

const links = () => [...byId("views").querySelectorAll("a")];

const display = name => {
  shown = name;
  for (const one of names) byId("view-" + one).hidden = one !== name;
  for (const a of links()) {
    a.href = addressOf({agent: session.agent, view: a.dataset.view === "now" ? "" : a.dataset.view});
    if (a.dataset.view === name) a.setAttribute("aria-current", "page");
    else a.removeAttribute("aria-current");
  }
};

// Opens the view that the address names. Returns its name.
export const open = () => {
  const wanted = inAddress("view");
  display(names.includes(wanted) ? wanted : "now");
  return shown;
};

export const begin = () => {
  on("view", ({name}) => {
    if (name === shown) return;
    setAddress({...of_views, view: name === "now" ? "" : name}, true);
    display(name);
  });
  for (const a of links()) a.addEventListener("click", e => {
    if (e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    tell("view", {name: a.dataset.view});
    scrollTo(0, 0);
  });
  addEventListener("keydown", e => {
    const is_writing = e.target.matches?.("input, select, textarea");
    if (e.key !== "/" || is_writing || e.ctrlKey || e.metaKey || e.altKey || !field[shown]) return;
    e.preventDefault();
    byId(field[shown]).focus();
  });
};
