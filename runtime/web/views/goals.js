// Shows goals with their progress, actions and evidence.
import {get, isGone, path, session, withQuery} from "../api.js";
import {arrange, beginning, byId, Kept, said, setText, tellProblem} from "../dom.js";
import {goalStatus, make, percent, pill, plural, track, words} from "../drawing.js";
import {atMostEvery} from "../frames.js";
import {link, linkList} from "../links.js";
import {saver} from "../saving.js";
import {on, tell} from "../state.js";

const max_goals = 30;
const max_evidence = 20;
const open_ones = ["pending", "in_progress", "blocked"];
const between_polls_ms = 10000; // some changes of goals are no events of the page

let goals = [], with_over = false, has_agent = false;

// A goal that comes from what a user wants.
const isWish = x => x.goal_type === "wish";

class Goal {
  constructor() {
    this.title = said("span", "", "");
    this.status = pill("", "");
    this.wish = said("p", "muted note", "");
    this.bar = make("div", "");
    this.about = make("p", "muted note");
    this.id = make("p", "muted note");
    this.actions = make("ul", "actions");
    this.evidence = make("ul", "evidence");
    this.why = make("details", "", make("summary", "", ""), this.evidence);
    this.element = make("li", "goal", make("div", "title", this.title, this.status), this.wish, this.bar, this.about, this.id, this.actions, this.why);
  }

  update(x) {
    if (this.x && this.x.revision === x.revision && this.x.updated_at === x.updated_at) return;
    this.x = x;
    this.element.className = "goal " + x.status;
    this.element.dataset.id = x.goal_id;
    setText(this.title, beginning(x.title || words(x.goal_type), 300));
    setText(this.status, goalStatus(x.goal_type, x.status));
    setText(this.wish, isWish(x) ? "what " + beginning(x.context?.user_id || "a user", 80) + " wants" : "");
    this.wish.hidden = !isWish(x);
    this.status.className = "pill " + x.status;
    const bar = track(x.progress);
    this.bar.replaceWith(bar);
    this.bar = bar;
    setText(this.about, percent(x.progress) + ", " + x.priority + " priority, " + plural(x.observation_ids.length, "observation"));
    this.id.replaceChildren(link("goal", x.goal_id), x.observation_ids.length ? " from " : "", linkList("observation", x.observation_ids.slice(0, 1)));
    this.actions.replaceChildren(...x.pending_actions.slice(0, max_evidence).map(a => make("li", a.status,
      make("small", "", (a.assigned_to === "user" ? "for you" : "next") + ", " + words(a.status) + ": "), said("span", "", beginning(a.description, 400)))));
    this.actions.hidden = !x.pending_actions.length;
    this.why.hidden = !x.evidence.length;
    setText(this.why.firstChild, plural(x.evidence.length, "piece of evidence", "pieces of evidence"));
    this.evidence.replaceChildren(...x.evidence.slice(0, max_evidence).map(e =>
      make("li", "", said("span", "", beginning(e.content, 400)), " ", make("small", "", percent(e.confidence)),
        e.source ? make("small", "by", e.source) : "", " ", e.observation_id ? link("observation", e.observation_id) : "")));
    if (x.evidence.length > max_evidence) this.evidence.append(make("li", "muted", (x.evidence.length - max_evidence) + " more"));
  }
}

const kept = new Kept(() => new Goal());

const render = () => {
  arrange(byId("goals-list"), kept.of(goals.slice(0, max_goals), g => g.goal_id));
  const open = goals.filter(g => open_ones.includes(g.status)).length;
  setText(byId("goals-count"), open + " open" + (goals.length > max_goals ? ", " + max_goals + " shown" : ""));
  byId("goals-empty").hidden = goals.length > 0;
  tell("open goals", open);
};

// Open goals first, then by priority, then the latest change first.
const rank = {high: 0, medium: 1, low: 2};
const byRank = (a, b) => open_ones.includes(b.status) - open_ones.includes(a.status) || rank[a.priority] - rank[b.priority]
  || (a.updated_at < b.updated_at ? 1 : -1);

// Loads all goals, in as many answers as needed; bounded, in case a server never ends its list.
const max_answers = 20;
const every = async status => {
  const found = [];
  let cursor = "";
  for (let i = 0; i < max_answers && (i === 0 || cursor); i++) {
    const part = await get(withQuery(path`goals`, {status, cursor}));
    found.push(...part.goals);
    cursor = part.next_cursor || "";
  }
  return found;
};

const load = async () => {
  if (!has_agent) return;
  try {
    const found = await every(with_over ? [] : open_ones);
    const before = new Map(goals.map(g => [g.goal_id, g]));
    // Goals that have just ended stay visible, so that people see it.
    const ended = with_over ? [] : await Promise.all([...before.values()].filter(g => !found.some(x => x.goal_id === g.goal_id))
      .slice(0, 5).map(g => open_ones.includes(g.status) ? get(path`goals/${g.goal_id}`) : g));
    goals = [...found, ...ended].sort(byRank);
    tellProblem("goals-problem", null);
    render();
    tell("goals", goals);
  } catch (err) {
    if (!isGone(err) && err.status) tellProblem("goals-problem", err);
  }
};

const loadSoon = atMostEvery(700, load);

const rowOf = g => ({goal_id: g.goal_id, title: g.title, type: g.goal_type, status: g.status, priority: g.priority, progress: g.progress,
  observations: g.observation_ids.join(", "), next: g.pending_actions.map(a => a.description).join("; "), created_at: g.created_at, updated_at: g.updated_at});

export const begin = () => {
  byId("goals-count").after(saver(() => session.agent, "goals", () => ({rows: goals.slice(0, max_goals).map(rowOf)})));
  on("agent", () => { has_agent = true; goals = []; render(); return load(); });
  on("event", event => { if (event.kind === "linked" || event.turn_id || event.observation?.linked_to_goal) loadSoon(); });
  on("lagged", loadSoon);
  on("turn", loadSoon);
  on("goal", x => { goals = goals.map(g => g.goal_id === x.goal_id ? x : g); render(); loadSoon(); });
  byId("goals-over").addEventListener("click", e => {
    with_over = !with_over;
    setText(e.target, with_over ? "Show open goals only" : "Show finished goals");
    e.target.setAttribute("aria-pressed", String(with_over));
    goals = [];
    load();
  });
  setInterval(() => { if (!document.hidden) loadSoon(); }, between_polls_ms);
};
