import type { JoinRequestAcceptance } from '#contract/account/member.ts'
import { listSuperUsers } from '#server/account/account-notice/notify-super-users.ts'
import { notifyJoinRequestReceived } from '#server/account/notification/create-notifications.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { renderJoinRequestMail } from '#server/platform/mail/account-mails.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { type ActionRateLimit, consumeActionRateLimit } from '#server/platform/route/use-counts.ts'
import { maskEmail } from '#server/platform/text/email.ts'
import { toOrganisationKey } from '#server/platform/text/organisation-key.ts'
import {
  findJoinRequest,
  findOrganisationByName,
  pruneJoinRequests,
  recordJoinRequestDecision,
  storeJoinRequest,
} from './join-request-queries.ts'
import { sendMemberInvitation } from './member-invitations.ts'

const DAY_MS = 86_400_000
/**
 * Limits requests per organisation to protect it from floods. Excess requests get the same response but are dropped.
 */
const PER_ORGANISATION: ActionRateLimit = {
  action: 'join-organisation',
  maxUses: 20,
  windowSeconds: 24 * 60 * 60,
  gapSeconds: 0,
}
const REFUSAL_COOLDOWN_DAYS = 30
const RETENTION_DAYS = 90

export type JoinRequester = {
  readonly email: string
  readonly emailKey: string
  readonly name: string
  readonly organisationName: string
}

/**
 * Requests to join the organisation of that name and notifies its super users once, in the app and by email. Never
 * reveals whether the organisation or an account exists, or whether a notification was sent. Callers must run without a
 * tenant and pad the response time.
 */
export async function submitJoinRequest(
  { db, now, mails }: Pick<RouteContext, 'db' | 'now' | 'mails'>,
  { organisationName, ...asker }: JoinRequester,
  origin: RequestOrigin,
): Promise<void> {
  const at = now()
  const ago = (days: number) => new Date(at.getTime() - days * DAY_MS)
  await pruneJoinRequests(db, ago(RETENTION_DAYS))
  const organisation = await findOrganisationByName(db, toOrganisationKey(organisationName))
  if (!organisation) return
  const { id: organisationId } = organisation
  if ((await consumeActionRateLimit(db, PER_ORGANISATION, String(organisationId), at)) > 0) return
  await db.transaction(async (tx) => {
    const id = await storeJoinRequest(tx, { ...asker, organisationId, at, deafSince: ago(REFUSAL_COOLDOWN_DAYS) })
    if (id === undefined) return
    await notifyJoinRequestReceived(tx, { organisationId, requestId: id, name: asker.name, at })
    const url = mails.link('/settings?tab=team')
    const content = renderJoinRequestMail({
      name: asker.name,
      email: asker.email,
      organisation: organisation.name,
      url,
    })
    for (const { id: userId, email: to } of await listSuperUsers(tx, organisationId)) {
      const dedupeKey = `join_request:${id}:${userId}`
      await mails.queue(tx, { kind: 'join_request', to, content, dedupeKey, organisationId, userId }, at)
    }
    await recordAuditEvent(tx, {
      kind: 'join_requested',
      at,
      organisationId,
      ...origin,
      detail: { email: maskEmail(asker.email) },
    })
  })
}

/**
 * Sends an ordinary invitation link to the requester's address.
 * @throws ProblemError `not_found` if already decided, or any error of `sendMemberInvitation`; the request then stays
 * open.
 */
export async function acceptJoinRequest(
  context: RouteContext,
  actor: Actor,
  id: number,
  { role }: JoinRequestAcceptance,
  origin: RequestOrigin,
): Promise<void> {
  const { organisationId, userId } = actor
  const request = await findJoinRequest(context.db, organisationId, id)
  if (!request) throw new ProblemError('not_found')
  // Invite first: after a crash the request is then still open and the link is on its way.
  await sendMemberInvitation(context, actor, { email: request.email, role }, origin)
  await recordJoinRequestDecision(context.db, organisationId, id, { isAccepted: true, by: userId, at: context.now() })
}

/**
 * Refuses a join request without notifying the requester.
 * @throws ProblemError `not_found` if already decided.
 */
export async function refuseJoinRequest(
  { db, now }: RouteContext,
  actor: Actor,
  id: number,
  origin: RequestOrigin,
): Promise<void> {
  const { organisationId, userId } = actor
  const at = now()
  const request = await findJoinRequest(db, organisationId, id)
  if (!request || !(await recordJoinRequestDecision(db, organisationId, id, { isAccepted: false, by: userId, at })))
    throw new ProblemError('not_found')
  const detail = { email: maskEmail(request.email) }
  await recordAuditEvent(db, { kind: 'join_refused', at, userId, organisationId, ...origin, detail })
}
