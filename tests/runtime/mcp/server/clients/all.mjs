// Runs every client with an agent: over stdio each with its own `scratchpage mcp` and data
// directory, over HTTP all with one `scratchpage serve`.
//
// usage: node all.mjs PROGRAM stdio|http

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const clients = ['sdk1', 'client2', 'client2_auto', 'client2_pin', 'ai_sdk', 'inspector', 'inspector_modern'];
const [program, transport] = process.argv.slice(2);

async function withDirectory(work) {
  const data = mkdtempSync(join(tmpdir(), 'mcp-client-'));
  try {
    return await work(data);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

async function works(client, ...target) {
  const run = fileURLToPath(new URL('run.mjs', import.meta.url));
  const child = spawn(process.execPath, [run, client, ...target], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  return code === 0;
}

async function overStdio(client) {
  return withDirectory((data) => works(client, program, 'mcp', '--data', data));
}

/** Starts the server. Returns the process and its address. */
async function startServer(data) {
  const words = ['serve', '--data', data, '--listen', '127.0.0.1:0'];
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) return { child, url: line };
  throw new Error('the server does not print its address');
}

async function overHttp(work) {
  return withDirectory(async (data) => {
    const { child, url } = await startServer(data);
    const result = await work((client) => works(client, `${url}/mcp?agent=ada`));
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    console.log(`the server ended with ${code}`);
    return code === 0 && result;
  });
}

async function all(one) {
  let working = 0;
  for (const client of clients) working += (await one(client)) ? 1 : 0;
  console.log(`${working} of ${clients.length} clients work over ${transport}`);
  return working === clients.length;
}

const passed = transport === 'http' ? await overHttp(all) : await all(overStdio);
process.exit(passed ? 0 : 1);
