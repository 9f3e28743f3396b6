// @ai-sdk/mcp 2.x: tries 2026-07-28 first.

import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';

export async function open(target) {
  const transport = target.url
    ? { type: 'http', url: target.url.href, headers: target.headers }
    : new Experimental_StdioMCPTransport(target);
  const client = await createMCPClient({ transport });
  const tools = await client.tools();
  return {
    listTools: async () => Object.keys(tools).map((name) => ({ name })),
    callTool: (name, args) => tools[name].execute(args, { toolCallId: 'x', messages: [] }),
    listResources: async () => (await client.listResources()).resources,
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    getPrompt: async (name, args) =>
      (await client.experimental_getPrompt({ name, arguments: args })).messages,
    close: () => client.close(),
  };
}
