import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { CommandUsageError } from './terminal.ts'

export const MCP_USAGE = `usage: npm run -s mcp
  connect an assistant on this machine (standard input and output) to /api/mcp of a running server
  TAMNGAN_KEY   API key, tng_…
  TAMNGAN_URL   URL of the server; default: PUBLIC_URL, else this machine`

export type McpConnection = { readonly url: string; readonly key: string | undefined }

/**
 * Forwards the messages of an assistant on standard input to the server and its answers to standard output. The server
 * keeps the database open, so this process only talks to it, with the rights and limits of the key.
 */
export async function runMcpCommand({ url, key }: McpConnection): Promise<void> {
  if (key === undefined || key === '') throw new CommandUsageError(MCP_USAGE)
  const assistant = new StdioServerTransport()
  const server = new StreamableHTTPClientTransport(new URL('/api/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  server.onmessage = (message) => {
    if ('result' in message && typeof message.result.protocolVersion === 'string')
      server.setProtocolVersion(message.result.protocolVersion)
    void assistant.send(message)
  }
  assistant.onmessage = (message) => {
    server.send(message).catch((error: unknown) => {
      const answer = toErrorAnswer(message, error, url)
      if (answer) void assistant.send(answer)
    })
  }
  await server.start()
  await assistant.start()
}

/** Returns the error for a request, which would otherwise wait forever; undefined for a notification. */
function toErrorAnswer(message: JSONRPCMessage, error: unknown, url: string): JSONRPCMessage | undefined {
  if (!('method' in message && 'id' in message)) return undefined
  return { jsonrpc: '2.0', id: message.id, error: { code: ErrorCode.InternalError, message: errorText(error, url) } }
}

function errorText(error: unknown, url: string): string {
  if (!(error instanceof StreamableHTTPError)) return `ติดต่อ ${url} ไม่ได้ ตรวจว่าเซิร์ฟเวอร์ทำงานอยู่และ TAMNGAN_URL ถูกต้อง`
  if (error.code === 401) return 'คีย์นี้ใช้ไม่ได้ ตรวจ TAMNGAN_KEY หรือสร้างคีย์ใหม่ที่ ตั้งค่า → เชื่อมต่อ → คีย์ API'
  if (error.code === 429) return 'เรียกถี่เกินไป รอหนึ่งนาทีแล้วลองใหม่'
  return `เซิร์ฟเวอร์ตอบ ${error.code ?? ''} ลองใหม่ในอีกสักครู่`
}
