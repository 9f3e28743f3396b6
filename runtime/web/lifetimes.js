// Shows remaining lifetimes. One timer counts down all that are shown.
import {now} from "./api.js";
import {setText} from "./dom.js";
import {make} from "./drawing.js";

const shown = new Set();

const unit = (n, name) => n + " " + name;

export const left = ms => {
  if (ms <= 0) return "expires now";
  const s = Math.ceil(ms / 1000), min = Math.floor(s / 60), h = Math.floor(min / 60), d = Math.floor(h / 24);
  if (d >= 100) return unit(d, "d");
  if (d > 0) return unit(d, "d") + " " + unit(h % 24, "h");
  if (h > 0) return unit(h, "h") + " " + unit(min % 60, "min");
  if (min > 0) return unit(min, "min") + " " + unit(s % 60, "s");
  return unit(s, "s");
};

export class Lifetime {
  constructor() {
    this.fill = make("i", "");
    this.words = make("span", "");
    this.element = make("span", "lifetime", make("span", "lifebar", this.fill), this.words);
  }

  tell({from, to}) {
    this.from = from;
    this.to = to;
    this.step(now());
    shown.add(this);
  }

  // The bar shows the remaining share; its colour changes for the last tenth.
  step(at) {
    const ms = this.to - at, share = Math.max(0, Math.min(1, ms / Math.max(1, this.to - this.from)));
    setText(this.words, left(ms) + (ms > 0 ? " left" : ""));
    this.fill.style.transform = `scaleX(${share.toFixed(3)})`;
    this.element.classList.toggle("short", share < .1 || ms < 60000);
  }
}

setInterval(() => {
  const at = now();
  for (const one of shown) {
    if (one.element.isConnected) one.step(at);
    else shown.delete(one);
  }
}, 1000);
