// Times in words. Times of today are without their day.
import {now} from "./api.js";
import {span} from "./drawing.js";

const isToday = at => at.toDateString() === new Date(now()).toDateString();

// "10:30:00", or "5 Nov, 10:30:00" if that is not today.
export const timeOf = text => {
  const at = new Date(text || "");
  if (isNaN(at)) return "";
  const clock = at.toLocaleTimeString("en-GB");
  return isToday(at) ? clock : at.toLocaleDateString("en-GB", {day: "numeric", month: "short",
    ...(at.getFullYear() === new Date(now()).getFullYear() ? {} : {year: "numeric"})}) + ", " + clock;
};

// "3 min ago"; "now" for what has just happened.
export const ago = text => {
  const ms = now() - Date.parse(text || "");
  if (isNaN(ms)) return "";
  if (ms < 2000) return "now";
  const unit = [[86400000, "d"], [3600000, "h"], [60000, "min"], [1000, "s"]].find(([n]) => ms >= n);
  return unit ? Math.floor(ms / unit[0]) + " " + unit[1] + " ago" : span(ms) + " ago";
};
