import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MAX_DOCUMENT_BYTES } from '#contract/documents/document.ts'

type DocumentFault =
  /** The server sends an HTML page with status 200: `page` asks to log in, `rejection` comes from a firewall. */
  | { readonly kind: 'page' | 'rejection' }
  | { readonly kind: 'status'; readonly status: number }
  /** The server announces the full length and ends the connection after `after` bytes. */
  | { readonly kind: 'breaks'; readonly after: number; times: number }
  /** The server sends without a length until the client disconnects. */
  | { readonly kind: 'endless' | 'drips' }
  | { readonly kind: 'hangs' }
  | { readonly kind: 'redirects'; readonly to: string }

const PAGES = {
  page: '<!DOCTYPE html><html><body>กรุณาเข้าสู่ระบบ</body></html>',
  rejection: '<html><head><title>Request Rejected</title></head><body>Your support ID is: 123</body></html>',
} as const

/** Serves documents behind links like e-GP's, on a local port. Tests set and clear faults by path. */
export class DocumentServer {
  readonly files = new Map<string, Buffer>()
  readonly faults = new Map<string, DocumentFault>()
  fault: DocumentFault | undefined
  readonly requests: string[] = []
  readonly agents = new Set<string>()
  parallel = 0
  #underWay = 0
  #origin = ''
  readonly #server = createServer((request, response) => this.#reply(request, response))

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get origin(): string {
    return this.#origin
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  put(path: string, body: Buffer): string {
    this.files.set(path, body)
    return this.#origin + path
  }

  #reply({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
    this.requests.push(url)
    this.agents.add(headers['user-agent'] ?? '')
    if (this.#underWay > 0) this.parallel += 1
    this.#underWay += 1
    response.once('close', () => {
      this.#underWay -= 1
    })
    const fault = this.fault ?? this.faults.get(url)
    const body = this.files.get(url)
    if (fault && !(fault.kind === 'breaks' && fault.times === 0)) sendFault(response, fault, body)
    else if (!body) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body)
  }
}

function sendFault(response: ServerResponse, fault: DocumentFault, body?: Buffer): void {
  switch (fault.kind) {
    case 'page':
    case 'rejection':
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(PAGES[fault.kind])
      return
    case 'status':
      response.writeHead(fault.status).end('no')
      return
    case 'redirects':
      response.writeHead(302, { location: fault.to }).end()
      return
    case 'breaks':
      fault.times -= 1
      response.writeHead(200, { 'content-length': body?.length ?? 10_000 })
      response.write(body?.subarray(0, fault.after) ?? '%PDF', () => response.destroy())
      return
    case 'hangs':
      return
    case 'drips':
    case 'endless':
      sendOn(response, fault.kind === 'drips' ? 1 : 2 ** 20)
  }
}

/**
 * Sends a response that starts like a document: either endlessly, a byte every 20 ms, or slightly more than the size
 * limit at full speed.
 */
function sendOn(response: ServerResponse, bytes: number): void {
  response.writeHead(200)
  response.write('%PDF-1.4\n')
  const piece = Buffer.alloc(bytes, 32)
  let sent = 0
  const next = () => {
    if (response.destroyed || sent > MAX_DOCUMENT_BYTES + 10 * bytes) return
    sent += bytes
    response.write(piece, bytes === 1 ? undefined : next)
  }
  next()
  const timer = bytes === 1 ? setInterval(next, 20) : undefined
  response.once('close', () => clearInterval(timer))
}
