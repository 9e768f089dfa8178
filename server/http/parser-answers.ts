import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ProblemCode } from '#contract/http/problem.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { HttpSettings } from './http-settings.ts'
import { problemBody } from './problem-answers.ts'
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
export function answerParserErrors(
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
