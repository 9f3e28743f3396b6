// The script of the page of `simulate --report`. It follows drawing.js in one script element, and
// reads its data from the elements `index`, `c0`, `c1`, …

const data = id => JSON.parse(byId(id).textContent);
const lifetimes = (d, axis) => {
  const names = make("div", "names rows"), row = 20, height = row * d.observations.length + 6;
  const svg = draw("svg", {width: axis.width, height, tabindex: 0, role: "group",
    "aria-label": "Observations and how long they live; arrow keys go from one to the next"});
  bands(d, axis, svg, height, false);
  const items = [];
  d.observations.forEach((o, i) => {
    const name = make("div", "", words(o.type));
    name.title = o.id;
    names.append(name);
    const x = axis.of(o.from), stays = o.to > d.end;
    const to = stays ? axis.end : axis.of(o.to);
    const kind = /alert|pending_confirmation/.test(o.type) ? " alerting" : " " + o.status;
    const node = draw("rect", {class: "life" + kind, x, y: i * row + 5, width: Math.max(5, to - x), height: 10, rx: 3});
    svg.append(node);
    if (stays) svg.append(draw("path", {class: "mark dim", d: `M${to + 2} ${i * row + 6}l6 4l-6 4z`}));
    items.push({node, x, y: i, title: words(o.type) + ", " + percent(o.confidence) + ", " + words(o.status), lines: [o.content,
      "by " + o.by + ", " + (stays ? "until " + span(o.to - d.end) + " after the end" : "lived " + span(o.to - o.from)),
      (o.tags ? "tags: " + o.tags.join(", ") : ""), o.goals ? "for goal " + o.goals.join(", ") : "", o.id]});
  });
  explore(svg, items);
  return make("div", "scroll", make("div", "plot", names, svg));
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

const turnList = (d, before = seenBefore(d)) => make("div", "", ...d.turns.map((t, i) => make("div", "turn",
  make("div", "n", String(i + 1)),
  make("div", "", make("div", "said", t.input), t.response ? make("div", "answer", t.response) : null,
    ...t.questions.map(q => make("div", "ask", (q.by ? q.by + " asks: " : "asks: ") + q.text)),
    t.calls.length ? make("div", "calls", ...t.calls.map(c => {
      const p = pill(c.tool + (c.attempts ? " ×" + c.attempts : "") + " " + (c.status === "ok" ? span(c.ms) : words(c.status)),
        c.status === "ok" ? (c.error ? "warn" : "") : c.status);
      if (c.error) p.title = c.error;
      return p;
    })) : null, turnBook(d, t, before[i])),
  make("div", "state", pill(t.urgency, t.urgency), " ", pill(words(t.status), t.status)))));

const goalList = d => make("div", "goals", ...d.goals.map(g => make("div", "goal " + g.status,
  make("div", "title", g.title || words(g.type), pill(words(g.status), g.status)), track(g.progress),
  make("div", "muted note", percent(g.progress) + ", " + g.priority + " priority, " + plural(g.observations, "observation")),
  make("ul", "", ...g.evidence.map(e => make("li", "", e.content + " ", make("small", "", percent(e.confidence)), e.source ? make("small", "by", " " + e.source) : "")),
    ...g.actions.map(a => make("li", "", make("small", "", (a.who === "user" ? "for the user" : "next") + ", " + words(a.status) + ": "), a.text))))));

const factList = d => make("ul", "facts", ...d.facts.map(f =>
  make("li", "", make("small", "", percent(f.confidence)), make("span", "", f.text), make("small", "", plural(f.support, "time")), f.source ? make("small", "by", f.source) : "")));

const hiddenNote = (n, what) => n > 0 ? make("p", "muted note", n + " more " + what + " not shown.") : null;

const fill = (box, n) => {
  const d = data("c" + n);
  const axis = makeAxis(d, Math.max(500, box.clientWidth - 182));
  const part = (title, ...kids) => { if (kids.some(k => k)) box.append(make("h3", "", title), ...kids.filter(k => k)); };
  if (d.unmet.length) box.append(make("div", "unmet", ...d.unmet.map(u => make("p", "", u))));
  part("Timeline", d.marks.length || d.turns.length ? timeline(d, axis) : null, hiddenNote(d.hidden.marks, "trace entries"), d.marks.length ? legend() : null);
  const turns = d.turns.length ? turnList(d) : null;
  part("Turns", turns && allBooks(turns), turns, hiddenNote(d.hidden.turns, "turns"), hiddenNote(d.hidden.views, "views of the scratchbook"));
  part("Goals", d.goals.length ? goalList(d) : null, hiddenNote(d.hidden.goals, "goals"));
  part("Observations and their lifetimes", d.observations.length ? lifetimes(d, axis) : null, hiddenNote(d.hidden.observations, "observations"));
  part("Facts", d.facts.length ? factList(d) : null, hiddenNote(d.hidden.facts, "facts"));
  box.append(make("p", "muted note", "From " + d.file + ", begins " + d.start + "."));
};

// -- the list ------------------------------------------------------------------------
const talks = byId("talks"), index = data("index");
const rows = index.map((r, n) => {
  const [id, turns, calls, errors, goals, unmet, urgency, hint] = r;
  const box = make("div", "inside");
  const figures = make("span", "figures", pill(urgency, urgency), pill(plural(turns, "turn")), pill(plural(calls, "call")),
    errors ? pill(plural(errors, "error"), "warn") : null, goals ? pill(plural(goals, "goal"), "aim") : null,
    unmet ? pill(unmet + " unmet", "bad") : null);
  const tick = make("span", "tick", "▸");
  tick.setAttribute("aria-hidden", "true");
  const talk = make("details", "talk", make("summary", "", tick, make("span", "name", id), make("span", "hint", hint), figures), box);
  talk.addEventListener("toggle", () => { if (talk.open && !box.firstChild) fill(box, n); });
  talks.append(talk);
  return {talk, text: (id + " " + hint).toLowerCase(), trouble: errors > 0 || unmet > 0};
});
if (rows.length) rows[0].talk.open = true;
if (rows.length > 1) {
  const filter = byId("filter"), trouble = byId("trouble");
  const apply = () => {
    const asked = filter.value.trim().toLowerCase();
    let shown = 0;
    for (const r of rows) {
      r.talk.hidden = !(r.text.includes(asked) && (!trouble.checked || r.trouble));
      shown += r.talk.hidden ? 0 : 1;
    }
    byId("shown").textContent = shown === rows.length ? plural(shown, "conversation") : shown + " of " + plural(rows.length, "conversation");
  };
  byId("bar").hidden = false;
  filter.addEventListener("input", apply);
  trouble.addEventListener("change", apply);
  addEventListener("keydown", e => { if (e.key === "/" && e.target !== filter) { e.preventDefault(); filter.focus(); } });
  apply();
}
