// Shows the notes, todos and tasks of a thread. Unless a person chooses another one, that is the thread
// whose scratchbook was changed last.
import {get, isGone, path, post, session} from "../api.js";
import {announce, arrange, beginning, button, byId, Kept, said, setText, tellProblem} from "../dom.js";
import {make, pill, plural, track, words} from "../drawing.js";
import {atMostEvery} from "../frames.js";
import {factsOf, link} from "../links.js";
import {saver} from "../saving.js";
import {on} from "../state.js";

const max_items = 60;
const between_polls_ms = 3000;

const between_counts_ms = 15000;
const max_threads = 200;
const usual = "main";

let has_agent = false, generation = 0, chosen = "", shown = [];
let books = []; // threads with a scratchbook, the latest change first: {thread_id, items, open, updated_at}
const threads = new Set(); // of turns and observations

const problem = err => tellProblem("scratchbook-problem", err);

// Who wrote an item, and who wrote or set parts of it, if that was somebody else.
const writersOf = x =>
  [["written by", x.written_by], ["title by", x.title_by], ["body by", x.body_by], ["tags and phase by", x.marked_by],
    ["linked by", x.linked_by]].filter(([, who]) => who).map(([what, who]) => what + " " + who);

class Item {
  constructor() {
    this.id = make("b", "");
    this.kind = pill("", "");
    this.title = said("span", "itemtitle", "");
    this.status = pill("", "");
    this.body = said("pre", "whole", "");
    this.body.tabIndex = 0;
    this.links = make("div", "");
    this.why = make("details", "", make("summary", "", "more"), this.body, this.links);
    this.bar = make("div", "");
    this.done = button("Done", "plain", () => this.act("complete", "done"));
    this.pin = button("Pin", "plain", () => this.act(this.is_pinned ? "unpin" : "pin", this.is_pinned ? "unpinned" : "pinned"));
    this.element = make("li", "item", make("div", "itemhead", this.id, this.kind, this.title, this.status), this.bar, this.why,
      make("div", "acts", this.done, this.pin));
  }

  async act(verb, what) {
    try {
      await post(path`threads/${threadOf()}/items/${this.x.id}/` + verb);
      announce(this.x.id + " is " + what);
      problem(null);
    } catch (err) { problem(err); }
    load();
  }

  update({x, is_pinned}) {
    this.x = x;
    this.is_pinned = is_pinned;
    this.element.className = "item " + x.status;
    setText(this.id, x.id);
    setText(this.kind, is_pinned ? "pinned " + x.kind : x.kind);
    setText(this.title, x.title);
    setText(this.status, words(x.status));
    this.status.className = "pill " + (x.status === "done" ? "good" : x.status);
    setText(this.body, [x.body, x.tags?.length ? "tags: " + x.tags.join(", ") : "", x.phase ? "phase: " + x.phase : "",
      ...writersOf(x)].filter(s => s).join("\n"));
    this.links.replaceChildren(factsOf([["goal", x.goal_id ? link("goal", x.goal_id) : ""],
      ["observation", x.observation_id ? link("observation", x.observation_id) : ""]]));
    this.body.setAttribute("role", "region");
    this.body.setAttribute("aria-label", "More about " + x.id);
    this.body.hidden = !this.body.textContent;
    this.why.hidden = this.body.hidden && !x.goal_id && !x.observation_id;
    const bar = x.progress === undefined ? make("div", "") : track(x.progress);
    this.bar.replaceWith(bar);
    this.bar = bar;
    const is_open = x.status !== "done" && x.status !== "archived";
    this.done.hidden = !is_open;
    setText(this.pin, is_pinned ? "Unpin" : "Pin");
    this.done.setAttribute("aria-label", "Mark " + x.id + " done");
    this.pin.setAttribute("aria-label", (is_pinned ? "Unpin " : "Pin ") + x.id);
  }
}

const kept = new Kept(() => new Item());
const bookOf = id => books.find(x => x.thread_id === id);
const latest = () => books.find(x => x.items > 0)?.thread_id || usual;
const threadOf = () => chosen || latest();

// A thread that the server does not list may still have items, such as imported ones.
const labelOf = id => {
  const book = bookOf(id), name = beginning(id, 60);
  if (!book) return name;
  if (!book.items) return name + " (empty)";
  return name + " (" + plural(book.items, "item") + (book.open < book.items ? ", " + book.open + " open" : "") + ")";
};

