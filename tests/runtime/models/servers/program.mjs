// Runs the program with a model, in a folder of its own, and reads what it wrote.
import {spawn} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {createInterface} from "node:readline";

export const patience = 120_000; // of one run

export class Program {
  constructor(path) {
    this.path = path;
    this.folder = mkdtempSync(join(tmpdir(), "scratchpage-models-"));
  }

  file(name) { return join(this.folder, name); }
  text(name) { return readFileSync(this.file(name), "utf8"); }

  write(name, value) {
    writeFileSync(this.file(name), typeof value === "string" ? value : JSON.stringify(value));
    return this.file(name);
  }

  // `with_it` is the key of the model, or variables of the environment.
  start(words, with_it) {
    const variables = typeof with_it === "string" ? {MODEL_KEY: with_it} : with_it;
    const child = spawn(this.path, words,
      {stdio: ["ignore", "pipe", "inherit"], env: {...process.env, ...variables}});
    const ended = new Promise(done => child.once("close", done));
    const kill = () => child.kill("SIGKILL");
    const timer = setTimeout(kill, patience);
    process.once("exit", kill); // if the test fails meanwhile
    ended.then(() => {
      clearTimeout(timer);
      process.off("exit", kill);
    });
    return {child, ended};
  }

  // Runs a command to its end. Returns what it printed.
  async run(words, with_it) {
    const {child, ended} = this.start(words, with_it);
    let out = "";
    child.stdout.on("data", x => { out += x; });
    const code = await ended;
    if (code !== 0) throw new Error(`${words.join(" ")}: ended with ${code ?? child.signalCode}`);
    return out;
  }

  // Starts the server. Returns its address, and how to stop it.
  async serve(words, with_it) {
    const {child, ended} = this.start(
      ["serve", "--listen", "127.0.0.1:0", "--data", this.file("data"), ...words], with_it);
    for await (const line of createInterface({input: child.stdout}))
      return {url: line.trim(), stop: () => { child.kill("SIGTERM"); return ended; }};
    throw new Error("the server said no URL");
  }

  // The questions to models in a trace.
  questions(trace) {
    return this.text(trace).trim().split("\n").map(line => JSON.parse(line))
      .filter(x => x.operation === "ask_model");
  }

  end() { rmSync(this.folder, {recursive: true, force: true}); }
}

export const check = (what, ok, detail = "") => {
  const shown = typeof detail === "string" ? detail : JSON.stringify(detail);
  if (!ok) throw new Error(`${what}: ${shown}`);
  console.log(`ok: ${what}`);
};
