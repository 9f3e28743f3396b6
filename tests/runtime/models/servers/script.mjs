// What the model answers, whichever server speaks for it: by who asks and by a word of the input.

export const key = "key-of-the-test";

const text = x => JSON.stringify(x);

const reasons = ["the model says so"];

const wise = (confidence = 0.9) => ({
  router: text({level: "high", reasons, requests: [], alert_ids: [], confidence}),
  clarifier: text({questions: [], confidence}),
  error_handler: text({error_class: "transient", action: "retry", alternative: "",
    description: "Once more", confidence}),
  evaluator: text({outcome: "complete", summary: "The model has looked", reasons, reviews: [],
    confidence}),
  reflector: text({lessons: [], confidence}),
});

// Answers that are none: no JSON, another type, a name that is not in the schema, a list.
const nonsense = {
  router: "Certainly! Here is what I think.",
  clarifier: text({questions: "none", confidence: 1}),
  evaluator: text({outcome: "splendid", summary: "", reasons: [], reviews: [], confidence: 2}),
  reflector: "[]",
};

const rulesOf = (answers, word = "") =>
  Object.entries(answers).map(([daemon, content]) => ({daemon, word, content}));

// The last rule that fits decides. One with a `status` is an error, and only for the first request.
export const rules = [
  ...rulesOf(wise()),
  ...rulesOf(nonsense, "gibberish"),
  ...rulesOf(wise(0.3), "perhaps"),
  {daemon: "router", word: "crowded", status: 503, error: "slow down"},
];
