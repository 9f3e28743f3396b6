// Functions with which the views make elements, in addition to drawing.js. Text of others becomes
// text nodes with their own direction, and never markup.
import {byId, make} from "./drawing.js";

export {byId};

// An element with text of others. The direction of its writing does not affect other elements.
export const said = (name, cls, text) => {
  const e = make(name, cls, text);
  e.dir = "auto";
  return e;
};

export const setText = (e, text) => { if (e.textContent !== text) e.textContent = text; };

export const button = (label, cls, onClick) => {
  const e = make("button", cls, label);
  e.type = "button";
  e.addEventListener("click", onClick);
  return e;
};

// A button whose act cannot be undone, so that it asks once more. `begin` is called after the second press.
export const twice = (label, question, begin) => {
  const box = make("span", "twice");
  const first = button(label, "plain", () => {
    const back = () => { box.replaceChildren(first); first.focus(); };
    const no = button("Keep", "plain", back);
    box.replaceChildren(make("span", "muted", question), button("Yes, " + label.toLowerCase(), "danger", () => { box.replaceChildren(first); begin(); }), no);
    no.focus();
  });
  box.append(first);
  return box;
};

// The beginning of a text, cut between characters.
export const beginning = (text, most) => {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most) + " …";
};

// JSON for people, of bounded length.
export const shownJson = (value, most = 20000) => beginning(JSON.stringify(value, null, 2), most);

export const hasMembers = x => x && typeof x === "object" && Object.keys(x).length > 0;

const numbers = new Intl.NumberFormat("en");
export const count = n => numbers.format(n);

export const clockTime = text => {
  const at = new Date(text);
  return isNaN(at) ? "" : at.toLocaleTimeString("en-GB");
};

// An error as a sentence. The sentence of the server names the field.
export const sentenceOf = err => err.sentence || (err instanceof TypeError ? "the server cannot be reached" : err.message);

export const tellProblem = (id, err) => {
  const box = byId(id);
  box.hidden = !err;
  if (err) setText(box, sentenceOf(err));
};

// Announces a text to screen readers. Use it sparingly.
export const announce = text => { byId("announcer").textContent = text; };

// Makes `wanted` the children of `parent`, with as few moves as possible.
export const arrange = (parent, wanted) => {
  const keep = new Set(wanted);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  let at = parent.firstElementChild;
  for (const child of wanted) {
    if (child === at) at = at.nextElementSibling;
    else parent.insertBefore(child, at);
  }
};

// Keeps one element for each key: creates it once and updates it later. Elements whose keys do not
// occur any more are dropped.
export class Kept {
  constructor(create) { this.create = create; this.all = new Map(); }
  of(items, key) {
    const next = new Map();
    const result = items.map(x => {
      const id = key(x), one = this.all.get(id) || this.create(x);
      one.update(x);
      next.set(id, one);
      return one.element;
    });
    this.all = next;
    return result;
  }
}
