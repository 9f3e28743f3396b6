// Every client works with `scratchpage mcp`, each on a data directory of its own.
//
// usage: node all_stdio.mjs PROGRAM

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const clients = ['sdk1', 'client2', 'client2_auto', 'client2_pin', 'ai_sdk', 'inspector', 'inspector_modern'];
const run = fileURLToPath(new URL('run.mjs', import.meta.url));
const [program] = process.argv.slice(2);

function works(client) {
  const data = mkdtempSync(join(tmpdir(), 'mcp-client-'));
  const words = [run, client, program, 'mcp', '--data', data];
  const { status } = spawnSync(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(data, { recursive: true, force: true });
  return status === 0;
}

const failed = clients.filter((x) => !works(x));
console.log(`${clients.length - failed.length} of ${clients.length} clients work`);
process.exit(failed.length === 0 ? 0 : 1);
