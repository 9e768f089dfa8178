import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { ApiKeyScope } from '#contract/account/api-key.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import type { SignedIn } from './http-app.ts'

export const createMcpClient = () => new Client({ name: 'tests', version: '1' })

/** Starts listening and returns the base URL. */
export async function listenLocally(app: RouteApp): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

export async function createTestApiKey(
  app: RouteApp,
  { headers }: SignedIn,
  scopes: readonly ApiKeyScope[],
): Promise<{ readonly id: number; readonly key: string }> {
  const payload = { name: scopes.join(' '), scopes, days: 30 }
  const made = await app.inject({ method: 'POST', url: '/api/v2/organisations/me/api-keys', headers, payload })
  return made.json()
}

/** Connects the SDK's client over HTTP. */
export async function connectByHttp(base: string, key: string): Promise<Client> {
  const client = createMcpClient()
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  // The SDK's classes disagree about optional properties under exactOptionalPropertyTypes.
  const transport = new StreamableHTTPClientTransport(new URL('/api/mcp', base), { requestInit })
  await client.connect(transport as Parameters<Client['connect']>[0])
  return client
}

type ToolAnswer = { readonly isError: boolean; readonly text: string }

export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const [{ text }] = content as [{ text: string }]
  return { isError: isError === true, text }
}
