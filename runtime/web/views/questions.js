// Shows what waits for a person: questions from the agent, and actions of goals that a person has to
// do or approve. An answer begins a turn in the question's thread; its outcome is shown on the card.
import {get, isGone, path, post, session, withQuery} from "../api.js";
import {timeOf} from "../clock.js";
import {announce, arrange, beginning, button, byId, Kept, said, sentenceOf, setText} from "../dom.js";
import {asked, asksFor, make, pill, plural, saidBy, words} from "../drawing.js";
import {atMostEvery} from "../frames.js";
import {Lifetime} from "../lifetimes.js";
import {link} from "../links.js";
import {on, tell} from "../state.js";
import {consentOf, consentTitle, describeConsent} from "./consent.js";

const max_cards = 24;
const kept_ms = 60000; // how long an answered card stays visible

let questions = new Map(), goals = [];
const answered = new Map(); // cards that stay: their items, by key, with `until`

const isQuestion = x => x.type === "pending_confirmation" && (x.status === "active" || x.status === "pending_review");

// The kind of a question of an agent's response. The server tells of nobody else that they ask so.
const kindOf = x => x.source.daemon === "clarifier" && Object.hasOwn(asksFor, x.metadata.kind) ? x.metadata.kind : "";

// The user whom it asks, if it says so: only they and the owner of the agent can answer it.
const askedOf = x => consentOf(x)?.user || (kindOf(x) && x.context.user_id) || "";

// The context of an answer in words: it answers this question only, and consents to no other call. Only
// a person may name questions; the words of others consent to nothing.
const answerTo = id => session.isPerson ? {confirms: [], answers: id} : {};

const needsPerson = (goal, action) => (action.status === "pending" || action.status === "in_progress")
  && (action.assigned_to === "user" || action.requires_confirmation)
  && goal.status !== "completed" && goal.status !== "abandoned";

class Card {
  constructor() {
    this.kind = pill("", "warn");
    this.about = make("span", "muted");
    this.text = said("p", "asks", "");
    this.acts = make("div", "acts");
    this.outcome = make("p", "outcome");
    this.outcome.hidden = true;
    this.element = make("li", "card", make("div", "cardhead", this.kind, this.about), this.text, this.acts, this.outcome);
    this.about.dir = "auto";
  }

  tellOutcome(text, cls = "") {
    this.outcome.hidden = false;
    this.outcome.className = "outcome " + cls;
    this.outcome.dir = "auto";
    setText(this.outcome, text);
  }

  // Buttons and fields are disabled during an action.
  busy(is) { for (const e of this.acts.querySelectorAll("button, input")) e.disabled = is; }

  async act(begun, work) {
    this.busy(true);
    this.tellOutcome(begun);
    // The event about the outcome may come before the answer.
    this.done = true;
    answered.set(this.item.key, {...this.item, until: Infinity});
    try {
      await work();
      answered.set(this.item.key, {...this.item, until: performance.now() + kept_ms});
    } catch (err) {
      this.done = false;
      answered.delete(this.item.key);
      this.busy(false);
      this.tellOutcome(sentenceOf(err), "bad");
    }
    refresh();
  }
}

class Question extends Card {
  constructor(item) {
    super();
    this.life = new Lifetime();
    this.element.firstChild.append(this.life.element);
    this.item = item;
    const consent = consentOf(item.x), kind = kindOf(item.x);
    setText(this.kind, consent ? "asks for consent" : item.x.source.tool ? "a tool asks" : asksFor[kind] || "asks");
    if (consent) this.forConsent(consent);
    else this.forWords(kind);
    this.refuseOthers(askedOf(item.x), consent);
  }

  // Whoever cannot answer is told why. A question in words that was put to nobody takes the words of a
  // viewer, too.
  refuseOthers(user, consent) {
    const {who} = session;
    if (session.isPerson ? who.owner || !user || who.name === user : !consent && !user) return;
    this.busy(true);
    this.tellOutcome(session.isPerson
      ? "Only " + beginning(user, 80) + ", who was asked, or the owner of the agent can answer this."
      : "Only a person can answer this. To sign in as one, open the address that “scratchpage page” prints.");
  }

  // What would be done stands between the title and the buttons, in the server's words.
  forConsent(consent) {
    this.element.classList.add("consent");
    this.text.replaceWith(consentTitle(consent), describeConsent(this.item.x, consent));
    this.acts.append(
      button("Yes, once", "main", () => this.answer("Yes", {confirms: this.item.x.observation_id})),
      button("No", "plain", () => this.answer("No", {declines: this.item.x.observation_id})));
  }

  // What can be affirmed or declined has buttons for it; words can say what is to be different.
  forWords(kind) {
    const is_yes_or_no = kind === "confirm" || kind === "choice";
    if (is_yes_or_no) this.acts.append(
      button(kind === "choice" ? "Yes, that one" : "Yes", "main", () => this.answerInWords("Yes")),
      button("No", "plain", () => this.answerInWords("No")));
    const input = make("input", "");
    input.autocomplete = "off";
    input.maxLength = 8000;
    input.required = true;
    const form = make("form", "answer", make("label", "grow", make("span", "", is_yes_or_no ? "Or in your words" : "Your answer"), input));
    const send = make("button", is_yes_or_no ? "plain" : "main", "Answer");
    send.type = "submit";
    form.append(send);
    if (!is_yes_or_no) form.append(button("Never mind", "plain", () => this.answerInWords("Never mind")));
    form.addEventListener("submit", e => {
      e.preventDefault();
      if (input.value.trim()) this.answerInWords(input.value.trim());
    });
    this.acts.append(form);
  }

