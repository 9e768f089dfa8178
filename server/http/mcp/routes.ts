import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { z } from 'zod/mini'
import { API_KEY_ROLE } from '#server/platform/route/actor.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { createMcpApi } from './mcp-api.ts'

/**
 * POST /mcp: the Model Context Protocol over streamable HTTP, without sessions or streams. Each tool calls GET routes
 * with the caller's key, so the protocol grants nothing that the key cannot read.
 */
export function mcpRoutes(app: RouteApp, { actorOf, mails }: RouteContext): void {
  app.post(
    '/mcp',
    {
      config: { role: API_KEY_ROLE },
      schema: {
        tags: ['mcp'],
        summary:
          'Handle a request of an AI assistant by the Model Context Protocol (MCP), with the tools that the scopes of the key allow',
        body: z.unknown(),
      },
    },
    async (request, reply) => {
      // The protocol dropped batches in 2025-06-18, and the SDK waits forever for one that uses an id twice.
      if (Array.isArray(request.body)) throw new ProblemError('bad_input', { text: 'ส่งได้ครั้งละหนึ่งข้อความ ไม่รับเป็นชุด' })
      const { scopes = [] } = await actorOf(request)
      const mcp = createMcpServer({ api: createMcpApi(app, request), link: (path) => mails.link(path), scopes })
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      await mcp.connect(transport)
      const version = request.headers['mcp-protocol-version']
      const headers = {
        // Some clients accept JSON only, which is what this route sends.
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
      }
      const message = new Request('http://localhost/api/mcp', { method: 'POST', headers, body: '' })
      const answer = await transport.handleRequest(message, { parsedBody: request.body })
      const text = await answer.text()
      await mcp.close()
      return reply.code(answer.status).type('application/json; charset=utf-8').serializer(String).send(text)
    },
  )
}
