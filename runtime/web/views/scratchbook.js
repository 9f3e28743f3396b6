// Shows the notes, todos and tasks of a thread.
import {get, isGone, path, post} from "../api.js";
import {announce, arrange, beginning, button, byId, Kept, said, setText, tellProblem} from "../dom.js";
import {make, pill, track, words} from "../drawing.js";
import {atMostEvery} from "../frames.js";
import {on} from "../state.js";

const max_items = 60;
const between_polls_ms = 3000;

const max_threads = 200;

let has_agent = false, generation = 0;
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
    this.why = make("details", "", make("summary", "", "more"), this.body);
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
      x.goal_id ? "goal: " + x.goal_id : "", ...writersOf(x)].filter(s => s).join("\n"));
    this.body.setAttribute("role", "region");
    this.body.setAttribute("aria-label", "More about " + x.id);
    this.why.hidden = !this.body.textContent;
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
const threadOf = () => byId("thread").value || "main";

const tellThreads = () => {
  const select = byId("thread"), chosen = select.value;
  const all = [...new Set(["main", ...threads])];
  if (all.length === select.options.length && all.every((x, i) => select.options[i].value === x)) return;
  select.replaceChildren(...all.map(x => { const o = make("option", "", beginning(x, 80)); o.value = x; return o; }));
  select.value = all.includes(chosen) ? chosen : "main";
};

// Remembers a thread. Returns whether it is new.
const noteThread = thread => {
  const is_new = typeof thread === "string" && thread && threads.size < max_threads && !threads.has(thread);
  if (is_new) threads.add(thread);
  return is_new;
};

const findThreads = async () => {
  for (const turn of (await get(path`turns?limit=${max_threads}`)).turns) noteThread(turn.thread_id);
};

const load = async () => {
  if (!has_agent || document.hidden) return;
  const mine = ++generation;
  try {
    tellThreads();
    const book = await get(path`threads/${threadOf()}/items`);
    if (mine !== generation) return;
    const pins = new Set(book.pins);
    const open = book.items.filter(x => x.status !== "archived").map(x => ({x, is_pinned: pins.has(x.id)}));
    const rank = i => (i.is_pinned ? 0 : 2) + (i.x.status === "done" ? 4 : 0);
    open.sort((a, b) => rank(a) - rank(b) || (b.x.updated_at > a.x.updated_at) - (b.x.updated_at < a.x.updated_at));
    arrange(byId("scratchbook-list"), kept.of(open.slice(0, max_items), i => i.x.id));
    byId("scratchbook-empty").hidden = open.length > 0;
    problem(null);
  } catch (err) { if (!isGone(err) && err.status) problem(err); }
};

const loadSoon = atMostEvery(1000, load);

export const begin = () => {
  byId("thread").addEventListener("change", () => { kept.all = new Map(); load(); });
  on("agent", () => {
    has_agent = true;
    threads.clear();
    kept.all = new Map();
    return findThreads().catch(err => { if (!isGone(err) && err.status) problem(err); }).then(load);
  });
  on("event", ({observation: x}) => { if (noteThread(x?.context?.thread_id)) loadSoon(); });
  on("turn", loadSoon);
  setInterval(loadSoon, between_polls_ms);
};
