import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { findMethodsForPath, type ListedRoute } from './collect-routes.ts'
import { toLoggableUrl } from './operate/request-log.ts'
import { addErrorListToProblem, createProblemLogger, sendProblem, toProblemError } from './problem-responses.ts'
import type { ClientFiles } from './serve-client-files.ts'

/** Renders errors as API problems and records refusals in the audit trail (R59). */
export function registerProblemHandler(app: RouteApp, { db, actorOf, now }: RouteContext): void {
  const logProblem = createProblemLogger()
  app.setErrorHandler(async (error, request, reply) => {
    const plainProblem = toProblemError(error)
    const problem = request.routeOptions.config.errorList ? addErrorListToProblem(plainProblem) : plainProblem
    logProblem(request, problem, error)
    if (problem.code === 'forbidden' || problem.code === 'foreign_origin') {
      const actor = await actorOf(request).catch(() => undefined)
      const event = {
        kind: 'refused',
        at: now(),
        address: request.ip,
        requestId: request.id,
        detail: { method: request.method, url: toLoggableUrl(request) },
      } as const
      const caller = { userId: actor?.scopes ? undefined : actor?.userId, organisationId: actor?.organisationId }
      // The caller may have no session and thus no tenant, so the row is written without one.
      await runWithoutTenant(() => recordAuditEvent(db, { ...event, ...caller })).catch((failure: unknown) => {
        request.log.error({ err: failure }, 'audit row not written')
      })
    }
    return sendProblem(reply, problem, request.id)
  })
}

/**
 * Handles URLs without a route: sends the client's page if there is one, 405 if other methods work there, else 404.
 * Always JSON under /api.
 */
export function registerUnknownUrlHandler(
  app: RouteApp,
  routes: readonly ListedRoute[],
  client: ClientFiles | undefined,
): void {
  app.setNotFoundHandler(async (request, reply) => {
    // `sendPage` resolves to a boolean instead of the reply: awaiting a reply waits until it is sent.
    if (await client?.sendPage(request, reply)) return reply
    const allowed = allowedMethods(routes, request.url.split('?', 1)[0] ?? '')
    if (allowed.length === 0 || allowed.includes(request.method))
      return sendProblem(reply, new ProblemError('not_found'), request.id)
    reply.header('allow', allowed.join(', '))
    return sendProblem(reply, new ProblemError('method_not_allowed'), request.id)
  })
}

function allowedMethods(routes: readonly ListedRoute[], path: string): string[] {
  // The client's files answer GET on every path, so for an API path consider API routes only.
  const candidates = path.startsWith('/api/') ? routes.filter(({ url }) => url.startsWith('/api/')) : routes
  return findMethodsForPath(candidates, path)
}
