// The script of the page of `simulate --report`. It follows drawing.js and markdown.js in one script
// element, and reads its data from the elements `index`, `c0`, `c1`, …

const data = id => JSON.parse(byId(id).textContent);

// Text of the conversation. The direction of its writing does not affect its surroundings.
const said = (name, cls, text) => {
  const e = make(name, cls, text);
  e.dir = "auto";
  return e;
};

const list = x => x || [];

// An axis on which the whole time has room in this width. As on the timeline, a pause takes the less of it
// the longer it is.
const fittedAxis = (d, width) => {
  const last = width - 26, need = new Set([0, d.end]);
  for (const t of d.turns) { need.add(t.from); need.add(t.to); }
  for (const o of d.observations) { need.add(o.from); need.add(Math.min(o.to, d.end)); }
  const times = [...need].sort((a, b) => a - b);
  const sums = [0];
  for (let i = 1; i < times.length; ++i) sums.push(sums[i - 1] + Math.log2(2 + times[i] - times[i - 1]));
  const scale = (last - 10) / Math.max(1e-9, sums[sums.length - 1]);
  const at = new Map(times.map((t, i) => [t, 10 + sums[i] * scale]));
  return {width, end: last + 6, of: t => at.get(t) ?? last};
};

const lifetimes = (d, width) => {
  const axis = fittedAxis(d, width), head = 18, row = 20, height = head + row * d.observations.length + 6;
  const names = make("div", "names rows", make("div", "head", "turn"));
  const svg = draw("svg", {width, height, tabindex: 0, role: "group",
    "aria-label": "Observations and how long they live; arrow keys go from one to the next"});
  for (const t of d.turns) {
    const x = axis.of(t.from) - 3;
    svg.append(draw("rect", {class: "band " + t.urgency, x, y: 0, width: Math.max(6, axis.of(t.to) + 3 - x), height, rx: 3}));
  }
  let free = 0; // the numbers that have room
  d.turns.forEach((t, i) => {
    const x = axis.of(t.from) - 3, label = String(i + 1);
    if (x < free || x + 7 * label.length > width) return;
    svg.append(draw("text", {class: "strong", x, y: 13}, label));
    free = x + 7 * label.length + 6;
  });
  const items = [];
  d.observations.forEach((o, i) => {
    const name = make("div", "", words(o.type));
    name.title = o.id;
    names.append(name);
    const x = axis.of(o.from), y = head + i * row, stays = o.to > d.end, to = stays ? axis.end : axis.of(o.to);
    const kind = /alert|pending_confirmation/.test(o.type) ? " alerting" : " " + o.status;
    const node = draw("rect", {class: "life" + kind, x, y: y + 5, width: Math.max(5, to - x), height: 10, rx: 3});
    svg.append(node);
    if (stays) svg.append(draw("path", {class: "mark dim", d: `M${to + 2} ${y + 6}l6 4l-6 4z`}));
    items.push({node, x, y: i, title: words(o.type) + ", " + percent(o.confidence) + ", " + words(o.status), lines: [o.content,
      "by " + o.by + ", from " + span(o.from) + ", " + (stays ? "until " + span(o.to - d.end) + " after the end" : "lived " + span(o.to - o.from)),
      (o.tags ? "tags: " + o.tags.join(", ") : ""), o.goals ? "for goal " + o.goals.join(", ") : "", o.id]});
  });
  explore(svg, items);
  return make("div", "scroll tall", make("div", "plot", names, svg));
};

// The last view of the scratchbook before each turn, by agent and thread. Lines that are not in it are
// new.
const seenBefore = d => {
  const last = new Map();
  return d.turns.map(t => {
    const key = JSON.stringify([t.agent, t.thread]), before = last.has(key) ? last.get(key) : null;
    const views = (t.model || []).filter(m => m.view >= 0);
    if (views.length) last.set(key, views[views.length - 1].view);
    return before;
  });
};

const idOf = line => (/^s\d+(?= )/.exec(line) || [""])[0];

const bookLine = (text, change) => {
  const id = idOf(text);
  return make("li", change ? "new" : "", id ? make("b", "", id) : null, text.slice(id.length), change ? make("small", "", " " + change) : null);
};

const compaction = m => pill((m.compactions > 1 ? m.compactions + " compactions: " : "compaction: ") + plural(m.offloaded, "token")
  + " became " + m.kept, "warn");

