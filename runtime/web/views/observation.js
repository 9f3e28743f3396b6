// One observation: its row in a list, and all that is known of it. Lists of the page, of the past and of
// the archive have the same rows; only a row of the page has buttons that change it.
import {get, now, patch, path, remove} from "../api.js";
import {timeOf} from "../clock.js";
import {announce, beginning, button, hasMembers, said, sentenceOf, setText} from "../dom.js";
import {make, percent, pill, saidBy, words} from "../drawing.js";
import {Lifetime} from "../lifetimes.js";
import {factsOf, link, linkedJson, linkList} from "../links.js";
import {tell} from "../state.js";

export const max_text = 280; // characters of a row; an open one has the whole text
const max_tags = 6;
const max_tag = 40; // characters of a tag in a row
const max_shown_tags = 100;

export const isLive = x => x.status === "active" || x.status === "pending_review";
export const sourceOf = x => x.tool ?? x.daemon ?? x.user ?? "";
const kindOf = x => x.tool !== undefined ? "tool" : x.daemon !== undefined ? "daemon" : "user";
const kindOfType = type => /alert/.test(type) ? "bad" : type === "pending_confirmation" ? "warn" : "";

// What a file of saved observations has of each.
export const rowOf = x => ({observation_id: x.observation_id, type: x.type, content: x.content, confidence: x.confidence,
  status: x.status, source: saidBy(x.source), tags: x.tags.join(", "), goals: x.linked_goal_ids.join(", "), turn_id: x.source.turn_id || "",
  owner: x.owner, created_at: x.created_at, updated_at: x.updated_at, expires_at: x.expires_at, revision: x.revision});

export const typePill = type => {
  const e = pill(beginning(words(type), 60), "type " + kindOfType(type));
  e.title = type;
  return e;
};

// Everything about an observation, as elements.
export const detailsOf = x => {
  const text = said("pre", "whole", x.content);
  text.tabIndex = 0;
  text.setAttribute("role", "region");
  text.setAttribute("aria-label", "The whole text");
  const goals = x.linked_goal_ids;
  const facts = factsOf([
    ["id", link("observation", x.observation_id)],
    ["type", words(x.type)],
    ["from", saidBy(x.source) + ", at " + timeOf(x.created_at)],
    ["turn", x.source.turn_id ? link("turn", x.source.turn_id) : ""],
    ["owner", x.owner],
    ["revision", x.revision > 1 ? String(x.revision) : ""],
    ["tags", x.tags.slice(0, max_shown_tags).join(", ")],
    ["goals", goals.length ? linkList("goal", goals) : ""],
    ["thread", x.context.thread_id && typeof x.context.thread_id === "string" ? link("thread", x.context.thread_id) : ""],
    ["status", x.status === "active" ? "" : words(x.status)],
    ["until", timeOf(x.expires_at)]]);
  return [text, facts, ...["context", "metadata"].filter(k => hasMembers(x[k])).map(k =>
    make("div", "", make("h3", "", k), linkedJson(x[k], k)))];
};

export class Row {
  constructor(may_change = true) {
    this.may_change = may_change;
    this.type = pill("", "type");
    this.text = said("span", "text", "");
    this.open = make("button", "rowopen", this.type, " ", this.text);
    this.open.type = "button";
    this.open.tabIndex = may_change ? -1 : 0;
    this.open.setAttribute("aria-expanded", "false");
    this.open.addEventListener("click", () => this.toggle());
    this.tags = make("span", "tags");
    this.source = said("span", "source", "");
    this.confidence = make("span", "confidence", "");
    this.goal = make("span", "");
    this.life = new Lifetime();
    this.status = make("span", "");
    const about = make("div", "about", this.source, this.confidence, this.status, this.goal, this.tags,
      may_change ? this.life.element : "");
    this.element = make("li", "row", this.open, about);
    this.element.row = this;
  }

  tell(x) {
    if (this.x === x) return;
    const is_other = this.x?.observation_id !== x.observation_id;
    this.x = x;
    this.element.dataset.id = x.observation_id;
    setText(this.type, beginning(words(x.type), 60));
    this.type.title = x.type;
    this.type.className = "pill type " + kindOfType(x.type);
    setText(this.text, beginning(x.content, max_text));
    setText(this.source, beginning(sourceOf(x.source), 80));
    this.source.className = "source " + kindOf(x.source);
    setText(this.confidence, percent(x.confidence));
    setText(this.status, x.status === "active" ? "" : words(x.status));
    this.status.className = x.status === "active" ? "" : "pill " + (x.status === "resolved" ? "good" : "warn");
    setText(this.goal, x.linked_to_goal ? "goal" : "");
    this.goal.className = x.linked_to_goal ? "pill aim" : "";
    this.tellTags(x);
    if (this.may_change) this.life.tell({from: Date.parse(x.updated_at), to: Date.parse(x.expires_at)});
    if (is_other) this.close();
    else if (this.inside) this.fill(x);
  }

  tellTags(x) {
    this.tags.replaceChildren(...x.tags.slice(0, max_tags).map(tag => {
      const short = beginning(tag, max_tag);
      if (!this.may_change) return said("span", "tag", short);
      const b = button(short, "tag", () => tell("tag", tag));
      b.dir = "auto";
      b.tabIndex = -1;
      b.setAttribute("aria-label", "filter by the tag " + short);
      return b;
    }), x.tags.length > max_tags ? make("span", "", "+" + (x.tags.length - max_tags)) : "");
  }

  close() {
    this.inside?.remove();
    this.inside = null;
    this.open.setAttribute("aria-expanded", "false");
  }

  async toggle() {
    if (this.inside) return this.close();
    this.inside = make("div", "inside");
    this.element.append(this.inside);
    this.open.setAttribute("aria-expanded", "true");
    this.fill(this.x);
    this.element.scrollIntoView({block: "nearest"});
    if (!this.x.is_cut) return;
    try {
      const whole = await get(path`observations/${this.x.observation_id}`);
      if (this.inside && whole.observation_id === this.x.observation_id) this.fill(whole);
    } catch (err) { this.say(err); }
  }

  say(err) { this.inside?.append(make("p", "problem", sentenceOf(err))); }

  fill(x) { this.inside.replaceChildren(...detailsOf(x), this.may_change ? this.acts(x) : ""); }

  acts(x) {
    const acts = make("div", "acts"), at = path`observations/${x.observation_id}`;
    if (!isLive(x)) return acts;
    const change = async (what, done) => {
      try { await what(); announce(done); } catch (err) { this.say(err); }
    };
    const minutes_left = () => Math.max(0, (Date.parse(x.expires_at) - now()) / 60000);
    acts.append(
      button("Resolve", "plain", () => change(() => patch(at, {changes: {status: "resolved"}}), "resolved")),
      button("Extend by an hour", "plain", () => change(() => patch(at, {changes: {ttl_minutes: 60 + minutes_left()}}), "extended by an hour")),
      button("Archive", "plain", () => change(() => remove(at), "archived")));
    return acts;
  }
}
