// Shows the Markdown that people and models write in their messages: emphasis, code, headings and lists.
// All text becomes text nodes, never markup, and links stay text. This module has no imports, since the
// report puts its text before its own script.

const element = (name, ...kids) => {
  const e = document.createElement(name);
  e.append(...kids);
  return e;
};

// In their order: an escaped mark, code, strong, struck through, emphasis. A mark within a word, and one
// beside a space, is none.
const marks = /\\([\\`*_~#>+.!|()[\]{}-])|(`+)([^`]+)\2(?!`)|(\*\*|__)(?=\S)((?:(?!\4)[^])*?\S)\4|~~(?=\S)([^~]*?\S)~~|(?<![\p{L}\p{N}*_])([*_])(?=[^\s*_])((?:(?!\7)[^\n])*?[^\s*_])\7(?![\p{L}\p{N}*_])/gu;

const inline = (text, depth = 0) => {
  const parts = [];
  let at = 0;
  for (const m of text.matchAll(marks)) {
    if (m.index > at) parts.push(text.slice(at, m.index));
    at = m.index + m[0].length;
    const inner = x => depth < 3 ? inline(x, depth + 1) : [x];
    if (m[1]) parts.push(m[1]);
    else if (m[3]) parts.push(element("code", m[3].trim() || m[3]));
    else if (m[5]) parts.push(element("strong", ...inner(m[5])));
    else if (m[6]) parts.push(element("s", ...inner(m[6])));
    else parts.push(element("em", ...inner(m[8])));
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
};

const fence = /^ {0,3}(```+|~~~+)/;
const item = /^\s{0,8}(?:[-*+•]|(\d{1,9})[.)])\s+(?=\S)/;
const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/;

// The list that begins in a line, and the number of its lines.
const listOf = (lines, first) => {
  const kind = item.exec(lines[first])[1] ? "ol" : "ul", list = element(kind);
  if (kind === "ol") list.start = Number(item.exec(lines[first])[1]);
  let count = 0;
  for (const line of lines.slice(first)) {
    const entry = item.exec(line);
    if (!entry || (entry[1] ? "ol" : "ul") !== kind) break;
    list.append(element("li", ...inline(line.slice(entry[0].length))));
    ++count;
  }
  return [list, count];
};

// The block of code that begins in a line, and the number of its lines.
const codeOf = (lines, first) => {
  const mark = fence.exec(lines[first])[1], rest = lines.slice(first + 1);
  const end = rest.findIndex(line => line.trim().startsWith(mark));
  const code = end < 0 ? rest : rest.slice(0, end);
  return [element("pre", element("code", code.join("\n"))), code.length + (end < 0 ? 1 : 2)];
};

const paragraphOf = lines => element("p", ...lines.flatMap((line, i) => {
  const title = heading.exec(line), kept = title ? [element("strong", ...inline(title[1]))] : inline(line);
  return i ? ["\n", ...kept] : kept;
}));

// The blocks of a text: paragraphs with their line ends, lists and code.
export const formatted = text => {
  const blocks = [], lines = text.split("\n");
  let paragraph = [];
  const end = () => {
    const first = paragraph.findIndex(line => line.trim()), last = paragraph.findLastIndex(line => line.trim());
    if (first >= 0) blocks.push(paragraphOf(paragraph.slice(first, last + 1)));
    paragraph = [];
  };
  for (let i = 0; i < lines.length;) {
    const read = fence.test(lines[i]) ? codeOf : item.test(lines[i]) ? listOf : null;
    if (!read) { paragraph.push(lines[i++]); continue; }
    end();
    const [block, count] = read(lines, i);
    blocks.push(block);
    i += count;
  }
  end();
  if (!blocks.length) blocks.push(element("p", text));
  for (const block of blocks) block.dir = "auto";
  return blocks;
};

// One line without the marks.
export const unmarked = text => element("span", ...inline(text.replace(/^#{1,6}\s+/, ""))).textContent;