  answerInWords(input) { return this.answer(input, answerTo(this.item.x.observation_id)); }

  answer(input, context) {
    const x = this.item.x, thread = x.context.thread_id;
    const body = {input, context};
    if (thread) body.thread_id = thread;
    return this.act("You said “" + beginning(input, 80) + "”. The agent works on it …", async () => {
      const result = await post(path`turns`, body);
      const what = words(result.status) + (result.response ? ": " + beginning(result.response, 400) : "");
      this.tellOutcome("The turn went on: " + what, result.status === "complete" ? "good" : "");
      announce("The turn went on: " + beginning(what, 200));
      tell("turn", result.turn_id);
    });
  }

  update(item) {
    this.item = item;
    setText(this.text, beginning(asked(item.x.content), 1200));
    this.element.classList.toggle("of-tool", Boolean(item.x.source.tool));
    const {x} = item, who = consentOf(x) ? "the agent itself" : kindOf(x) ? "the agent, in its answer" : beginning(saidBy(x.source), 120);
    setText(this.about, [who, typeof x.context.thread_id === "string" ? "thread " + beginning(x.context.thread_id, 40) : "",
      consentOf(x) ? "" : "since " + timeOf(x.created_at)].filter(s => s).join(", "));
    this.life.tell({from: Date.parse(item.x.created_at), to: Date.parse(item.x.expires_at)});
    this.life.element.hidden = !isQuestion(item.x) || this.done;
  }
}

class Action extends Card {
  constructor(item) {
    super();
    setText(this.kind, item.action.assigned_to === "user" ? "for you to do" : "needs your approval");
    this.kind.className = "pill " + (item.action.priority === "high" ? "bad" : "warn");
    const at = () => path`goals/${this.item.goal.goal_id}/actions/${this.item.action.action_id}/` ;
    const decide = (verb, begun, done) => this.act(begun, async () => {
      const goal = await post(at() + verb);
      const now = goal.pending_actions.find(a => a.action_id === this.item.action.action_id);
      this.tellOutcome(done + ". The goal is " + words(goal.status) + ", at " + Math.round(goal.progress * 100) + " %"
        + (now ? "; the action is " + words(now.status) : "") + ".", "good");
      announce(done);
      tell("goal", goal);
    });
    this.acts.append(
      button(item.action.action_type === "confirm_goal" || item.action.requires_confirmation ? "Approve" : "Done", "main", () => decide("complete", "Telling the agent …", "Approved")),
      button("Refuse", "plain", () => decide("refuse", "Telling the agent …", "Refused")));
  }

  update(item) {
    this.item = item;
    setText(this.text, beginning(item.action.description || words(item.action.action_type), 1200));
    const title = "goal: " + beginning(item.goal.title || words(item.goal.goal_type), 120);
    if (this.about.textContent !== title) this.about.replaceChildren(link("goal", item.goal.goal_id, title));
  }
}

const cards = new Kept(item => item.x ? new Question(item) : new Action(item));

const items = () => {
  const now = performance.now(), result = new Map();
  for (const x of questions.values()) result.set(x.observation_id, {key: x.observation_id, x});
  for (const goal of goals)
    for (const action of goal.pending_actions)
      if (needsPerson(goal, action)) {
        const key = goal.goal_id + " " + action.action_id;
        result.set(key, {key, goal, action});
      }
  const waiting = [...result.keys()].filter(key => !answered.has(key)).length;
  for (const [key, item] of answered) {
    if (item.until < now && !result.has(key)) answered.delete(key);
    else if (!result.has(key)) result.set(key, item);
  }
  return {waiting, all: [...result.values()]};
};

const render = () => {
  const {waiting, all} = items();
  const list = byId("questions-list");
  const focused = list.contains(document.activeElement);
  arrange(list, cards.of(all.slice(0, max_cards), item => item.key));
  if (focused && !list.contains(document.activeElement)) byId("questions").focus();
  byId("questions-empty").hidden = all.length > 0;
  setText(byId("questions-count"), waiting ? plural(waiting, "item waits", "items wait") + (all.length > max_cards ? ", " + max_cards + " shown" : "") : "");
  byId("waiting").hidden = waiting === 0;
  setText(byId("waiting"), String(waiting));
  tell("waiting", waiting);
};

const refresh = atMostEvery(150, render);

const load = async () => {
  try {
    const found = await get(withQuery(path`observations`, {type: "pending_confirmation", limit: 100}));
    questions = new Map(found.observations.map(x => [x.observation_id, x]));
  } catch (err) { if (!isGone(err)) return; }
  refresh();
};

export const begin = () => {
  on("agent", () => { questions = new Map(); goals = []; answered.clear(); render(); return load(); });
  on("lagged", atMostEvery(1000, load));
  on("goals", list => { goals = list; refresh(); });
  on("goal", goal => { goals = goals.map(g => g.goal_id === goal.goal_id ? goal : g); refresh(); });
  on("event", ({kind, observation: x}) => {
    if (!x || x.type !== "pending_confirmation") return;
    const ends = ["archived", "expired", "evicted"].includes(kind);
    if (!ends && isQuestion(x)) questions.set(x.observation_id, x);
    else questions.delete(x.observation_id);
    refresh();
  });
  setInterval(() => { if (answered.size) refresh(); }, 5000);
};
