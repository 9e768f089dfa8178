import type { FastifyRequest } from 'fastify'
import { isXsrfPair } from '#server/features/session/xsrf-token.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { HttpSettings } from './http-settings.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE']
/** Cookies that would log a request in by themselves. The bearer is what we use; this is the one name reserved for a refresh cookie (C1). */
const CREDENTIAL_COOKIES = ['__Host-rt']

/**
 * Refuses state changes that another site started (R38): by Fetch Metadata, by Origin, and, where a cookie is the
 * credential, by the XSRF token. Throws ProblemError `forbidden`.
 */
export function refuseCrossSite(
  request: FastifyRequest,
  settings: Pick<HttpSettings, 'publicUrl' | 'authSecrets'>,
): void {
  if (SAFE_METHODS.includes(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new ProblemError('forbidden')
  const { origin } = request.headers
  if (origin !== undefined && !isOwnOrigin(origin, request.host, settings.publicUrl))
    throw new ProblemError('forbidden')
  const header = request.headers['x-xsrf-token']
  if (isLoggedInByCookie(request) && !isXsrfPair(request.cookies['XSRF-TOKEN'], String(header), settings.authSecrets)) {
    throw new ProblemError('forbidden')
  }
}

/** Behind a proxy the Host header may be the inner one, so the configured address counts as ours too. */
function isOwnOrigin(origin: string, host: string, publicUrl: string | undefined): boolean {
  const url = URL.parse(origin)
  if (!url) return false
  return url.host === host || (publicUrl !== undefined && url.origin === new URL(publicUrl).origin)
}

const isLoggedInByCookie = (request: FastifyRequest) =>
  request.headers.authorization === undefined && CREDENTIAL_COOKIES.some((name) => request.cookies[name] !== undefined)
