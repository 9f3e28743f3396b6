// Asks again when the server could not answer a request in full, with growing pauses, and stops after
// some times. Call `rest` when a request begins for another reason.

const pauses_ms = [1000, 2000, 4000, 8000, 8000];

export class Again {
  constructor(ask) { this.ask = ask; this.times = 0; this.timer = 0; }

  // Plans the next request, and returns whether there will be one.
  plan() {
    this.rest();
    if (this.times >= pauses_ms.length) return false;
    this.timer = setTimeout(() => { this.times += 1; this.ask(); }, pauses_ms[this.times]);
    return true;
  }

  rest() { clearTimeout(this.timer); }

  // Forgets how often it has asked: something else is asked, or the last request was answered in full.
  reset() { this.rest(); this.times = 0; }
}
