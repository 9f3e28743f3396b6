// What the views tell each other, by topic: none of them knows another.

const listeners = new Map();

export const on = (topic, listener) => {
  if (!listeners.has(topic)) listeners.set(topic, []);
  listeners.get(topic).push(listener);
};

export const tell = (topic, x) => { for (const listener of listeners.get(topic) || []) listener(x); };

// Topics: "agent" (another one is shown), "event" (of its page, {kind, …}), "changed" (some
// events have come), "lagged" (some are lost), "goals" (a list of them), "waiting" (how many
// questions and actions wait for the person), "stats", "tag" (somebody asks for it).
