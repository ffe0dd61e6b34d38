// Clients written in JavaScript against our server. Run in a folder with the packages of test_mcp_clients.py installed:
//   node mcp_clients.mjs <url of /mcp> <path of input_schema.json> <python> <folder of memories>
// Prints one JSON object with what each client saw.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [url, schemaPath, python, folder] = process.argv.slice(2);
const require = createRequire(join(process.cwd(), 'index.js'));
const hosted = join(dirname(require.resolve('@apify/actors-mcp-server')), '..', 'dist');
const load = (path) => import(pathToFileURL(path).href);

const { Client } = await load(require.resolve('@modelcontextprotocol/sdk/client/index.js'));
const { StdioClientTransport } = await load(require.resolve('@modelcontextprotocol/sdk/client/stdio.js'));
const { StreamableHTTPClientTransport } = await load(require.resolve('@modelcontextprotocol/sdk/client/streamableHttp.js'));

const STORE = 'acme~js';

async function use(transport) {
    const client = new Client({ name: 'e2e', version: '1.0.0' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    const stored = await client.callTool({ name: 'remember', arguments: { memoryStoreId: STORE, content: 'The gateway is in Riga.' } });
    const found = await client.callTool({ name: 'search', arguments: { memoryStoreId: STORE, query: 'where is the gateway' } });
    const refused = await client.callTool({ name: 'get', arguments: { memoryStoreId: STORE, memoryId: 'nowhere' } });
    const { prompts } = await client.listPrompts();
    const { resourceTemplates } = await client.listResourceTemplates();
    const version = client.getServerVersion();
    await client.close();
    return {
        server: version.name,
        tools: tools.map((tool) => tool.name),
        stored: stored.structuredContent,
        found: found.structuredContent,
        refused: { isError: refused.isError, body: JSON.parse(refused.content[0].text) },
        prompts: prompts.map((prompt) => prompt.name),
        templates: resourceTemplates.map((template) => template.uriTemplate),
    };
}

async function hostedServer() {
    const { buildActorInputSchema, fixedAjvCompile } = await load(join(hosted, 'tools', 'actor_input_schema.js'));
    const { ajv } = await load(join(hosted, 'utils', 'ajv.js'));
    const { getMCPServerTools } = await load(join(hosted, 'mcp', 'proxy.js'));
    const { connectMCPClient } = await load(join(hosted, 'mcp', 'client.js'));
    const { withRemoteMcpClient } = await load(join(hosted, 'mcp', 'remote_tool_call.js'));

    const { inputSchema } = buildActorInputSchema('acme/agent-memory', JSON.parse(readFileSync(schemaPath, 'utf8')), false);
    const validate = fixedAjvCompile(ajv, inputSchema);
    const input = { action: 'remember', memoryStoreId: STORE, content: 'x' };
    const accepted = validate(input);
    const refused = !validate({ memoryStoreId: STORE, content: 'x' });

    const client = await connectMCPClient(url, 'apify-token', 'session');
    const proxied = await getMCPServerTools('actor-id', client, url, 'acme/agent-memory');
    await client.close();
    const call = await withRemoteMcpClient(url, 'apify-token', 'session', new AbortController().signal, (remote) =>
        remote.callTool({ name: 'search', arguments: { memoryStoreId: STORE, query: 'where is the gateway' } }));
    return {
        inputSchema,
        accepted,
        refused,
        proxied: proxied.map(({ name, originToolName, description, annotations }) => ({ name, originToolName, description, annotations })),
        validated: proxied.every((tool) => typeof tool.ajvValidate === 'function'),
        outcome: call.outcome,
        found: call.value?.structuredContent,
    };
}

const environment = { ...process.env, AGENT_MEMORY_MODE: 'mcp', CRAWLEE_STORAGE_DIR: folder };
const seen = {
    stdio: await use(new StdioClientTransport({ command: python, args: ['-m', 'agent_memory'], env: environment, stderr: 'ignore' })),
    http: await use(new StreamableHTTPClientTransport(new URL(url))),
    hosted: await hostedServer(),
};
process.stdout.write(`\n${JSON.stringify(seen)}\n`);
process.exit(0);
