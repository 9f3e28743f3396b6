// Checks the bodies of questions to models with the types of the official client: TypeScript
// compiles each of them as the parameter of a chat completion, and refuses one with a wrong member.
//
// usage: types.mjs PROGRAM
import {spawnSync} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import http from "node:http";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

import {configuration, scenario} from "./play.mjs";
import {check, patience, Program} from "./program.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const compiler = join(here, "node_modules/typescript/bin/tsc");
const program = new Program(process.argv[2]);
const folder = mkdtempSync(join(here, "typed-")); // packages are found from here

// Plays turns whose questions nobody answers. Returns the bodies of the questions.
const ask = async () => {
  const bodies = [];
  const server = http.createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    bodies.push(Buffer.concat(pieces).toString());
    response.writeHead(400, {"content-type": "application/json"}).end("{}");
  });
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  const config = configuration(`http://127.0.0.1:${server.address().port}/v1`);
  await program.run(["simulate", program.write("talk.json", scenario), "--quiet",
    "--config", program.write("model.json", config)], "any-key");
  server.close();
  return bodies;
};

// What the compiler says of literals; literals may have no members that the type does not have.
const compile = (name, bodies) => {
  const type = "ChatCompletionCreateParamsNonStreaming";
  const file = join(folder, name);
  writeFileSync(file, `import type {${type}} from "openai/resources/chat/completions";\n`
    + bodies.map((x, i) => `export const body_${i}: ${type} = ${x};\n`).join(""));
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext",
    "--target", "es2022"];
  return spawnSync(process.execPath, [compiler, ...options, file],
    {encoding: "utf8", timeout: patience});
};

try {
  const bodies = await ask();
  const name_of = x => JSON.parse(x).response_format.json_schema.name;
  const daemons = new Set(bodies.map(name_of));
  check(`all five daemons ask: ${[...daemons]}`, daemons.size === 5);
  const fits = compile("bodies.mts", bodies);
  check(`${bodies.length} bodies fit the official type`, fits.status === 0,
    fits.stdout + fits.stderr);
  const wrong = bodies.slice(0, 1)
    .map(x => x.replace('"max_completion_tokens"', '"max_answer_tokens"'));
  const refused = compile("wrong.mts", wrong);
  check("one with an unknown member does not",
    refused.status !== 0 && refused.stdout.includes("max_answer_tokens"),
    refused.stdout + refused.stderr);
} finally {
  rmSync(folder, {recursive: true, force: true});
  program.end();
}
