// Runs the official conformance suite of MCP against the server of its fixtures. Fails unless
// every scored scenario passes and their number is as expected.
//
// usage: node conformance.mjs SERVER PACKAGES 2026|2025|0_1

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const suites = {
  2026: { package: 'conformance-0-2', options: ['--requirements', '2026-07-28'], scored: 37 },
  2025: { package: 'conformance-0-2', options: ['--requirements', '2025-11-25'], scored: 30 },
  '0_1': { package: 'conformance-0-1', options: [], scored: 30 },
};
const patience = 120_000;

const [server, packages, name] = process.argv.slice(2);
const suite = suites[name];
if (!suite) throw new Error(`expected one of ${Object.keys(suites)}, not '${name}'`);

/** Starts the server, which ends when its input ends. Returns its address. */
async function startServer() {
  const child = spawn(server, ['--port', '0'], { stdio: ['pipe', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) return { child, url: line };
  throw new Error('the server does not print its address');
}

/** Runs the suite and shows its output. Returns the output and the exit code. */
function runSuite(url) {
  const program = `${packages}/node_modules/${suite.package}/dist/index.js`;
  const words = [program, 'server', '--url', url, ...suite.options];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], timeout: patience });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
    process.stdout.write(data);
  });
  return new Promise((done) => child.on('close', (code) => done({ output, code })));
}

/** The scored scenarios of the summary, as `{scenario, passed, failed}`. */
function scoredIn(output) {
  const [counted, unscored = ''] = output.slice(output.lastIndexOf('=== SUMMARY ===')).split('Not scored for');
  const passedOver = new Set([...unscored.matchAll(/^ +[✓✗] (\S+)/gm)].map((x) => x[1]));
  return [...counted.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)]
    .map(([, scenario, passed, failed]) => ({ scenario, passed: Number(passed), failed: Number(failed) }))
    .filter((x) => !passedOver.has(x.scenario));
}

const { child, url } = await startServer();
const { output, code } = await runSuite(url);
child.stdin.end();

const scored = scoredIn(output);
const passed = scored.filter((x) => x.passed > 0 && x.failed === 0);
console.log(`\n${passed.length} of ${scored.length} scored scenarios passed; expected ${suite.scored}`);
process.exit(code === 0 && passed.length === suite.scored && scored.length === suite.scored ? 0 : 1);
