import { listSuperUsers, notifySuperUsers } from '#server/account/account-notice/notify-super-users.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderWebhookChangedMail, renderWebhookPausedMail } from '#server/platform/mail/webhook-mails.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'

const PAGE = '/settings?tab=connect&part=webhooks'

type PauseNotice = {
  readonly organisationId: number
  readonly webhookId: number
  readonly name: string
  readonly url: string
  readonly reason: 'gone' | 'failing'
  readonly since: Date
  readonly at: Date
}

/** Notifies each super user once per pause and writes an audit event. Call as superuser. */
export async function notifyWebhookPause(tx: Db, mails: OutgoingMailQueue, paused: PauseNotice): Promise<void> {
  const { organisationId, webhookId, name, url, reason, since, at } = paused
  const detail = { name, reason }
  await recordAuditEvent(tx, { kind: 'webhook_paused', at, organisationId, address: '', requestId: '', detail })
  const content = renderWebhookPausedMail({ name, host: new URL(url).host, reason, since, at, url: mails.link(PAGE) })
  for (const { id: superUser, email: to } of await listSuperUsers(tx, organisationId)) {
    const dedupeKey = `webhook_paused:${webhookId}:${at.getTime()}:${superUser}`
    await mails.queue(tx, { kind: 'webhook_paused', to, content, dedupeKey, organisationId, userId: superUser }, at)
  }
}

type TargetChange = {
  readonly organisationId: number
  readonly webhookId: number
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  readonly userId: number
  readonly sessionId: string
  readonly what: 'made' | 'moved' | 'secret'
  readonly at: Date
}

/**
 * Notifies each super user of the new URL to which the organisation's events go; the email to the user who made the
 * change explains how to report that it was not them. Call as superuser.
 */
export async function notifyWebhookTargetChange(tx: Db, mails: OutgoingMailQueue, change: TargetChange): Promise<void> {
  const { organisationId, webhookId, name, url, events, userId, sessionId, what, at } = change
  const mail = { what, name, host: new URL(url).host, events, at, url: mails.link(PAGE) }
  const dedupeKey = `webhook_${what}:${webhookId}:${at.getTime()}`
  await notifySuperUsers(tx, mails, {
    ...{ kind: `webhook_${what}`, userId, sessionId, organisationId, at, dedupeKey },
    content: (notMeUrl, by) => renderWebhookChangedMail({ ...mail, by, notMeUrl }),
  })
}
