// Marks the words of a search in a text. The server finds forms of a word, too, so a word is marked if
// it has the same beginning.
import {beginning, said} from "./dom.js";
import {make} from "./drawing.js";

const word = /[\p{L}\p{N}]+/gu;
const least = 4; // characters of a beginning that counts

export const wordsOf = query => [...new Set((query.toLowerCase().match(word) || []).slice(0, 32))];

const isAlike = (a, b) => {
  if (a === b) return true;
  const same = Math.max(least, Math.min(a.length, b.length) - 2);
  return a.length >= same && b.length >= same && a.slice(0, same) === b.slice(0, same);
};

// The part of a long text in which the first word that was looked for occurs.
const partOf = (text, wanted, most) => {
  if (text.length <= most) return text;
  const first = [...text.slice(0, 100000).matchAll(word)].find(m => wanted.some(w => isAlike(m[0].toLowerCase(), w)));
  const from = first && first.index > most * .6 ? first.index - Math.floor(most / 3) : 0;
  return (from ? "… " : "") + beginning(text.slice(from), most);
};

export const highlighted = (text, wanted, most = 320) => {
  const shown = partOf(text, wanted, most), box = said("span", "found", "");
  let at = 0;
  for (const m of shown.matchAll(word)) {
    if (!wanted.some(w => isAlike(m[0].toLowerCase(), w))) continue;
    box.append(shown.slice(at, m.index), make("mark", "", m[0]));
    at = m.index + m[0].length;
  }
  box.append(shown.slice(at));
  return box;
};
