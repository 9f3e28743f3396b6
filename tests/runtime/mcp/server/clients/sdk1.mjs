// @modelcontextprotocol/sdk 1.x: uses 2025-11-25.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

export async function open(target) {
  const transport = target.url
    ? new StreamableHTTPClientTransport(target.url, { requestInit: { headers: target.headers } })
    : new StdioClientTransport(target);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    listResources: async () => (await client.listResources()).resources,
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    getPrompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    watch: async (uri, changed) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, (x) => changed(x.params.uri));
      await client.subscribeResource({ uri });
    },
    close: async () => {
      await transport.terminateSession?.();
      await client.close();
    },
  };
}
