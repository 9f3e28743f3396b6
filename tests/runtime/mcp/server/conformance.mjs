// Runs the official conformance suite of MCP against the server of its fixtures. Fails unless
// every scenario passes, scored or not, and their numbers are as expected.
//
// usage: node conformance.mjs SERVER PACKAGES 2026|2025|0_1

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

// `more` are scenarios that are not scored: those of extensions, and those that the suite's own
// server does not pass. `unchecked` are the ones that check nothing here: the suite skips its
// notifications of tasks, and polling is about answers that are streams.
const suites = {
  2026: {
    package: 'conformance-0-2',
    options: ['--requirements', '2026-07-28'],
    scored: 37,
    more: 13,
    unchecked: ['tasks-status-notifications'],
  },
  2025: {
    package: 'conformance-0-2',
    options: ['--requirements', '2025-11-25'],
    scored: 30,
    more: 3,
    unchecked: ['server-sse-polling'],
  },
  '0_1': { package: 'conformance-0-1', options: [], scored: 30, more: 0, unchecked: [] },
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

/** The scenarios of the summary, as `{scenario, passed, failed, scored}`. */
function scenariosIn(output) {
  const [counted, more = ''] = output.slice(output.lastIndexOf('=== SUMMARY ===')).split('Not scored for');
  const unscored = new Set([...more.matchAll(/^ +[✓✗] (\S+)/gm)].map((x) => x[1]));
  return [...counted.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(([, scenario, passed, failed]) => ({
    scenario,
    passed: Number(passed),
    failed: Number(failed),
    scored: !unscored.has(scenario),
  }));
}

const { child, url } = await startServer();
const { output, code } = await runSuite(url);
child.stdin.end();

const all = scenariosIn(output);
const scored = all.filter((x) => x.scored).length;
const isChecked = (x) => x.passed > 0 || !suite.unchecked.includes(x.scenario);
const failing = all.filter((x) => x.failed > 0 || (isChecked(x) && x.passed === 0));
const unchecked = all.filter((x) => !isChecked(x)).length;
console.log(`\n${scored} scored scenarios, expected ${suite.scored}; ${all.length - scored} more, expected ${suite.more}`);
console.log(`${all.length - failing.length} of ${all.length} passed, ${unchecked} of them without any check`);
for (const x of failing) console.log(`failing: ${x.scenario}`);
const isExpected = scored === suite.scored && all.length === suite.scored + suite.more && unchecked === suite.unchecked.length;
process.exit(code === 0 && failing.length === 0 && isExpected ? 0 : 1);
