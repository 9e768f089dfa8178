import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { WebhookPayload } from '#contract/account/webhook-payload.ts'

type ReceivedWebhook = {
  readonly path: string
  readonly id: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly payload: WebhookPayload
}

type ReceiverMood = number | ((response: ServerResponse, request: IncomingMessage) => void)

export type TestReceiver = {
  readonly url: string
  readonly received: ReceivedWebhook[]
  /** Responses to the next requests, in order; afterwards the receiver answers 200. */
  readonly moods: ReceiverMood[]
  close(): Promise<void>
}

export async function startWebhookReceiver(): Promise<TestReceiver> {
  const received: ReceivedWebhook[] = []
  const moods: ReceiverMood[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { headers, url: path = '' } = request
      received.push({ path, id: String(headers['webhook-id']), headers, body, payload: JSON.parse(body) })
      const mood = moods.shift() ?? 200
      if (typeof mood === 'number') response.writeHead(mood).end(`said ${mood}`)
      else mood(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    moods,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function isSignedBy({ id, headers, body }: ReceivedWebhook, secret: string): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  return String(headers['webhook-signature'])
    .split(' ')
    .includes(new Webhook(secret).sign(id, at, body))
}
