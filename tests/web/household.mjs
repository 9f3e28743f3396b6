// A household that the page shows: a real server on a temporary directory, clients that add
// observations, and a browser.
import {spawn} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {dirname, join, resolve} from "node:path";
import {createInterface} from "node:readline";
import {fileURLToPath} from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

// A goal of the type "wire_transfer" needs a person's confirmation; `store.erase` needs their
// consent, since it is declared destructive.
const configuration = {
  mcpServers: {store: {command: "python3", args: [join(here, "../runtime/mcp/client/scripted_server.py")]}},
  mandates: {rules: [
    {id: "ask_before_transfers", match: {actions: ["goal"], tags_any: ["money"]}, verdict: "ask_user", reason: "Transfer 900 to the landlord?"},
    {id: "ask_before_destruction", match: {actions: ["tool_call"], tags_any: ["destructive"]}, verdict: "ask_user",
      reason: "it cannot be undone", unless_user_consents: true},
  ]},
};

export class Household {
  constructor(program, more = {}) {
    this.program = program;
    this.folder = mkdtempSync(join(tmpdir(), "scratchpage-web-"));
    this.config = join(this.folder, "config.json");
    this.port = 0;
    writeFileSync(this.config, JSON.stringify({...configuration, ...more}));
  }

  get data() { return join(this.folder, "data"); }

  async start() {
    const words = ["serve", "--data", this.data, "--listen", "127.0.0.1:" + this.port, "--config", this.config];
    this.child = spawn(this.program, words, {stdio: ["ignore", "pipe", "inherit"]});
    this.ended = new Promise(done => this.child.once("exit", done));
    // Ends the server if the test fails.
    process.once("exit", () => this.child.kill("SIGKILL"));
    for await (const line of createInterface({input: this.child.stdout})) {
      this.url = line.trim();
      this.port = new URL(this.url).port;
      return;
    }
    throw new Error("the server said no URL");
  }

  async stop(signal = "SIGTERM") {
    if (this.child?.exitCode === null && this.child.signalCode === null) {
      this.child.kill(signal);
      await this.ended;
    }
  }

  async end() {
    await this.stop();
    rmSync(this.folder, {recursive: true, force: true});
  }

  // Runs another command on the same directory. Returns its output.
  async run(...words) {
    const child = spawn(this.program, [...words, "--data", this.data], {stdio: ["ignore", "pipe", "inherit"]});
    let out = "";
    child.stdout.on("data", x => { out += x; });
    await new Promise(done => child.once("close", done));
    return out;
  }

  // The page's address for the user of this machine, with a key that works once.
  async address(agent = "") {
    const key = (await this.run("page")).trim().split("#key=")[1];
    return this.url + "/" + (agent ? "?agent=" + encodeURIComponent(agent) : "") + "#key=" + key;
  }

  // The headers that identify that user.
  async person() {
    const key = (await this.run("page")).trim().split("#key=")[1];
    const session = await this.ask("POST", "/v1/session", {key});
    return {authorization: "Bearer " + session.token};
  }

  async ask(method, path, body, headers = {}) {
    const answer = await fetch(this.url + path, {method, body: body && JSON.stringify(body),
      headers: {...(body ? {"content-type": "application/json"} : {}), ...headers}});
    const text = await answer.text();
    if (!answer.ok) throw new Error(method + " " + path + ": " + answer.status + " " + text);
    return text ? JSON.parse(text) : null;
  }

  post(path, body, headers) { return this.ask("POST", "/v1/agents/" + path, body, headers); }
  get(path) { return this.ask("GET", "/v1/agents/" + path); }

  observe(agent, content, more = {}) {
    return this.post(agent + "/observations", {type: "observation", content, ...more});
  }

  // Adds `count` observations at `per_second`, in batches of a twentieth of a second.
  async pour(agent, count, per_second, make) {
    const each = Math.max(1, Math.round(per_second / 20)), begin = performance.now();
    for (let i = 0; i < count; i += each) {
      const drafts = Array.from({length: Math.min(each, count - i)}, (_, k) => make(i + k));
      await this.post(agent + "/observations/batch", {drafts});
      const wait = begin + (i + each) * 1000 / per_second - performance.now();
      if (wait > 0) await new Promise(done => setTimeout(done, wait));
    }
  }
}

const requireFrom = packages => createRequire(resolve(packages, "node_modules", "x.js"));

// With the folder runtime/web in SCRATCHPAGE_WEB the page's files are taken from there, so that a change
// is tried without building. The policy stays the server's.
const kinds = {html: "text/html; charset=utf-8", css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8", svg: "image/svg+xml"};
const fromFolder = (browser, folder) => {
  const usual = browser.newContext.bind(browser);
  browser.newContext = async options => {
    const context = await usual(options);
    await context.route(url => url.pathname === "/" || url.pathname.startsWith("/web/"), async route => {
      const name = new URL(route.request().url()).pathname.replace(/^\/(web\/)?/, "") || "index.html";
      const {headers} = await fetch(new URL("/", route.request().url()));
      route.fulfill({body: readFileSync(join(folder, name)), contentType: kinds[name.split(".").pop()],
        headers: {"content-security-policy": headers.get("content-security-policy")}});
    });
    return context;
  };
  return browser;
};

// Starts the installed browser; nothing is downloaded.
export const browserOf = async packages => {
  const {chromium} = requireFrom(packages)("playwright-core");
  const browser = await chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium", headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]});
  return process.env.SCRATCHPAGE_WEB ? fromFolder(browser, process.env.SCRATCHPAGE_WEB) : browser;
};

// What axe finds on the page: a line for each rule. Policies of pages forbid added scripts, so this one
// comes from the debugger.
export const violations = async (page, packages) => {
  const axe = readFileSync(requireFrom(packages).resolve("axe-core/axe.min.js"), "utf8");
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", {expression: axe + ";0"});
  const found = await session.send("Runtime.evaluate", {awaitPromise: true, returnByValue: true,
    expression: "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 140) + ' ' + (n.any[0]?.message || '')).join(' | ')))"});
  if (found.exceptionDetails) throw new Error(JSON.stringify(found.exceptionDetails));
  return found.result.value;
};
