import type { FastifyRequest } from 'fastify'
import type { OperatorOrganisationChange } from '#contract/operation/operator-organisations.ts'
import { OPERATOR_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import {
  type AdminRequest,
  AdminRequestRejectedError,
  type AdminResponse,
} from '#server/operation/admin/admin-requests.ts'
import type { AdminContext } from '#server/operation/admin/admin-users.ts'
import type { AdminActor } from '#server/operation/admin/record-admin-event.ts'
import { runAdminRequest } from '#server/operation/admin/run-admin-request.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'

/**
 * Message for each refusal reason, sent as problem `bad_input`. A reason without a message is sent as `not_found` if it
 * is `unknown`, otherwise as `bad_input`.
 */
export type AdminRequestRejectionTexts = { readonly [Reason in AdminRequestRejectedError['reason']]?: string }

export type OperatorContext = RouteContext & Required<Pick<AdminContext, 'restartable' | 'recentProjects'>>

/**
 * Runs a read request of the admin command for an operator's screen. Uses no transaction, because a read of several
 * seconds would block other requests. Throws `ProblemError`.
 */
export async function runAdminReadRequest(
  { db, mails, actorOf, ...adminParts }: OperatorContext,
  request: FastifyRequest,
  adminRequest: AdminRequest,
  texts: AdminRequestRejectionTexts = {},
): Promise<AdminResponse> {
  const by = await adminActorOf(actorOf, request)
  return await runAdminRequest({ ...adminParts, db, mails, by }, adminRequest).catch(refuseWith(texts))
}

/**
 * Runs admin requests for an operator's screen, all or nothing, with the operator's id in the audit trail (R61). Throws
 * `ProblemError`.
 */
export async function applyAdminRequests(
  { db, mails, actorOf, ...adminParts }: OperatorContext,
  request: FastifyRequest,
  requests: readonly AdminRequest[],
  texts: AdminRequestRejectionTexts = {},
): Promise<void> {
  const by = await adminActorOf(actorOf, request)
  const changes = db.transaction(async (tx) => {
    for (const adminRequest of requests) await runAdminRequest({ ...adminParts, db: tx, mails, by }, adminRequest)
  })
  await changes.catch(refuseWith(texts))
}

async function adminActorOf(actorOf: OperatorContext['actorOf'], request: FastifyRequest): Promise<AdminActor> {
  const { userId: operator } = await actorOf(request)
  return { address: request.ip, requestId: request.id, operator }
}

const refuseWith =
  (texts: AdminRequestRejectionTexts) =>
  (error: unknown): never => {
    if (!(error instanceof AdminRequestRejectedError)) throw error
    const text = texts[error.reason]
    if (text !== undefined) throw new ProblemError('bad_input', { text })
    throw new ProblemError(error.reason === 'unknown' ? 'not_found' : 'bad_input')
  }

/**
 * Throws not_found for the operators' organisation, which is not a customer, so that these routes treat it as unknown.
 */
export function requireCustomerCode(code: string): string {
  if (code === OPERATOR_ORGANISATION_CODE) throw new ProblemError('not_found')
  return code
}

export function toAdminRequests(organisation: string, change: OperatorOrganisationChange): AdminRequest[] {
  const {
    package: name,
    flags = {},
    limits = {},
    budget_years: years,
    closed_hours: window,
    is_disabled: disabled,
  } = change
  const requests: AdminRequest[] = []
  if (name !== undefined) requests.push({ do: 'set-package', organisation, package: name })
  for (const [flag, on] of entriesOf(flags)) requests.push({ do: 'set-flag', organisation, flag, on })
  for (const [limit, limitValue] of entriesOf(limits))
    requests.push({ do: 'set-limit', organisation, limit, most: limitValue })
  if (years !== undefined) requests.push({ do: 'set-budget-years', organisation, years: years.toSorted() })
  if (window !== undefined) requests.push({ do: 'set-window', organisation, window: window ?? undefined })
  if (disabled !== undefined) requests.push({ do: 'set-organisation-disabled', organisation, disabled })
  return requests
}

const entriesOf = <Name extends string, Value>(values: { readonly [name in Name]?: Value | undefined }) =>
  (Object.entries(values) as [Name, Value | undefined][]).filter(
    (entry): entry is [Name, Value] => entry[1] !== undefined,
  )
