import { request as ask, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

type Deployment = {
  readonly url: string
  /** Renames all build files as a deployment does, so that requests for the previous build's files fail. */
  deploy(): void
  close(): Promise<void>
}

/** `name-HASH.js` as the build writes it; the newer build's hash is one character longer. */
const NAME = /-([\w-]{8})\.(js|css)\b/g
const NEWER = /-([\w-]{8})Z\.(js|css)\b/g
const newer = (text: string) => text.replace(NAME, '-$1Z.$2')
/** Replaces the 16-digit hash by which the worker identifies its build. */
const newerWorker = (text: string) => newer(text).replace(/\b[0-9a-f]{16}\b/, (id) => [...id].reverse().join(''))

/** Starts a proxy in front of `upstream` that can switch to the next build. */
export async function startDeployment(upstream: string): Promise<Deployment> {
  let isNewer = false
  const server: Server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/'
    const isAsset = path.startsWith('/assets/') && /\.(js|css)$/.test(path)
    if (isNewer && isAsset && !path.match(NEWER)) {
      outgoing.writeHead(404).end()
      return
    }
    const { host, origin } = new URL(upstream)
    // Conditional headers are removed, because the upstream files are unchanged and would be answered with 304.
    const { 'if-none-match': _tag, 'if-modified-since': _time, ...forwarded } = incoming.headers
    const headers = { ...forwarded, host, 'accept-encoding': 'identity', ...(forwarded.origin ? { origin } : {}) }
    const options = { method: incoming.method, headers }
    const upstreamCall = ask(new URL(path.replace(NEWER, '-$1.$2'), upstream), options, (answer) => {
      const isText = /javascript|css|html/.test(answer.headers['content-type'] ?? '') && !path.startsWith('/api/')
      if (!isNewer || !isText) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
        return
      }
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const { 'content-length': _length, etag: _etag, 'last-modified': _modified, ...rest } = answer.headers
        const text = Buffer.concat(parts).toString()
        outgoing.writeHead(answer.statusCode ?? 502, rest).end(path === '/worker.js' ? newerWorker(text) : newer(text))
      })
    })
    upstreamCall.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(upstreamCall)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deploy: () => {
      isNewer = true
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