// Threads with items come first, the latest change first.
const tellThreads = () => {
  const select = byId("thread"), full = books.filter(x => x.items > 0).map(x => x.thread_id);
  const all = [...new Set([...full, usual, ...threads, threadOf()])];
  const as = JSON.stringify(all.map(x => [x, labelOf(x)]));
  if (select.dataset.as !== as) {
    select.dataset.as = as;
    select.replaceChildren(...all.map(x => { const o = make("option", "", labelOf(x)); o.value = x; return o; }));
  }
  select.value = threadOf();
  setText(byId("threads-count"), full.length ? plural(full.length, "thread has items", "threads have items") : "");
};

// Remembers a thread. Returns whether it is new.
const noteThread = thread => {
  const is_new = typeof thread === "string" && thread && threads.size < max_threads && !threads.has(thread);
  if (is_new) threads.add(thread);
  return is_new;
};

const findThreads = async () => {
  const agent = session.agent;
  try {
    const found = (await get(path`turns?limit=${max_threads}`)).turns;
    if (agent === session.agent) for (const turn of found) noteThread(turn.thread_id);
  } catch (err) { if (!isGone(err) && err.status) problem(err); }
};

const countItems = async () => {
  if (!has_agent || document.hidden) return;
  const agent = session.agent;
  let found = books;
  try { found = (await get(path`threads`)).threads; } catch (err) { if (!isGone(err) && err.status) problem(err); }
  if (agent !== session.agent) return;
  books = found;
  const before = byId("thread").value;
  tellThreads();
  if (before !== threadOf()) { kept.all = new Map(); load(); }
};
const countSoon = atMostEvery(3000, countItems);

const load = async () => {
  if (!has_agent || document.hidden) return;
  const mine = ++generation;
  try {
    const thread = threadOf(), book = await get(path`threads/${thread}/items`);
    if (mine !== generation) return;
    if (book.items.filter(x => x.status !== "archived").length !== (bookOf(thread)?.items || 0)) countSoon();
    const pins = new Set(book.pins);
    const open = book.items.filter(x => x.status !== "archived").map(x => ({x, is_pinned: pins.has(x.id)}));
    const rank = i => (i.is_pinned ? 0 : 2) + (i.x.status === "done" ? 4 : 0);
    open.sort((a, b) => rank(a) - rank(b) || (b.x.updated_at > a.x.updated_at) - (b.x.updated_at < a.x.updated_at));
    shown = open.slice(0, max_items);
    arrange(byId("scratchbook-list"), kept.of(shown, i => i.x.id));
    byId("scratchbook-empty").hidden = open.length > 0;
    problem(null);
  } catch (err) { if (!isGone(err) && err.status) problem(err); }
};

const loadSoon = atMostEvery(1000, load);

const rowOf = ({x, is_pinned}) => ({id: x.id, kind: x.kind, status: x.status, pinned: is_pinned, title: x.title, body: x.body || "",
  tags: (x.tags || []).join(", "), progress: x.progress, goal_id: x.goal_id || "", written_by: x.written_by || ""});

const choose = thread => {
  chosen = thread;
  noteThread(thread);
  kept.all = new Map();
  tellThreads();
  return load();
};

export const begin = () => {
  byId("threads-count").after(saver(() => session.agent + "_" + threadOf(), "scratchbook", () => ({rows: shown.map(rowOf)})));
  byId("thread").addEventListener("change", e => choose(e.target.value));
  on("thread", thread => { choose(thread); byId("scratchbook").scrollIntoView({block: "start"}); byId("scratchbook").focus(); });
  on("agent", async () => {
    has_agent = true;
    generation += 1;
    shown = [];
    byId("scratchbook-list").replaceChildren();
    chosen = "";
    books = [];
    threads.clear();
    kept.all = new Map();
    await Promise.all([findThreads(), countItems()]);
    tellThreads();
    return load();
  });
  on("event", ({observation: x}) => { if (noteThread(x?.context?.thread_id)) countSoon(); });
  on("turn", loadSoon);
  setInterval(loadSoon, between_polls_ms);
  setInterval(countSoon, between_counts_ms);
};
