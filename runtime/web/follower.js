// Follows an agent's events. When the connection breaks, continues where it was.
import {headersOf, open, path, Refusal} from "./api.js";
import {EventReader, readBlock} from "./events.js";
import {wake} from "./frames.js";

const first_pause_ms = 250;
const longest_pause_ms = 8000;
const silence_ms = 40000; // the server sends something every fifteen seconds
const max_waiting = 2000; // blocks; then the server waits
const per_second = 1000; // events; people cannot see more, and the agent has other work

export class Follower {
  // `take` gets each event, during frames; `state` gets "connecting", "live", "broken" and "ended".
  constructor({from, take, state}) {
    this.last = from;
    this.take = take;
    this.state = state;
    this.blocks = [];
    this.at = 0;
    this.taken = null;
    this.stopped = false;
    this.pause_ms = first_pause_ms;
    this.drain = this.drain.bind(this);
    this.run();
  }

  stop() {
    this.stopped = true;
    this.blocks = [];
    this.connection?.abort();
    clearTimeout(this.waiting);
    this.resume?.();
  }

  // Connects now, without waiting for the end of the pause.
  hurry() { this.pause_ms = first_pause_ms; this.resume?.(); }

  async run() {
    while (!this.stopped) {
      this.state("connecting");
      try { await this.connect(); } catch (err) { if (this.isFinal(err)) return this.state("ended", err); }
      if (this.stopped) return;
      this.state("broken", this.pause_ms);
      do await this.rest(); while (this.at < this.blocks.length && !this.stopped);
    }
  }

  isFinal(err) { return !this.stopped && err instanceof Refusal && [400, 401, 403, 404].includes(err.status); }

  rest() {
    const jitter = .8 + .4 * (Math.random());
    const pause = this.pause_ms * jitter;
    this.pause_ms = Math.min(longest_pause_ms, this.pause_ms * 2);
    return new Promise(done => {
      this.resume = done;
      this.waiting = setTimeout(done, pause);
    });
  }

  async connect() {
    this.connection = new AbortController();
    const {signal} = this.connection;
    const answer = await open(path`events?per_second=${per_second}`, {signal, headers: {...headersOf(), "last-event-id": this.last}});
    this.state("live");
    this.pause_ms = first_pause_ms;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const events = new EventReader();
    let silence = 0;
    const watch = () => {
      clearTimeout(silence);
      silence = setTimeout(() => this.connection.abort(), silence_ms);
    };
    try {
      for (;;) {
        watch();
        const {value, done} = await reader.read();
        if (done) return;
        for (const block of events.take(value)) this.blocks.push(block);
        if (this.blocks.length > this.at) wake(this.drain);
        if (this.blocks.length - this.at > max_waiting) await new Promise(go => { this.taken = go; });
      }
    } finally {
      clearTimeout(silence);
      reader.cancel().catch(() => {});
    }
  }

  drain(hasTime) {
    while (this.at < this.blocks.length && hasTime()) {
      const event = readBlock(this.blocks[this.at++]);
      if (!event || this.stopped) continue;
      if (event.id) this.last = event.id;
      this.take(event.kind, JSON.parse(event.data));
    }
    if (this.at < this.blocks.length) return true;
    this.blocks = [];
    this.at = 0;
    this.taken?.();
    this.taken = null;
    return false;
  }
}
