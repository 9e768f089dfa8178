import { randomUUID } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyHttpOptions, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { ApiProblemCode } from '#contract/http/problem-texts.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import type { HttpSettings } from './http-settings.ts'
import { toLoggableUrl } from './operate/request-log.ts'
import { sendProblem, toProblemBody } from './problem-responses.ts'
import { createSecurityHeaders } from './security-headers.ts'

const CODES: Readonly<Partial<Record<string, ApiProblemCode>>> = {
  HPE_HEADER_OVERFLOW: 'address_too_long',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
}

const LINGER_MS = 1_000

type AnsweringSocket = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null }

/**
 * Answers requests that Node's parser refuses (an unknown method, two lengths, headers too long or too slow) with the
 * standard headers (R37) and problem body. The connection is closed, because what follows on it cannot be parsed.
 */
function answerParserErrors(
  settings: HttpSettings,
): (error: Error & { readonly code?: string }, socket: Socket) => void {
  const headers = createSecurityHeaders(settings)
  return (error, socket) => {
    const isAnswering = (socket as AnsweringSocket)._httpMessage?.headersSent === true
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy()
    // Drain incoming bytes briefly, because closing a socket with unread data would discard the response too.
    socket.removeAllListeners('data').on('data', () => undefined)
    socket.once('end', () => socket.destroy())
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
    socket.end(rawResponse(new ProblemError(CODES[error.code ?? ''] ?? 'bad_input'), headers))
  }
}

function rawResponse(problem: ProblemError, headers: Readonly<Record<string, string>>): string {
  const requestId = randomUUID()
  const body = JSON.stringify(toProblemBody(problem, requestId))
  const allHeaders = {
    ...headers,
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', body].join('\r\n')
}

/**
 * Stricter limits than Node's defaults (R39), which are 1 minute for the headers, 5 for the request and unlimited
 * connections.
 */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const MAX_CONNECTIONS = 5000
/**
 * Maximum size of URL and headers together; Node's default is 16 kB. The report's filters are in the URL, nine bytes
 * per Thai letter; three searches of maximum length with every list filled fit below this limit.
 */
const MAX_HEADERS_BYTES = 65_536
const BODY_LIMIT_BYTES = 1_048_576
/** Proxies usually close idle connections after 60 s. Keep ours open longer so that the proxy closes first. */
const KEEP_ALIVE_MS = 65_000

/**
 * Returns the limits, logging and routing options of the server. `sendPage` answers an undecodable URL with the
 * client's page; it resolves to false when the request is not a page navigation.
 */
export function createServerOptions(
  settings: HttpSettings,
  sendPage: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> = async () => false,
) {
  const headers = createSecurityHeaders(settings)
  return {
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Requests on open connections are still answered during shutdown, each as the last of its connection (R51).
    return503OnClosing: false,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 2000,
      maxHeaderSize: MAX_HEADERS_BYTES,
    },
    clientErrorHandler: answerParserErrors(settings),
    trustProxy: settings.trustedProxies?.length ? [...settings.trustedProxies] : false,
    genReqId: () => randomUUID(),
    // Do not use Fastify's default log line, because it contains the whole URL with its refkey.
    logController: new LogController({ disableRequestLogging: true }),
    logger:
      settings.logLevel === 'silent'
        ? false
        : {
            level: settings.logLevel ?? 'info',
            ...(settings.logStream ? { stream: settings.logStream } : {}),
            serializers: {
              req: (request: FastifyRequest) => ({ method: request.method, url: toLoggableUrl(request) }),
            },
          },
    routerOptions: {
      // The specification's auth paths end in a slash, others do not; a redirect would lose bodies (R40).
      ignoreTrailingSlash: true,
      maxParamLength: 500,
    },
    // Undecodable URLs never reach a hook, so handle them here.
    frameworkErrors: async (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(headers).header('x-request-id', request.id)
      if (!(await sendPage(request, reply).catch(() => false)))
        sendProblem(reply, new ProblemError('bad_input'), request.id)
    },
  } satisfies FastifyHttpOptions<Server>
}

export function limitConnections(server: Server): void {
  server.maxConnections = MAX_CONNECTIONS
}
