import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request received by the fake model, which is everything that left the product. */
type LlmRequest = {
  readonly authorization: string | undefined
  readonly raw: string
  readonly system: string
  readonly question: string
  readonly pages: readonly { readonly page: number; readonly text: string }[]
}

/**
 * How the server responds. A string is the model's whole message; `status` comes with a body; `stalls`: half a
 * response, then nothing; `endless`: a response without end.
 */
type ModelReply =
  | string
  | { readonly status: number; readonly body?: string; readonly location?: string }
  | 'hangs'
  | 'stalls'
  | 'endless'

export class LlmServer {
  readonly requests: LlmRequest[] = []
  reply: (request: LlmRequest) => ModelReply | Promise<ModelReply> = () => '{"quotes":[]}'
  onGone: () => void = () => undefined
  onHang: () => void = () => undefined
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let raw = ''
    for await (const piece of request.setEncoding('utf8')) raw += piece
    const { messages } = JSON.parse(raw) as { messages: { content: string }[] }
    const sent = JSON.parse(messages[1]!.content) as Pick<LlmRequest, 'question' | 'pages'>
    const received = { authorization: request.headers.authorization, raw, system: messages[0]!.content, ...sent }
    this.requests.push(received)
    response.on('close', () => {
      if (!response.writableEnded) this.onGone()
    })
    const reply = await this.reply(received)
    if (reply === 'hangs' || reply === 'stalls') {
      if (reply === 'stalls') {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"choices":[{"message":{"content":"{')
      }
      return this.onHang()
    }
    if (reply === 'endless') {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', more)
      return more()
    }
    if (typeof reply === 'object') {
      response.writeHead(reply.status, reply.location === undefined ? {} : { location: reply.location })
      return void response.end(reply.body ?? '{"error":{"message":"secret of the endpoint"}}')
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: reply } }] }))
  }
}

export const createQuoteReply = (...quotes: readonly (readonly [page: number, text: string])[]): string =>
  JSON.stringify({ quotes: quotes.map(([page, text]) => ({ page, text })) })
