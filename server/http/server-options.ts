import { randomUUID } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyHttpOptions, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { ProblemCode } from '#contract/http/problem-texts.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { HttpSettings } from './http-settings.ts'
import { loggedUrl } from './operate/request-log.ts'
import { problemBody, sendProblem } from './problem-answers.ts'
import { securityHeaders } from './security-headers.ts'

/** What Node's HTTP parser says by the code of its error; everything else that it cannot read is `bad_input`. */
const CODES: Readonly<Partial<Record<string, ProblemCode>>> = {
  HPE_HEADER_OVERFLOW: 'address_too_long',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
}

const LINGER_MS = 1_000

/** The answer under way on a connection, as Node keeps it for its own handler of these errors. */
type Answering = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null }

/**
 * Answers what Node's parser refuses before there is a request (an unknown method, two lengths, headers that are too long or too slow), with
 * the headers of every answer (R37) and in the product's words. The connection ends: what follows on it cannot be read.
 */
function answerParserErrors(
  settings: HttpSettings,
): (error: Error & { readonly code?: string }, socket: Socket) => void {
  const headers = securityHeaders(settings)
  return (error, socket) => {
    // Nobody is there to read an answer, or one is already under way on this connection.
    const isAnswering = (socket as Answering)._httpMessage?.headersSent === true
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy()
    // What still comes in is read and thrown away for a moment: a connection closed over unread bytes loses the answer too.
    socket.removeAllListeners('data').on('data', () => undefined)
    socket.once('end', () => socket.destroy())
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
    socket.end(answerOf(new ProblemError(CODES[error.code ?? ''] ?? 'bad_input'), headers))
  }
}

function answerOf(problem: ProblemError, headers: Readonly<Record<string, string>>): string {
  const requestId = randomUUID()
  const body = JSON.stringify(problemBody(problem, requestId))
  const all = {
    ...headers,
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', body].join('\r\n')
}

/** R39: Node's own defaults are 1 minute for the headers, 5 for the request and any number of connections. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const MAX_CONNECTIONS = 5000
/**
 * Address and headers together. The report's filters stand in the address, nine bytes for a Thai letter: three searches of the longest kind and
 * every list filled are below it. Node's own limit is 16 kB.
 */
const MAX_HEADERS_BYTES = 65_536
const BODY_LIMIT_BYTES = 1_048_576
/** Longer than the usual 60 s of proxies in front, so that they and not we close idle connections. */
const KEEP_ALIVE_MS = 65_000

/**
 * Limits, log and addresses of the server itself. `sendPage` answers an address that nothing can be found at with the client's page;
 * false where a page is not what was asked for.
 */
export function serverOptions(
  settings: HttpSettings,
  sendPage: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> = async () => false,
) {
  const headers = securityHeaders(settings)
  return {
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // What still comes in over an open connection while the server stops is answered, as the last of its connection (R51).
    return503OnClosing: false,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: MAX_HEADERS_BYTES,
    },
    clientErrorHandler: answerParserErrors(settings),
    trustProxy: settings.trustedProxies?.length ? [...settings.trustedProxies] : false,
    genReqId: () => randomUUID(),
    // We write our own line: the standard one holds the whole address with its refkey.
    logController: new LogController({ disableRequestLogging: true }),
    logger:
      settings.logLevel === 'silent'
        ? false
        : {
            level: settings.logLevel ?? 'info',
            ...(settings.logStream ? { stream: settings.logStream } : {}),
            serializers: {
              req: (request: FastifyRequest) => ({ method: request.method, url: loggedUrl(request) }),
            },
          },
    routerOptions: {
      // The specification's auth paths end in a slash, its other paths do not; both work without a redirect, which would lose bodies (R40).
      ignoreTrailingSlash: true,
      maxParamLength: 500,
    },
    // Addresses that cannot be decoded never reach a hook.
    frameworkErrors: async (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(headers).header('x-request-id', request.id)
      if (!(await sendPage(request, reply).catch(() => false)))
        sendProblem(reply, new ProblemError('bad_input'), request.id)
    },
  } satisfies FastifyHttpOptions<Server>
}

/** What node:http takes only on the running server. */
export function limitConnections(server: Server): void {
  server.maxConnections = MAX_CONNECTIONS
}
