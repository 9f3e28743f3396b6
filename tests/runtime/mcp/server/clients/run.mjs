// Runs a third-party client with an agent: it lists tools and resources, adds a note, finds
// and reads it, gets a prompt, gets an error for a wrong call, and is notified of a change.
//
// usage: node run.mjs CLIENT URL
//        node run.mjs CLIENT COMMAND WORD...

import assert from 'node:assert/strict';

import * as aiSdk from './ai_sdk.mjs';
import * as client2 from './client2.mjs';
import * as inspector from './inspector.mjs';
import * as sdk1 from './sdk1.mjs';
import { targetOf } from './target.mjs';

const clients = {
  sdk1: (target) => sdk1.open(target),
  client2: (target) => client2.open(target, 'default'),
  client2_auto: (target) => client2.open(target, 'auto'),
  client2_pin: (target) => client2.open(target, 'pin'),
  ai_sdk: (target) => aiSdk.open(target),
  inspector: (target) => inspector.open(target, 'legacy'),
  inspector_modern: (target) => inspector.open(target, 'modern'),
};
const page = 'scratchpage://page';

async function work(client, word) {
  const tools = (await client.listTools()).map((x) => x.name);
  assert(tools.includes('add_observation') && tools.includes('scratch_read'), `tools: ${tools}`);

  const added = await client.callTool('add_observation', { type: 'observation', content: `Noticed ${word}` });
  const id = added.structuredContent.observation_id;
  assert.match(id, /^obs_/);
  const found = await client.callTool('query_observations', { query: word });
  assert.deepEqual(found.structuredContent.observations.map((x) => x.observation_id), [id]);

  const refused = await client.callTool('add_observation', { type: 'observation', content: 7 });
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /content/);

  const resources = (await client.listResources()).map((x) => x.uri);
  assert(resources.includes(page), `resources: ${resources}`);
  assert((await client.readResource(page))[0].text.includes(word));
  assert((await client.readResource(`scratchpage://observations/${id}`))[0].text.includes(word));
  await assert.rejects(() => client.readResource('scratchpage://observations/none'));

  const messages = await client.getPrompt('context', { prompt: word });
  assert(messages[0].content.text.includes(word));
}

/** The client is notified of a change that it makes itself. */
async function hear(client) {
  let told;
  const changed = new Promise((then) => { told = then; });
  await client.watch(page, told);
  await client.callTool('add_observation', { type: 'observation', content: 'Something else' });
  assert.equal(await changed, page);
}

const [name, ...words] = process.argv.slice(2);
const open = clients[name];
if (!open) throw new Error(`expected one of ${Object.keys(clients)}, not '${name}'`);
const failsafe = setTimeout(() => {
  console.error(`${name} is not done in a minute`);
  process.exit(1);
}, 60_000);

const client = await open(targetOf(words));
await work(client, `w${process.pid}`);
if (client.watch) await hear(client);
await client.close();
console.log(`${name}: ${client.watch ? 'works, and hears of changes' : 'works'}`);
clearTimeout(failsafe);
setTimeout(() => process.exit(0), 1000).unref(); // for clients that keep a connection open
