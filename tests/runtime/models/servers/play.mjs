// What the program is given: a configuration with a model, and turns whose words the script of the
// model knows. Each turn has a thread of its own, so that no question repeats an earlier input.

export const configuration = (address, more = {}) => ({models: {
  address, model: "small-one", key_env: "MODEL_KEY", deadline_ms: 60_000, attempts: 2,
  tokens_per_turn: 100_000,
  daemons: {router: "model", clarifier: "model", error_handler: "model_then_rules",
    evaluator: "model_then_rules", reflector: "model"},
  ...more,
}});

const turn = (thread, input, plan = []) => ({turn: {thread, input, plan}});

export const scenario = {
  scenario: "models",
  agents: ["ada"],
  tools: [{tool_id: "look_up", description: "Finds a word", idempotent: true,
    responses: [{status: "error", outputs: {error: "the needle is stuck"}},
      {outputs: {found: "a word"}}]}],
  steps: [
    turn("plain", "Hello there"),
    turn("perhaps", "We could perhaps walk"),
    turn("crowded", "The hall is crowded"),
    turn("look", "Find the word", [{tool_id: "look_up", inputs: {}}]),
    turn("gibberish", "We speak gibberish"),
  ],
};

export const labelled = {
  id: "talk",
  messages: [{role: "user", content: "Hello there"}, {role: "assistant", content: "Hello!"}],
  labels: [{urgency: "low", assessment: "complete"}],
};

export const single_turn = {scenario: "single", steps: [turn("plain", "Hello there")]};

const all_of = (...daemons) => daemons.map(x => `${x} answered model`).join(", ");
const usual = all_of("clarifier", "evaluator", "reflector", "router");

// What becomes of the questions of each turn of the scenario, and what that shows.
export const expected = [
  ["valid answers decide", usual],
  ["an answer that is unsure decides for `model` only",
    usual.replace("evaluator answered model", "evaluator answered rules")],
  ["what failed with 503 is asked again", usual],
  ["a call that failed is asked about",
    all_of("clarifier", "error_handler", "evaluator", "reflector", "router")],
  ["nonsense leaves it to the rules",
    "clarifier answered rules, evaluator answered rules, reflector nonsense rules, "
      + "router nonsense rules"],
];

// What a question ends with on the bad days of a server that can have them.
export const bad_days = {malformed: "nonsense", disconnected: "unavailable",
  limited: "unavailable", slow: "late"};