const turnBook = (d, t, before) => {
  if (!t.model) return null;
  const prompts = t.model.filter(m => m.view !== undefined), box = make("div");
  let number = 0, shown = before, changes = 0, same = null;
  for (const m of t.model) {
    if (m.view === undefined) { box.append(make("p", "cut", compaction(m))); same = null; continue; }
    const name = m.tokens === undefined ? "After the turn" : "Prompt " + (++number) + " of " + prompts.length + ", " + plural(m.tokens, "token");
    if (same && m.view === shown) { same.textContent += "; " + name.toLowerCase() + ": the same"; continue; }
    same = make("p", "", name);
    if (m.view < 0) { box.append(same, make("p", "", "The view is not shown here: the report has no room for it.")); shown = null; continue; }
    const old = shown === null ? [] : d.views[shown], ids = old.map(i => idOf(d.lines[i]));
    const list = d.views[m.view].map(i => {
      const id = idOf(d.lines[i]), change = !id || old.includes(i) ? "" : ids.includes(id) ? "changed" : "new";
      changes += change ? 1 : 0;
      return bookLine(d.lines[i], change);
    });
    box.append(same, make("ul", "", ...list));
    shown = m.view;
  }
  const first = prompts.find(m => m.view >= 0);
  const items = first ? d.views[first.view].filter(i => idOf(d.lines[i])).length : 0;
  const tick = make("span", "tick", "▸");
  tick.setAttribute("aria-hidden", "true");
  const cuts = t.model.filter(m => m.view === undefined);
  return make("details", "book", make("summary", "", tick,
    "scratchbook: " + (items ? plural(items, "item") : "empty") + (changes ? ", " + plural(changes, "change") : "") + (number ? ", " + plural(number, "prompt") : ""),
    ...cuts.map(compaction)), box);
};

const allBooks = list => {
  const books = list.querySelectorAll("details.book");
  if (!books.length) return null;
  const button = make("button", "", "open all scratchbooks");
  button.type = "button";
  button.addEventListener("click", () => {
    const open = [...books].some(b => !b.open);
    for (const b of books) b.open = open;
    button.textContent = (open ? "close" : "open") + " all scratchbooks";
  });
  return make("div", "books", button, make("span", "muted note", "The scratchbook in the prompts of each turn; marked lines are new or changed since the view before."));
};

// -- what was said ---------------------------------------------------------------------
// What a question asks for, and how it ended.
const kinds = {...asksFor, consent: "asks for consent"};
const ends = {open: "still waits", affirmed: "the answer was yes", declined: "the answer was no", answered: "answered",
  changed: "something else was wanted", resolved: "settled", archived: "given up", expired: "expired", evicted: "left the page"};
const endKinds = {open: "warn", affirmed: "good", answered: "good", resolved: "good", changed: "aim"};
const how = {affirmed: "understood as yes", declined: "understood as no", changed: "says what is to be different", answered: "has what was asked for"};
const goalWords = {opened: "new goal", changed: "goal changed", completed: "goal completed", blocked: "goal blocked", abandoned: "goal dropped"};
const goalKinds = {completed: "good", blocked: "warn", abandoned: ""};

const known = (table, x) => Object.hasOwn(table, x) ? table[x] : "";

const moreOf = (t, name, what) => t["more_" + name] ? make("p", "muted note", t["more_" + name] + " more " + what + " not shown.") : null;

// Something that was said, with the speaker before it.
const speech = (cls, who, text) => make("div", "speech " + cls, said("b", "who", who), ...formatted(text));

const question = q => make("div", "ask",
  pill(known(kinds, q.kind) || "asks", "warn"), " ",
  q.by && q.kind !== "consent" && !known(kinds, q.kind) ? said("span", "muted", q.by + ":") : null, " ",
  said("span", "what", unmarked(asked(q.text))), " ",
  q.state ? pill((known(ends, q.state) || words(q.state)) + (q.turn !== undefined ? " in turn " + (q.turn + 1) : ""), known(endKinds, q.state)) : null);

// What a daemon decided, with its name before it.
const decided = (daemon, ...what) => make("p", "muted note", make("b", "", daemon), " ", ...what);

const short = text => { const all = [...text]; return all.length > 90 ? all.slice(0, 90).join("").trimEnd() + " …" : text; };

const answer = a => decided("clarifier", "Answers turn " + (a.turn + 1) + ", “", said("span", "", short(unmarked(asked(a.text)))), "”: " + (known(how, a.as) || words(a.as)));

