import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** One item of an envelope: its kind, its documents (a replay recording has two), and the header of the envelope. */
type ReportedItem = {
  readonly type: string
  readonly documents: readonly Record<string, unknown>[]
  readonly envelope: Readonly<Record<string, unknown>>
}

export type ErrorSink = {
  readonly dsn: string
  readonly envelopes: readonly string[]
  reported(type: string): ReportedItem[]
  close(): Promise<void>
}

const UNPACK: Readonly<Record<string, (packed: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync }

export async function startErrorSink(): Promise<ErrorSink> {
  const envelopes: string[] = []
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    void buffer(request).then((body) => {
      const unpack = UNPACK[request.headers['content-encoding'] ?? '']
      if (request.method === 'POST') envelopes.push((unpack ? unpack(body) : body).toString('utf8'))
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    dsn: `http://publickey@127.0.0.1:${port}/1`,
    envelopes,
    reported: (type) => envelopes.flatMap(partsOf).filter((part) => part.type === type),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** Splits an envelope, which is a JSON header line, then for each item a JSON line followed by its payload. */
function partsOf(envelope: string): ReportedItem[] {
  const lines = envelope.split('\n').filter((line) => line !== '')
  const header = JSON.parse(lines.shift() ?? '{}') as ReportedItem['envelope']
  const parts: ReportedItem[] = []
  while (lines.length > 0) {
    const { type } = JSON.parse(lines.shift()!) as { type: string }
    const documents = lines.splice(0, type === 'replay_recording' ? 2 : 1).map((line) => JSON.parse(line))
    parts.push({ type, documents, envelope: header })
  }
  return parts
}
