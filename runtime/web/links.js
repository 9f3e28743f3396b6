// Links to what is named by an id: an observation, a goal, a turn, a fact or the scratchbook of a thread.
// A link shows it, wherever it is now; views/shown.js finds it.
import {session} from "./api.js";
import {addressOf} from "./address.js";
import {beginning, said, shownJson} from "./dom.js";
import {make} from "./drawing.js";
import {tell} from "./state.js";

export const kinds = ["observation", "goal", "turn", "fact", "thread"];
const max_label = 90;
const max_links = 300; // in one JSON text

// A turn's own number: that of its id, whatever is drawn beside it.
export const turnName = id => {
  const own = /^turn_\d{8}_0*(\d+)$/.exec(id);
  return own ? "#" + own[1] : beginning(id, 24);
};

const isPlainClick = e => e.button === 0 && !e.ctrlKey && !e.metaKey && !e.shiftKey && !e.altKey;

// `hint` may tell `at`, when an observation was made, so that it is found in the archive soon.
export const link = (kind, id, label = id, hint = {}) => {
  const a = said("a", "ref", beginning(label, max_label));
  a.href = addressOf({agent: session.agent, show: kind + ":" + id});
  a.title = kind + " " + beginning(id, 200);
  a.addEventListener("click", e => {
    if (!isPlainClick(e)) return;
    e.preventDefault();
    e.stopPropagation();
    tell("show", {kind, id, ...hint});
  });
  return a;
};

export const linkList = (kind, ids, most = 12) => {
  const box = make("span", "reflist");
  ids.slice(0, most).forEach((id, i) => box.append(i ? ", " : "", link(kind, id)));
  if (ids.length > most) box.append(", and " + (ids.length - most) + " more");
  return box;
};

// The ids of the program have forms of their own. Goals have any id, so they are known by the member.
const kindOfId = id => /^obs_\d{8}_\d+$/.test(id) ? "observation" : /^turn_\d{8}_\d+$/.test(id) ? "turn"
  : /^fact_\d+$/.test(id) ? "fact" : "";
const ids = /"((?:obs|turn)_\d{8}_\d{1,12}|fact_\d{1,12})"|("goal_id": )("(?:[^"\\]|\\.){1,400}")/g;

const read = text => { try { return JSON.parse(text); } catch { return ""; } };

// JSON as text, in which ids are links. The JSON may be of others: it adds nothing but text and links.
export const linkedJson = (value, label) => {
  const text = shownJson(value), box = said("pre", "json", "");
  let at = 0, made = 0;
  for (const found of text.matchAll(ids)) {
    const goal = found[3] ? read(found[3]) : "", id = found[1] || goal;
    if (!id || made >= max_links) continue;
    const begin = found.index + (found[2] || "").length + 1;
    box.append(text.slice(at, begin), link(found[1] ? kindOfId(id) : "goal", id));
    at = found.index + found[0].length - 1;
    made += 1;
  }
  box.append(text.slice(at));
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", label);
  return box;
};

// A name and its value for each; a value that is empty is left out. Values are text of others, or elements.
export const factsOf = pairs => {
  const list = make("dl", "facts");
  for (const [name, value] of pairs)
    if (value) list.append(make("dt", "", name), value instanceof Node ? make("dd", "", value) : said("dd", "", String(value)));
  return list;
};
