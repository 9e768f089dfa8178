import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessClaims } from '#contract/session.ts'

/** Query parameters and path parts that open something: never written down (R14, R56). */
const SECRET_PARAMS = ['refkey', 'token', 'code', 'access', 'refresh', 'email', 'password']
/** What people look for is their business and not the operator's: the usage log keeps it for their own organisation (R56). */
const WORDS = /name|search|word|term|text|deep|^q$/i
const SECRET_PATHS =
  /^(\/reset-password\/|\/api\/v2\/(?:password\/reset\/(?:verify|confirm)|mail-links\/unsubscribe|report-mail-preview)\/)[^/?]+/
const QUIET_PATHS = /^\/(livez|readyz|metrics|assets\/)/

/** Path and query as the log may hold them. */
export function scrubbedUrl(url: string): string {
  const [path = '', query] = url.split('?', 2)
  const safePath = path.replace(SECRET_PATHS, '$1[hidden]')
  if (query === undefined) return safePath
  const pairs = query.split('&').map((pair) => {
    const name = pair.split('=', 1)[0] ?? ''
    const plain = decoded(name).toLowerCase()
    return SECRET_PARAMS.includes(plain) || WORDS.test(plain) ? `${name}=[hidden]` : pair
  })
  return `${safePath}?${pairs.join('&')}`
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** One line a request: what was asked, by whom, the answer and how long it took. No headers and no bodies. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, claims: AccessClaims | undefined): void {
  const line = {
    method: request.method,
    url: scrubbedUrl(request.url),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    address: request.ip,
    ...(claims ? { user: claims.sub, organisation: claims.org } : {}),
  }
  if (QUIET_PATHS.test(request.url)) request.log.debug(line, 'request')
  else request.log.info(line, 'request')
}
