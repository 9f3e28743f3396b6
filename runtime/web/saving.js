// Saves what is shown as a file: JSON, JSON lines or CSV. The file is made here, of what the page
// shows, so the server is not asked for more.
import {announce, button} from "./dom.js";
import {make, plural} from "./drawing.js";

// A spreadsheet runs a cell that begins like a formula. An apostrophe makes it text; numbers stay numbers.
const formula = /^[\s\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]/;
const cellOf = value => {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return '"' + (formula.test(text) ? "'" + text : text).replace(/"/g, '""') + '"';
};

// Rows are objects; columns are all of their members, in the order in which they first occur.
const csvOf = rows => {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  return [columns, ...rows.map(row => columns.map(c => row[c]))].map(cells => cells.map(cellOf).join(",") + "\r\n").join("");
};

const linesOf = rows => rows.map(row => JSON.stringify(row) + "\n").join("");

const save = (text, type, name) => {
  const a = make("a", "");
  a.href = URL.createObjectURL(new Blob([text], {type}));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
};

const plain = text => text.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 60) || "agent";
const stamp = () => new Date().toISOString().slice(0, 19).replace(/[:T]/g, "-");

const kinds = [["JSON", "application/json", "json", (rows, whole) => JSON.stringify(whole ?? rows, null, 2) + "\n"],
  ["JSON lines", "application/x-ndjson", "jsonl", linesOf], ["CSV", "text/csv;charset=utf-8", "csv", csvOf]];

// The control of a view. `what` is called when a person saves: {rows} for tables, {whole} for what is
// no table.
export const saver = (name, label, what) => {
  const box = make("details", "saver"), list = make("div", "savers");
  box.append(make("summary", "", "Save"), list);
  box.firstChild.setAttribute("aria-label", "Save " + label);
  const fill = () => {
    const {rows, whole} = what();
    list.replaceChildren(...kinds.filter(([, , end]) => rows || end === "json").map(([title, type, end, write]) =>
      button(title, "plain", () => {
        const now = what();
        save(write(now.rows, now.whole), type, ["scratchpage", plain(name()), label.replace(/ /g, "_"), stamp()].join("_") + "." + end);
        announce(now.rows ? plural(now.rows.length, "row") + " saved" : "saved");
        box.open = false;
        box.firstChild.focus();
      })));
  };
  box.addEventListener("toggle", () => { if (box.open) fill(); });
  box.addEventListener("keydown", e => { if (e.key === "Escape") { box.open = false; box.firstChild.focus(); } });
  box.addEventListener("focusout", e => { if (!box.contains(e.relatedTarget)) box.open = false; });
  return box;
};
