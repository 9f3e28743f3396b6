// Does work in portions, so that every frame is drawn in time. `wake` registers a function. It is
// called in a frame, works while `hasTime` returns true, and returns whether work is left.

const limit_ms = 7;
const pending = new Set();
let planned = 0;

// Figures for tests.
export const figures = {frames: 0, portions: 0, longest_ms: 0};

const run = () => {
  planned = 0;
  const begin = performance.now();
  const hasTime = () => performance.now() - begin < limit_ms;
  figures.frames += 1;
  for (const job of [...pending]) {
    pending.delete(job);
    figures.portions += 1;
    if (job(hasTime)) pending.add(job);
    if (!hasTime()) break;
  }
  figures.longest_ms = Math.max(figures.longest_ms, performance.now() - begin);
  if (pending.size) plan();
};

// A hidden page has no frames, so it uses a timer.
const plan = () => {
  if (planned) return;
  planned = 1;
  if (document.hidden) setTimeout(run, 200);
  else requestAnimationFrame(run);
};

export const wake = job => { pending.add(job); plan(); };

document.addEventListener("visibilitychange", () => {
  if (document.hidden && pending.size) setTimeout(run, 200);
});

// Returns a function that calls `job` soon, but at most once in `ms`.
export const atMostEvery = (ms, job) => {
  let last = -Infinity, timer = 0;
  const go = () => { timer = 0; last = performance.now(); job(); };
  return () => {
    if (!timer) timer = setTimeout(go, Math.max(0, last + ms - performance.now()));
  };
};
