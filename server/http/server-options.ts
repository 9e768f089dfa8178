import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { type FastifyHttpOptions, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { ProblemError } from '#server/route/problem.ts'
import type { HttpSettings } from './http-settings.ts'
import { loggedUrl } from './operate/request-log.ts'
import { answerParserErrors } from './parser-answers.ts'
import { sendProblem } from './problem-answers.ts'
import { securityHeaders } from './security-headers.ts'

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