// The ids of observations tell people nothing.
const urgencyOf = t => t.routing ? decided("router", said("span", "", t.routing.replace(/\b([a-z_]+) obs_\w+/g, (_, type) => "a live " + words(type)))) : null;

// The question that the response asks is shown above, so it is not repeated.
const assessment = t => {
  const text = list(t.questions).length ? t.outcome.replace(/; the response asks: .*/, "") : t.outcome;
  return decided(t.by ? "evaluator" : "summary", said("span", "", unmarked(text)));
};

const call = c => {
  const state = c.status === "unanswered" ? "has no answer" : c.status === "ok" ? (c.ms ? span(c.ms) : "done") : words(c.status);
  return make("li", "", pill(c.tool + (c.attempts ? " ×" + c.attempts : "") + " " + state, c.status === "ok" ? (c.error ? "warn" : "") : c.status === "unanswered" ? "warn" : c.status),
    ...[c.reported ? "called by the agent itself" : "", c.error || "", c.recovered_by ? c.recovered_by + " answered instead" : ""]
      .filter(x => x).map((x, i) => said("small", "", (i ? "; " : " ") + x)));
};

const goalPill = g => pill(known(goalWords, g.what) || g.what, Object.hasOwn(goalKinds, g.what) ? goalKinds[g.what] : "aim");

// The changes of goals; those of one goal that follow each other share a line.
const goalChanges = all => {
  const lines = [];
  for (const g of all) {
    const last = lines[lines.length - 1];
    if (last && last.title === g.title) last.pills.push(" ", goalPill(g));
    else lines.push({title: g.title, pills: [goalPill(g)]});
  }
  return lines.map(x => make("p", "goalchange", ...x.pills, " ", said("span", "", unmarked(x.title))));
};

const turnTalk = (d, t, before) => make("div", "talking",
  speech("user", t.user || "user", t.input),
  urgencyOf(t), ...list(t.answers).map(answer), moreOf(t, "answers", "answered questions"),
  ...list(t.between).map(x => speech("agent between", t.by || "agent", x)), moreOf(t, "between", "texts in between"),
  t.calls ? make("ul", "calls", ...t.calls.map(call)) : null, moreOf(t, "calls", "calls"),
  ...list(t.recoveries).map(x => decided("error handler", said("span", "", x))), moreOf(t, "recoveries", "recovery plans"),
  ...list(t.warnings).map(x => said("p", "warning", x)), moreOf(t, "warnings", "warnings"),
  t.response ? speech("agent", t.by || "agent", t.response) : null,
  ...list(t.questions).map(question), moreOf(t, "questions", "questions"),
  ...list(t.waiting).map(x => make("p", "muted note", "Still waits from before: “", said("span", "", unmarked(x.text)), "”")), moreOf(t, "waiting", "questions from before"),
  ...goalChanges(list(t.goals)), moreOf(t, "goals", "changes of goals"),
  t.outcome ? assessment(t) : null,
  turnBook(d, t, before));

// The status is of the turn's end; a question may have been answered since.
const statusOf = t => t.status === "waiting" && list(t.questions).length && !list(t.questions).some(q => q.state === "open")
  ? pill("ended with a question") : pill(turnStatus(t.status), t.status);

const turnList = (d, before = seenBefore(d)) => make("ol", "turns", ...d.turns.map((t, i) => {
  const e = make("li", "turn", make("div", "n", String(i + 1)), turnTalk(d, t, before[i]),
    make("div", "state", t.urgency === "low" ? null : pill(t.urgency + " urgency", t.urgency), " ", statusOf(t)));
  e.setAttribute("aria-label", "Turn " + (i + 1));
  return e;
}));

// The questions that nobody has answered.
const openList = d => {
  const open = d.turns.flatMap((t, i) => list(t.questions).filter(q => q.state === "open").map(q => make("li", "",
    pill(known(kinds, q.kind) || "asks", "warn"), " ", said("span", "", unmarked(asked(q.text))), make("small", "", " since turn " + (i + 1)))));
  return open.length ? make("ul", "open", ...open) : null;
};

const goalList = d => make("div", "goals", ...d.goals.map(g => make("div", "goal " + g.status,
  make("div", "title", said("span", "", g.title ? unmarked(g.title) : words(g.type)), pill(goalStatus(g.type, g.status), g.status)), track(g.progress),
  g.type === "wish" ? make("div", "muted note", "what ", g.user === "user" ? "the user" : g.user ? said("span", "", g.user) : "a user", " wants") : null,
  make("div", "muted note", percent(g.progress) + ", " + g.priority + " priority, " + plural(g.observations, "observation")),
  make("ul", "", ...g.evidence.map(e => make("li", "", said("span", "", unmarked(e.content)), " ", make("small", "", percent(e.confidence)), e.source ? said("small", "by", " " + (e.source === "user user" ? "the user" : e.source)) : "")),
    ...g.actions.map(a => make("li", "", make("small", "", (a.who === "user" ? "for the user" : "next") + ", " + words(a.status) + ": "), said("span", "", a.text)))))));

