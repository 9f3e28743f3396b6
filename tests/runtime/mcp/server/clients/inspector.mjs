// The inspector's command line 2.x. It is a new process for each request, which starts its own
// server unless the target has an address.

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const folder = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json'));
const program = join(folder, 'clients/launcher/build/index.js');

export async function open(target, era) {
  const where = target.url ? [target.url.href, '--transport', 'http'] : [target.command, ...target.args];
  for (const [name, value] of Object.entries(target.headers ?? {})) where.push('--header', `${name}: ${value}`);
  const ask = async (method, ...words) => {
    const all = [program, '--cli', ...where, '--protocol-era', era, '--method', method, ...words];
    const { stdout } = await promisify(execFile)(process.execPath, all, { timeout: 30_000 }).catch((x) => {
      if (x.stdout) return x; // a failing tool also sets the exit code
      throw x;
    });
    return JSON.parse(stdout);
  };
  return {
    listTools: async () => (await ask('tools/list')).tools,
    callTool: (name, args) => ask('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)),
    listResources: async () => (await ask('resources/list')).resources,
    readResource: async (uri) => (await ask('resources/read', '--uri', uri)).contents,
    getPrompt: async (name, args) =>
      (await ask('prompts/get', '--prompt-name', name, '--prompt-args',
        ...Object.entries(args).map(([key, value]) => `${key}=${value}`))).messages,
    close: async () => {},
  };
}
