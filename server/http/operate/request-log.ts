import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessTokenClaims } from '#contract/account/session.ts'
import { REPORT_SORT_FIELDS } from '#contract/catalogue/report-columns.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import type { ReportParamKind } from '#contract/report/report-param-kinds.ts'
import { REPORT_PARAMS } from '#contract/report/report-params.ts'
import { findScreenByPath } from '#contract/screen.ts'

const isCount = (value: string) => /^\d{1,6}$/.test(value)
const isFlag = (value: string) => /^(?:true|false|0|1)$/.test(value)
const isOrdering = (value: string) =>
  value === FIT_ORDERING || REPORT_SORT_FIELDS.some((field) => value === field || value === `-${field}`)
const HARMLESS_KINDS: Partial<Record<ReportParamKind, (value: string) => boolean>> = {
  count: isCount,
  flag: isFlag,
  ordering: isOrdering,
}
/**
 * Query parameters whose values may be logged. Searches are private and links can open accounts (R14, R56), so the
 * value of any parameter of another kind is hidden, including future ones.
 */
const HARMLESS: ReadonlyMap<string, (value: string) => boolean> = new Map(
  REPORT_PARAMS.flatMap(({ name, kind }) => {
    const isHarmless = HARMLESS_KINDS[kind]
    return isHarmless ? [[name, isHarmless] as const] : []
  }),
)
const PARAMETER_NAME = /^[A-Za-z][A-Za-z0-9_]{0,60}$/
const HIDDEN = '[hidden]'
const QUIET_PATHS = /^\/(livez|readyz|metrics|assets\/)/

/**
 * Returns a URL that is safe to log: the route instead of the path, the names of query parameters, and only harmless
 * values.
 */
export function scrubUrl(url: string, route: string | undefined): string {
  const mark = url.indexOf('?')
  const path = routeOf(mark === -1 ? url : url.slice(0, mark), route)
  if (mark === -1) return path
  const pairs = url
    .slice(mark + 1)
    .split('&')
    .map(scrubPair)
  return `${path}?${pairs.join('&')}`
}

function routeOf(path: string, route: string | undefined): string {
  if (route !== undefined && route !== '/*') return route
  const screen = findScreenByPath(path)
  if (screen !== undefined) return screen.path
  if (path.startsWith('/assets/')) return '/assets/*'
  return path.startsWith('/api/') ? '/api/[unknown]' : '/[unknown]'
}

function scrubPair(pair: string): string {
  const equals = pair.indexOf('=')
  // Without an equals sign it is unclear whether the text is a name or a value, so hide it.
  if (equals === -1) return HIDDEN
  const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
  if (!PARAMETER_NAME.test(name)) return HIDDEN
  return HARMLESS.get(name)?.(value) === true ? pair : `${name}=${HIDDEN}`
}

export function toLoggableUrl(request: FastifyRequest): string {
  return scrubUrl(request.url, request.is404 ? undefined : request.routeOptions.url)
}

/** Logs a request, but neither its headers nor bodies. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, claims: AccessTokenClaims | undefined): void {
  const fields = {
    method: request.method,
    url: toLoggableUrl(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    address: request.ip,
    ...(claims ? { user: claims.sub, organisation: claims.org } : {}),
  }
  if (QUIET_PATHS.test(request.url)) request.log.debug(fields, 'request')
  else request.log.info(fields, 'request')
}
