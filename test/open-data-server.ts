import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A file on the server. `etag` null: responses carry no validator. */
type OpenFile = { readonly body: Buffer; readonly etag: string | null; readonly type?: string }

type OpenFault =
  /** The server sends `after` bytes, then stalls. */
  | { readonly kind: 'stalls'; readonly after: number; times: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'hangs' }
  | { readonly kind: 'page' }
  | { readonly kind: 'redirects'; readonly to: string }
  /** The server ignores range requests and sends the whole file. */
  | { readonly kind: 'whole' }

type OpenRequest = {
  readonly path: string
  readonly query: URLSearchParams
  readonly range: string | undefined
  readonly condition: string | undefined
  readonly agent: string
}

type Resource = {
  readonly url: string
  readonly name: string
  readonly format: string
  readonly last_modified?: string
}

/**
 * A local open-data catalogue (CKAN) with its files, answering like the real ones. Tests switch its faults on and off.
 */
export class OpenDataServer {
  readonly files = new Map<string, OpenFile>()
  readonly packages = new Map<string, readonly Resource[]>()
  readonly faults = new Map<string, OpenFault>()
  readonly requests: OpenRequest[] = []
  answer: (request: OpenRequest) => { readonly status: number; readonly json: unknown } | undefined = () => undefined
  readonly #server = createServer((request, response) => this.#reply(request, response))
  #origin = ''

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

  put(path: string, body: string | Buffer, etag: string | null = `"${path}-${this.requests.length}"`): string {
    this.files.set(path, { body: Buffer.from(body), etag })
    return `${this.#origin}${path}`
  }

  paths(): string[] {
    return this.requests.map(({ path }) => path)
  }

  #reply(message: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(message.url ?? '/', 'http://open')
    const { headers } = message
    const request: OpenRequest = {
      path: pathname,
      query: searchParams,
      range: headers.range,
      condition: headers['if-none-match'] ?? headers['if-modified-since'],
      agent: headers['user-agent'] ?? '',
    }
    this.requests.push(request)
    const fault = this.faults.get(pathname)
    const file = this.files.get(pathname)
    if (fault && fault.kind !== 'stalls' && fault.kind !== 'whole') sendFault(response, fault)
    else if (file) this.#sendFile(response, request, file, { ifRange: headers['if-range'], fault })
    else {
      const reply = this.#catalogue(request) ?? this.answer(request) ?? { status: 404, json: {} }
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.json))
    }
  }

  #sendFile(
    response: ServerResponse,
    { range, condition }: OpenRequest,
    { body, etag, type = 'text/csv' }: OpenFile,
    { ifRange, fault }: { readonly ifRange: string | string[] | undefined; readonly fault: OpenFault | undefined },
  ): void {
    const headers = { 'content-type': type, ...(etag === null ? {} : { etag }) }
    if (condition !== undefined && condition === etag) {
      response.writeHead(304, headers).end()
      return
    }
    const rangeMatch = /^bytes=(\d+)-$/.exec(range ?? '')
    let from =
      rangeMatch && fault?.kind !== 'whole' && (ifRange === undefined || ifRange === etag) ? Number(rangeMatch[1]) : 0
    if (from > 0 && from >= body.length) {
      response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end()
      return
    }
    if (from > 0) {
      const contentRange = `bytes ${from}-${body.length - 1}/${body.length}`
      response.writeHead(206, { ...headers, 'content-length': body.length - from, 'content-range': contentRange })
    } else {
      from = 0
      response.writeHead(200, { ...headers, 'content-length': body.length })
    }
    if (fault?.kind === 'stalls' && fault.times > 0) {
      fault.times -= 1
      response.write(body.subarray(from, from + fault.after))
    } else response.end(body.subarray(from))
  }

  #catalogue({ path, query }: OpenRequest): { status: number; json: unknown } | undefined {
    if (path === '/api/3/action/package_show') {
      const resources = this.packages.get(query.get('id') ?? '')
      if (!resources) return { status: 404, json: { success: false, error: { message: 'ไม่พบ' } } }
      return { status: 200, json: { success: true, result: { name: query.get('id'), resources } } }
    }
    if (path !== '/api/3/action/package_search') return undefined
    const prefix = (query.get('fq') ?? '').replace(/^name:/, '').replace(/\*$/, '')
    const matches = [...this.packages].filter(([name]) => name.startsWith(prefix))
    const start = Number(query.get('start'))
    const results = matches.slice(start, start + Number(query.get('rows')))
    return {
      status: 200,
      json: {
        success: true,
        result: { count: matches.length, results: results.map(([name, resources]) => ({ name, resources })) },
      },
    }
  }
}

function sendFault(response: ServerResponse, fault: OpenFault): void {
  if (fault.kind === 'status') response.writeHead(fault.status).end('no')
  if (fault.kind === 'redirects') response.writeHead(302, { location: fault.to }).end()
  if (fault.kind === 'page')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html>Request Rejected</html>')
}
