// Checks the client of models with a server of somebody else: questions arrive and are answered,
// the rules decide where there is no valid answer, and trace and metrics say so. What was recorded
// plays again without the server, and a server on its bad days keeps no turn from its end.
//
// usage: servers.mjs PROGRAM aimock|mock_llm
import http from "node:http";

import {bad_days, configuration, expected, labelled, scenario, single_turn} from "./play.mjs";
import {check, Program} from "./program.mjs";
import {key} from "./script.mjs";

const [path, name] = process.argv.slice(2);
const {start} = await import(`./${name}.mjs`);

const program = new Program(path);
const failsafe = setTimeout(() => {
  console.error("not done in eight minutes");
  process.exit(1);
}, 480_000);

const simulate = async (talk, config, trace, with_key, ...more) => {
  await program.run(["simulate", program.file(talk), "--quiet", "--config", program.file(config),
    "--trace", program.file(trace), ...more], with_key);
  return program.questions(trace);
};

const told = ({detail: x}) => `${x.daemon} ${x.outcome} ${x.decided_by}`;

// What became of the questions of a turn: "clarifier answered model, …".
const told_in = (all, turn) => {
  const ids = [...new Set(all.map(x => x.turn_id))];
  return all.filter(x => x.turn_id === ids[turn]).map(told).sort().join(", ");
};

const replies = ["--model-replies", program.file("replies.jsonl")];

const plays = async server => {
  const all = await simulate("talk.json", "model.json", "first.jsonl", key, ...replies);
  expected.forEach(([what, wanted], turn) =>
    check(what, told_in(all, turn) === wanted, told_in(all, turn)));
  const asked = server.asked().length;
  check(`the server got ${all.length} questions, one of them twice`,
    asked === all.length + 1, asked);
  const {detail} = all[0];
  check("tokens are those that the server counts",
    detail.prompt_tokens === 70 && detail.answer_tokens === 9, detail);
  const files = ["first.jsonl", "replies.jsonl"];
  check("the key is in no file", files.every(x => !program.text(x).includes(key)));
};

const refuses_wrong_keys = async () => {
  const all = await simulate("talk.json", "model.json", "refused.jsonl", "another-key");
  check("with a wrong key all is rejected, and the rules decide",
    all.length > 0 && all.every(x => told(x).endsWith(" rejected rules")), all.map(told));
};

// A figure that `/metrics` shows of a daemon.
const figure = (text, name, ...labels) => {
  const line = text.split("\n").find(x => x.startsWith(`scratchpage_model_${name}{`)
    && labels.every(y => x.includes(`="${y}"`)));
  return line === undefined ? 0 : Number(line.split(" ").at(-1));
};

// Asks until the figures are there: the Evaluator and the Reflector may end after the turn.
const metrics_of = async (get, questions) => {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const text = await (await get("/metrics")).text();
    if (["clarifier", "evaluator", "reflector", "router"]
      .every(x => figure(text, "duration_seconds_count", x) === questions)) return text;
    await new Promise(done => setTimeout(done, 50));
  }
  throw new Error("no figures of all daemons after a minute");
};

const serves = async server => {
  const asker = "0af7651916cd43dd8448eb211c80319c";
  const collector = http.createServer((request, response) =>
    request.resume().on("end", () => response.end("{}")));
  await new Promise(done => collector.listen(0, "127.0.0.1", done));
  const {url, stop} = await program.serve(["--config", program.file("model.json")], {MODEL_KEY: key,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`});
  const get = (to, more = {}) => fetch(url + to, {...more, signal: AbortSignal.timeout(60_000)});
  const headers = {"content-type": "application/json",
    traceparent: `00-${asker}-b7ad6b7169203331-01`};
  const say = async (thread_id, input) => {
    const begun = await get("/v1/agents/ada/turns",
      {method: "POST", headers, body: JSON.stringify({thread_id, input, user_id: "ann"})});
    return (await get(`/v1/agents/ada/turns/${(await begun.json()).turn_id}`)).json();
  };
  const {status, urgency} = await say("plain", "Hello there");
  check("a turn of a server is decided by the model",
    status === "complete" && urgency === "high", {status, urgency});
  const {traceparent} = server.asked().at(-1);
  check("within the trace of the asker", traceparent?.startsWith(`00-${asker}-`), traceparent);
  await say("gibberish", "We speak gibberish");
  const text = await metrics_of(get, 2);
  check("metrics count answers and nonsense",
    figure(text, "calls_total", "router", "answered") === 1
    && figure(text, "calls_total", "router", "nonsense") === 1, text);
  check("and what the rules decided", figure(text, "fallbacks_total", "evaluator") === 1
    && figure(text, "tokens_total", "evaluator", "prompt") === 140, text);
  await stop();
  collector.close();
};

const evaluate = () => program.run(["evaluate", program.file("labelled.jsonl"),
  "--against", program.file("model.json"), "--model-replies", program.file("judgements.jsonl"),
  "--json", "--quiet"], key);

const survives = async server => {
  for (const [day, outcome] of Object.entries(bad_days)) {
    server.day(day);
    const hurry = day === "slow" ? {deadline_ms: 500} : {};
    program.write(`${day}.json`,
      configuration(server.address, {daemons: {router: "model"}, ...hurry}));
    const all = await simulate("single.json", `${day}.json`, `${day}.jsonl`, key);
    check(`a server that is ${day}: ${outcome}, and the rules decide`, all.length === 1
      && told(all[0]) === `router ${outcome} rules`, all.map(x => x.detail));
  }
};

const plays_again = async () => {
  await simulate("talk.json", "model.json", "second.jsonl", "", ...replies);
  check("without server and key, recorded replies give the same trace to the byte",
    program.text("first.jsonl") === program.text("second.jsonl"));
};

let server = await start();
try {
  program.write("talk.json", scenario);
  program.write("single.json", single_turn);
  program.write("labelled.jsonl", labelled);
  program.write("model.json", configuration(server.address));
  await plays(server);
  await refuses_wrong_keys();
  await serves(server);
  const table = await evaluate();
  const router = JSON.parse(table).figures.find(x => x.figure === "urgency" && x.value === "");
  check("rules and the model are measured side by side",
    router.f1 === 1 && router.against.f1 === 0, router);
  if (server.day) await survives(server);
  await server.stop();
  server = null;
  await plays_again();
  check("and the same measures", await evaluate() === table);
} finally {
  await server?.stop();
  program.end();
}
clearTimeout(failsafe);
