// Messages between views, by topic, so that no view knows another one.

const listeners = new Map();

export const on = (topic, listener) => {
  if (!listeners.has(topic)) listeners.set(topic, []);
  listeners.get(topic).push(listener);
};

export const tell = (topic, x) => { for (const listener of listeners.get(topic) || []) listener(x); };

// Topics: "agent" (another one is shown), "stats" and "live" (its figures, and that its events come),
// "event" (of its page, {kind, …}), "lagged" (some events are lost), "goals" (the list of goals), "goal"
// (one of them has changed), "open goals" (how many), "turns" (the list), "turn" (one has ended), "waiting"
// (how many questions and actions wait for the person), "lag" (the largest one), "tag" (the filter gets it),
// "view" (another one is opened, {name, …}), "show" (what a link names, {kind, id, …}), "observation" (the
// list shows this one, opened), "thread" (the scratchbook shows it).