const factList = d => make("ul", "facts", ...d.facts.map(f =>
  make("li", f.over ? "over" : "", make("small", "", f.over ? "no longer so" : percent(f.confidence)), said("span", "statement", unmarked(f.text)),
    make("small", "", plural(f.support, "experience")), f.source ? said("small", "by", f.source) : "")));

const hiddenNote = (n, what) => n > 0 ? make("p", "muted note", n + " more " + what + " not shown.") : null;

const fill = (box, n) => {
  const d = data("c" + n);
  const axis = makeAxis(d, Math.max(500, box.clientWidth - 182));
  const part = (title, ...kids) => { if (kids.some(k => k)) box.append(make("h2", "part", title), ...kids.filter(k => k)); };
  if (d.unmet.length) box.append(make("div", "unmet", ...d.unmet.map(u => make("p", "", u))));
  const turns = d.turns.length ? turnList(d) : null;
  part("What was said", turns && allBooks(turns), turns, hiddenNote(d.hidden.turns, "turns"), hiddenNote(d.hidden.views, "views of the scratchbook"));
  part("What still waits for a person", openList(d));
  part("Timeline", d.marks.length || d.turns.length ? timeline(d, axis) : null, hiddenNote(d.hidden.marks, "trace entries"), d.marks.length ? legend() : null);
  part("Goals", d.goals.length ? goalList(d) : null, hiddenNote(d.hidden.goals, "goals"));
  part("Observations and their lifetimes", d.observations.length ? lifetimes(d, Math.max(120, box.clientWidth - 182)) : null, hiddenNote(d.hidden.observations, "observations"));
  part("Facts", d.facts.length ? factList(d) : null, hiddenNote(d.hidden.facts, "facts"));
  box.append(make("p", "muted note", "From " + d.file + ", begins " + d.start + "."));
};

// -- the list ------------------------------------------------------------------------
const talks = byId("talks"), index = data("index");
const rows = index.map((r, n) => {
  const [id, turns, calls, errors, goals, unmet, urgency, hint, waiting] = r;
  const box = make("div", "inside");
  const figures = make("span", "figures", urgency === "low" ? null : pill(urgency + " urgency", urgency), pill(plural(turns, "turn")), calls ? pill(plural(calls, "call")) : null,
    errors ? pill(plural(errors, "error"), "warn") : null, waiting ? pill(plural(waiting, "open question"), "warn") : null, goals ? pill(plural(goals, "goal"), "aim") : null,
    unmet ? pill(unmet + " unmet", "bad") : null);
  const tick = make("span", "tick", "▸");
  tick.setAttribute("aria-hidden", "true");
  const talk = make("details", "talk", make("summary", "", tick, said("span", "name", id), said("span", "hint", unmarked(hint)), figures), box);
  talk.addEventListener("toggle", () => { if (talk.open && !box.firstChild) fill(box, n); });
  talks.append(talk);
  return {talk, text: (id + " " + hint).toLowerCase(), trouble: errors > 0 || unmet > 0, waits: waiting > 0};
});
if (rows.length) rows[0].talk.open = true;
if (rows.length > 1) {
  const filter = byId("filter"), trouble = byId("trouble"), waits = byId("waits");
  const apply = () => {
    const asked = filter.value.trim().toLowerCase();
    let shown = 0;
    for (const r of rows) {
      r.talk.hidden = !(r.text.includes(asked) && (!trouble.checked || r.trouble) && (!waits.checked || r.waits));
      shown += r.talk.hidden ? 0 : 1;
    }
    byId("none").hidden = shown > 0;
    byId("shown").textContent = shown === rows.length ? plural(shown, "conversation") : shown + " of " + plural(rows.length, "conversation");
  };
  byId("bar").hidden = false;
  filter.addEventListener("input", apply);
  trouble.addEventListener("change", apply);
  waits.addEventListener("change", apply);
  addEventListener("keydown", e => { if (e.key === "/" && e.target !== filter) { e.preventDefault(); filter.focus(); } });
  apply();
}
