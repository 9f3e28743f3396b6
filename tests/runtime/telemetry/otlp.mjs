// Checks exported traces: every body that `scratchpage serve` exports can be decoded with the
// official schema of OTLP, and Genkit's telemetry server shows a turn as one trace, below the
// caller's span.
//
// usage: otlp.mjs PROGRAM

import {spawn} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import http from "node:http";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";

const require = createRequire(import.meta.url);
const schema = require("@opentelemetry/otlp-transformer/build/src/generated/root.js");
const genkit = require("@genkit-ai/telemetry-server");

const program = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "otlp-"));
const asker = {trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331"};
const patience = 60_000;

const check = (what, ok, detail = "") => {
  if (!ok) throw new Error(`${what} ${detail}`);
  console.log(`ok: ${what}`);
};

const listen = handler => new Promise(resolve => {
  const server = http.createServer(handler);
  server.listen(0, "127.0.0.1", () => resolve(server));
});

const bodyOf = async message => {
  const pieces = [];
  for await (const piece of message) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

const freePort = async () => {
  const server = await listen(() => {});
  const {port} = server.address();
  await new Promise(resolve => server.close(resolve));
  return port;
};

// Converts ids, which are hexadecimal in JSON, to the bytes of the schema.
const withBytes = request => {
  for (const resource of request.resourceSpans)
    for (const scope of resource.scopeSpans)
      for (const span of scope.spans)
        for (const id of ["traceId", "spanId", "parentSpanId"])
          if (span[id]) span[id] = Buffer.from(span[id], "hex");
  return request;
};

const decode = text => {
  const type = schema.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
  const request = withBytes(JSON.parse(text));
  const wrong = type.verify(request);
  // Times are texts, where `verify` expects numbers or Longs.
  if (wrong && !/integer\|Long expected/.test(wrong)) throw new Error(`the schema says: ${wrong}`);
  const there = type.toObject(type.decode(type.encode(type.fromObject(request)).finish()), {longs: String});
  return there.resourceSpans[0].scopeSpans[0].spans;
};

const get = async url => (await fetch(url)).json();

const until = async (what, found) => {
  for (const end = Date.now() + patience; Date.now() < end;) {
    const result = await found();
    if (result) return result;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(`${what}: nothing after ${patience} ms`);
};

const spans = [];
let collector;
let server;
try {
  const port = await freePort();
  const where = {storeRoot: folder, indexRoot: folder};
  await genkit.startTelemetryServer({port, host: "127.0.0.1",
    traceStore: new genkit.LocalFileTraceStore(where), logStore: new genkit.LocalFileLogStore(where)});
  const receiver = `http://127.0.0.1:${port}`;
  // Decodes each request and forwards it unchanged.
  collector = await listen(async (request, response) => {
    const body = await bodyOf(request);
    try { spans.push(...decode(body)); } catch (error) { console.error(error); process.exitCode = 1; }
    const passed = await fetch(receiver + request.url, {method: "POST", body,
      headers: {"content-type": request.headers["content-type"]}});
    response.writeHead(passed.status, {"content-type": "application/json"});
    response.end(await passed.text());
  });
  const endpoint = `http://127.0.0.1:${collector.address().port}/api/otlp`;
  server = spawn(program, ["serve", "--data", join(folder, "data"), "--listen", "127.0.0.1:0"],
    {env: {...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint}, stdio: ["ignore", "pipe", "inherit"]});
  const url = await new Promise(resolve => server.stdout.once("data", x => resolve(x.toString().trim())));
  const begun = await fetch(`${url}/v1/agents/ada/turns`, {method: "POST",
    headers: {"content-type": "application/json", traceparent: `00-${asker.trace}-${asker.span}-01`},
    body: JSON.stringify({input: "Urgent: my secret plan", user_id: "ann"})});
  const turn = await begun.json();

  await until("the turn's span", () => spans.find(x => x.name === "invoke_agent ada"));
  const top = spans.find(x => x.name === "invoke_agent ada");
  const hex = x => Buffer.from(x).toString("hex");
  check("every body decodes with the official schema", process.exitCode === undefined);
  check("the turn belongs to the asker's trace", hex(top.traceId) === asker.trace);
  check("below the asker's span", hex(top.parentSpanId) === asker.span);
  const mine = spans.filter(x => hex(x.traceId) === asker.trace);
  const ids = new Set(mine.map(x => hex(x.spanId)));
  const lost = mine.filter(x => x !== top && !ids.has(hex(x.parentSpanId)));
  check(`all ${mine.length} spans of the turn hang together`, lost.length === 0, lost.map(x => x.name));
  check("memories are created and searched", ["create_memory scratch_page", "search_memory scratch_page"]
    .every(name => mine.some(x => x.name === name)));
  check("spans contain no contents", !JSON.stringify(spans).includes("secret"));

  const shown = await until("the receiver's trace", async () => {
    const found = await get(`${receiver}/api/traces/${asker.trace}`).catch(() => null);
    return found?.spans && Object.keys(found.spans).length >= mine.length ? found : null;
  });
  check(`the receiver shows ${turn.turn_id} as one trace`,
    Object.values(shown.spans).every(x => x.traceId === asker.trace));
  check("with the turn in it", Object.values(shown.spans).some(x => x.displayName === "invoke_agent ada"));
} finally {
  server?.kill("SIGTERM");
  if (server) await new Promise(resolve => server.once("exit", resolve));
  collector?.closeAllConnections();
  collector?.close();
  await genkit.stopTelemetryApi();
  rmSync(folder, {recursive: true, force: true});
}
process.exit(process.exitCode ?? 0);
