import {
  type CreatedWebhook,
  MAX_WEBHOOKS,
  type NewWebhook,
  WEBHOOK_EVENTS,
  WEBHOOK_SECRET_OVERLAP_HOURS,
  type Webhook,
  type WebhookPatch,
} from '#contract/account/webhook.ts'
import { createIdentityProofProblem } from '#server/account/second-factor/check-second-factor.ts'
import type { SecondFactorSource } from '#server/account/second-factor/second-factor-source.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { TextCipher } from '#server/platform/engine/text-cipher.ts'
import { OutgoingRequestForbiddenError } from '#server/platform/outgoing/outgoing-guard.ts'
import { assertOutgoingPostUrl } from '#server/platform/outgoing/outgoing-post.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import type { RequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { notifyWebhookTargetChange } from './notify-webhook-pause.ts'
import {
  listWebhooks,
  listWebhookViews,
  removeWebhook,
  rotateWebhookSecret,
  type StoredWebhook,
  setWebhookOwner,
  storeWebhook,
  updateWebhookRow,
} from './queries.ts'
import { createWebhookSecret, createWebhookSecretCipher } from './webhook-signature.ts'

type FactorContext = RouteContext & { readonly factors: SecondFactorSource }

export type WebhookContext = FactorContext & {
  readonly seal: TextCipher
  /** Allows local addresses as targets, also over http. For development only. */
  readonly isLoopbackAllowed: boolean
}

type Settings = {
  readonly authSecrets: readonly [string, ...string[]]
  readonly localWebhooks?: boolean
}
export const createWebhookContext = (
  context: FactorContext,
  { authSecrets, localWebhooks }: Settings,
): WebhookContext => ({
  ...context,
  seal: createWebhookSecretCipher(authSecrets),
  isLoopbackAllowed: localWebhooks ?? false,
})

const HOUR_MS = 60 * 60_000

const iso = (text: string) => new Date(text).toISOString()
const isoOrNull = (text: string | null) => text && iso(text)

/** Converts a webhook to its API form. Lists each field, so that new columns never leak. */
export function toWebhookResponse(stored: StoredWebhook, now: Date): Webhook {
  const { view_owner: owner, view_id: viewId, paused_at: pausedAt, pause_reason: reason, last, counts } = stored
  const oldUntil = stored.old_secret_until
  return {
    id: stored.id,
    name: stored.name,
    url: stored.url,
    events: stored.events,
    view: owner === null || viewId === null ? null : { owner, id: viewId, name: stored.view_name },
    is_on: stored.is_on,
    paused: pausedAt === null || reason === null ? null : { at: iso(pausedAt), reason },
    failing_since: isoOrNull(stored.failing_since),
    old_secret_until: oldUntil !== null && new Date(oldUntil) > now ? iso(oldUntil) : null,
    made_by: stored.made_by,
    created_at: iso(stored.created_at),
    last: last && { at: iso(last.at), status: last.status, fault: last.fault },
    counts: { waiting: counts?.waiting ?? 0, delivered: counts?.delivered ?? 0, dead: counts?.dead ?? 0 },
  }
}

export async function requireOrganisationWebhook(db: Db, organisationId: number, id: string): Promise<StoredWebhook> {
  const [webhook] = await listWebhooks(db, organisationId, parseRowId(id))
  if (!webhook) throw new ProblemError('not_found')
  return webhook
}

function toTargetUrl(text: string, isLoopbackAllowed: boolean): string {
  const address = new URL(text)
  try {
    assertOutgoingPostUrl(address, isLoopbackAllowed)
  } catch (error) {
    if (!(error instanceof OutgoingRequestForbiddenError)) throw error
    throw new ProblemError('bad_input', { text: error.message, fields: { url: [error.message] } })
  }
  return address.href
}

async function assertShared(db: Db, organisationId: number, view: NewWebhook['view'] | undefined): Promise<void> {
  if (!view) return
  const views = await listWebhookViews(db, organisationId)
  if (views.some(({ owner, id }) => owner === view.owner && id === view.id)) return
  const text = 'ไม่พบมุมมองทีมนี้ เจ้าของอาจเลิกแบ่งแล้ว'
  throw new ProblemError('bad_input', { text, fields: { view: [text] } })
}

const namesOf = (events: readonly string[]) =>
  WEBHOOK_EVENTS.filter(({ code }) => events.includes(code)).map(({ th }) => th)

/** Creates a webhook. Throws ProblemError at `url` or `view`, or `bad_input` at the webhook limit. */
export async function createOrganisationWebhook(
  context: WebhookContext,
  actor: Actor,
  { view, events, ...input }: NewWebhook,
  origin: RequestOrigin,
): Promise<CreatedWebhook> {
  const { db, now, mails, seal } = context
  const { userId, organisationId } = actor
  const url = toTargetUrl(input.url, context.isLoopbackAllowed)
  await assertShared(db, organisationId, view)
  const at = now()
  const secret = createWebhookSecret()
  const chosen = WEBHOOK_EVENTS.filter(({ code }) => events.includes(code)).map(({ code }) => code)
  const webhook = { organisationId, userId, name: input.name, url, events: chosen, view, at, most: MAX_WEBHOOKS }
  // Runs as superuser: a tenant cannot read secrets and may queue emails only to itself.
  return await runWithoutTenant(() =>
    db.transaction(async (tx) => {
      const id = await storeWebhook(tx, { ...webhook, secret: seal.seal(secret) })
      if (id === undefined)
        throw new ProblemError('bad_input', { text: `มีเว็บฮุกได้ไม่เกิน ${MAX_WEBHOOKS} รายการ ลบอันที่ไม่ใช้ก่อน` })
      const { name } = webhook
      await recordWebhookChange(tx, { at, userId, organisationId, ...origin }, { did: 'make', name, url })
      await notifyWebhookTargetChange(tx, mails, {
        organisationId,
        webhookId: id,
        name,
        url,
        events: namesOf(chosen),
        userId,
        sessionId: actor.sessionId,
        what: 'made',
        at,
      })
      return { id, secret }
    }),
  )
}

