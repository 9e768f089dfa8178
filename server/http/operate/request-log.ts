import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessClaims } from '#contract/account/session.ts'
import { REPORT_SORT_FIELDS } from '#contract/catalogue/report-columns.ts'
import { screenAt } from '#contract/screen.ts'

const isCount = (value: string) => /^\d{1,6}$/.test(value)
const isFlag = (value: string) => /^(?:true|false|0|1)$/.test(value)
const isOrdering = (value: string) => REPORT_SORT_FIELDS.some((field) => value === field || value === `-${field}`)
const FLAGS = [
  'is_archived',
  'check_sme',
  'project_bookmark',
  'project_hidden',
  'project_since_visit',
  'pursuit_has_notes',
  'queue',
  'market',
]
/**
 * Values that may stand in the log, by parameter. What people look for is their business and not the operator's, and links open accounts
 * (R14, R56): every value that is not named here is hidden, also that of a parameter which comes later.
 */
const HARMLESS: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ['page', isCount],
  ['ends_within', isCount],
  ['ai_deep_from', isCount],
  ['page_size', isCount],
  ['ordering', isOrdering],
  ...FLAGS.map((name) => [name, isFlag] as const),
])
const PARAMETER_NAME = /^[A-Za-z][A-Za-z0-9_]{0,60}$/
const HIDDEN = '[hidden]'
const QUIET_PATHS = /^\/(livez|readyz|metrics|assets\/)/

/** An address as the log may hold it: the route for the path, the names of the query's parameters, and the values that are harmless. */
export function scrubbedUrl(url: string, route: string | undefined): string {
  const mark = url.indexOf('?')
  const path = routeOf(mark === -1 ? url : url.slice(0, mark), route)
  if (mark === -1) return path
  const pairs = url
    .slice(mark + 1)
    .split('&')
    .map(scrubbedPair)
  return `${path}?${pairs.join('&')}`
}

/** The pattern that took the request; of the client's pages the screen, of its files the folder. */
function routeOf(path: string, route: string | undefined): string {
  if (route !== undefined && route !== '/*') return route
  const screen = screenAt(path)
  if (screen !== undefined) return screen.path
  if (path.startsWith('/assets/')) return '/assets/*'
  return path.startsWith('/api/') ? '/api/[unknown]' : '/[unknown]'
}

function scrubbedPair(pair: string): string {
  const equals = pair.indexOf('=')
  // Without a sign between them it cannot be said which of the two it is.
  if (equals === -1) return HIDDEN
  const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
  if (!PARAMETER_NAME.test(name)) return HIDDEN
  return HARMLESS.get(name)?.(value) === true ? pair : `${name}=${HIDDEN}`
}

/** The same of a request. Before it is routed, as where its address cannot be read, there is no route. */
export function loggedUrl(request: FastifyRequest): string {
  return scrubbedUrl(request.url, request.is404 ? undefined : request.routeOptions.url)
}

/** One line a request: what was asked, by whom, the answer and how long it took. No headers and no bodies. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, claims: AccessClaims | undefined): void {
  const line = {
    method: request.method,
    url: loggedUrl(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    address: request.ip,
    ...(claims ? { user: claims.sub, organisation: claims.org } : {}),
  }
  if (QUIET_PATHS.test(request.url)) request.log.debug(line, 'request')
  else request.log.info(line, 'request')
}
