// @modelcontextprotocol/client 2.x: uses 2025-11-25 by default, 2026-07-28 if the server has
// it (auto), or 2026-07-28 only (pin).

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const modern = '2026-07-28';
const negotiations = { default: undefined, auto: { mode: 'auto' }, pin: { mode: { pin: modern } } };

export async function open(target, mode) {
  const transport = target.url
    ? new StreamableHTTPClientTransport(target.url, { requestInit: { headers: target.headers } })
    : new StdioClientTransport(target);
  const versionNegotiation = negotiations[mode];
  const client = new Client({ name: 'test', version: '1' }, { ...(versionNegotiation && { versionNegotiation }) });
  await client.connect(transport);
  const isModern = client.getNegotiatedProtocolVersion() === modern;
  if (isModern !== (mode !== 'default')) throw new Error(`agreed on ${client.getNegotiatedProtocolVersion()}`);
  let listening;
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    listResources: async () => (await client.listResources()).resources,
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    getPrompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    watch: async (uri, changed) => {
      client.setNotificationHandler('notifications/resources/updated', (x) => changed(x.params.uri));
      if (isModern) listening = await client.listen({ resourceSubscriptions: [uri] });
      else await client.subscribeResource({ uri });
    },
    close: async () => {
      await listening?.close();
      await transport.terminateSession?.();
      await client.close();
    },
  };
}