type AuditContext = { readonly at: Date; readonly userId: number; readonly organisationId: number } & RequestOrigin
type WebhookAction = {
  readonly did: 'make' | 'edit' | 'remove' | 'secret' | 'resend'
  readonly name: string
  readonly url?: string | undefined
}

/** Records an audit event that contains only the host, because the rest of the URL may contain a secret. */
export async function recordWebhookChange(
  tx: Db,
  context: AuditContext,
  { did, name, url }: WebhookAction,
): Promise<void> {
  const detail = { did, name, ...(url === undefined ? {} : { host: new URL(url).host }) }
  await recordAuditEvent(tx, { kind: 'webhook_changed', ...context, detail })
}

/**
 * Changes a webhook. Throws like `createOrganisationWebhook`; `not_found` for another organisation's webhook; `proof_needed` if the
 * session lacks a recent proof of identity and the URL changes or events resume. Pausing and renaming need no proof,
 * because they must be quick (R64).
 */
export async function updateOrganisationWebhook(
  context: WebhookContext,
  actor: Actor,
  { id, patch }: { readonly id: string; readonly patch: WebhookPatch },
  origin: RequestOrigin,
): Promise<void> {
  const { db, now, mails } = context
  const { userId, organisationId, sessionId } = actor
  const before = await requireOrganisationWebhook(db, organisationId, id)
  const url = patch.url === undefined ? undefined : toTargetUrl(patch.url, context.isLoopbackAllowed)
  const moves = url !== undefined && url !== before.url
  const resumes = patch.is_on === true && !before.is_on
  if ((moves || resumes) && !actor.isProved)
    throw await createIdentityProofProblem({ db, ...context.factors() }, userId)
  await assertShared(db, organisationId, patch.view)
  const at = now()
  await runWithoutTenant(() =>
    db.transaction(async (tx) => {
      await updateWebhookRow(tx, organisationId, before.id, { ...patch, url: moves ? url : undefined })
      if (moves || resumes) await setWebhookOwner(tx, before.id, { userId, at, moves })
      const name = patch.name ?? before.name
      await recordWebhookChange(tx, { at, userId, organisationId, ...origin }, { did: 'edit', name, url })
      if (!moves) return
      const events = namesOf(patch.events ?? before.events)
      const notice = { organisationId, webhookId: before.id, name, url, events, userId, sessionId, at }
      await notifyWebhookTargetChange(tx, mails, { ...notice, what: 'moved' })
    }),
  )
}

/**
 * Issues a new secret, which only this response shows; the previous secret also signs for another day. Throws
 * `not_found` for another organisation's webhook.
 */
export async function issueNewWebhookSecret(
  context: WebhookContext,
  actor: Actor,
  id: string,
  origin: RequestOrigin,
): Promise<CreatedWebhook> {
  const { db, now, mails, seal } = context
  const { userId, organisationId, sessionId } = actor
  const webhook = await requireOrganisationWebhook(db, organisationId, id)
  const at = now()
  const secret = createWebhookSecret()
  const until = new Date(at.getTime() + WEBHOOK_SECRET_OVERLAP_HOURS * HOUR_MS)
  return await runWithoutTenant(() =>
    db.transaction(async (tx) => {
      await rotateWebhookSecret(tx, organisationId, webhook.id, { secret: seal.seal(secret), until })
      const { name, url, events } = webhook
      await recordWebhookChange(tx, { at, userId, organisationId, ...origin }, { did: 'secret', name })
      const notice = {
        organisationId,
        webhookId: webhook.id,
        name,
        url,
        events: namesOf(events),
        userId,
        sessionId,
        at,
      }
      await notifyWebhookTargetChange(tx, mails, { ...notice, what: 'secret' })
      return { id: webhook.id, secret }
    }),
  )
}

/**
 * Deletes a webhook with its log; waiting deliveries are not sent. Needs no proof of identity, because it must be
 * quick.
 */
export async function deleteOrganisationWebhook(
  context: WebhookContext,
  actor: Actor,
  id: string,
  origin: RequestOrigin,
): Promise<void> {
  const { db, now } = context
  const { userId, organisationId } = actor
  const webhook = await requireOrganisationWebhook(db, organisationId, id)
  await runWithoutTenant(() =>
    db.transaction(async (tx) => {
      const name = await removeWebhook(tx, organisationId, webhook.id)
      if (name === undefined) throw new ProblemError('not_found')
      await recordWebhookChange(tx, { at: now(), userId, organisationId, ...origin }, { did: 'remove', name })
    }),
  )
}
