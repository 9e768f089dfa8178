import sql from 'sql-template-tag'
import { formatMorningFigures } from '#contract/report/morning-queue.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { loadQualifications } from '#server/account/qualification/queries.ts'
import type { ChannelMessage, ChannelSender, ChannelSendResult } from '#server/channels/channel/channel-sender.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderLineQuotaMail } from '#server/platform/mail/line-mail.ts'
import { ExternalServiceUnavailableError, JobFailedError } from '#server/platform/queue/job.ts'
import { incrementLineMessageCount, recordLineQuotaExhausted } from './line-account-queries.ts'
import { LineApiError, type LineMessage } from './line-api.ts'
import { findLineCardFacts, findProjectMarks } from './line-card-queries.ts'
import {
  buildLineMorningCard,
  buildLineNotificationsCard,
  type LineCardButtons,
  type LineCardProject,
  MAX_LINE_CARD_NOTIFICATIONS,
  toLineCardProject,
} from './line-cards.ts'
import type { LineDependencies } from './line-dependencies.ts'
import { findSealedLineId } from './queries.ts'

const BUSY_RETRY_MS = 60_000

/** LINE channel: sends everything due in one push, under a retry key that stays the same across attempts (R77). */
export function createLineSender(parts: LineDependencies): ChannelSender {
  return {
    channel: 'line',
    async send(message, { db, now, signal }): Promise<ChannelSendResult> {
      const sealed = await findSealedLineId(db, message.userId)
      const to = sealed === undefined ? undefined : parts.identity.open(sealed)
      if (to === undefined) return { kind: 'gone' }
      const messages = await composeMessages(db, parts, message, to)
      if (messages.length === 0) return { kind: 'sent' }
      try {
        if ((await parts.api.push(to, messages, message.id, signal)) === 'sent') await incrementLineMessageCount(db)
        return { kind: 'sent' }
      } catch (error) {
        if (!(error instanceof LineApiError)) throw error
        if (error.failure === 'quota') return sendByMail(db, parts, message, now())
        if (error.failure === 'busy') return { kind: 'later', at: new Date(now().getTime() + BUSY_RETRY_MS) }
        if (error.failure === 'down') throw new ExternalServiceUnavailableError(error.message)
        // The token is invalid or revoked. Retry, because the messages become deliverable once the operator fixes it.
        if (error.failure === 'denied') throw new JobFailedError(error.message)
        return { kind: 'refused', failure: error.message }
      }
    },
  }
}

/** Composes cards: the morning summary first, all other events on a second card. LINE counts both as one message. */
async function composeMessages(
  db: Db,
  { tokens, mails }: LineDependencies,
  { morning, items, userId, organisationId, at }: ChannelMessage,
  to: string,
): Promise<LineMessage[]> {
  const day = getBangkokToday(at)
  const buttons: LineCardButtons = {
    press: (action, projectId) => tokens.sign({ action, userId, projectId, day }, to),
    page: (path) => mails.link(path),
  }
  const shownItems = items.slice(0, MAX_LINE_CARD_NOTIFICATIONS)
  const ids = [
    ...(morning?.projects.map(({ id }) => id) ?? []),
    ...shownItems.flatMap(({ project }) => (project ? [project.id] : [])),
  ]
  const facts = await findLineCardFacts(db, ids)
  const bidder = await loadQualifications(db, organisationId)
  const marks = await findProjectMarks(db, { userId, organisationId }, ids)
  const projectOf = (id: string, kind?: LineCardProject['kind']) => {
    const cardFacts = facts.get(id)
    const projectMarks = marks.get(id)
    return (
      cardFacts &&
      projectMarks &&
      toLineCardProject(cardFacts, { now: at, kind, isStarred: projectMarks.isStarred, bidder })
    )
  }
  const messages: LineMessage[] = []
  if (morning) {
    const projects = morning.projects.flatMap(({ id, due }) => projectOf(id, due ?? 'new') ?? [])
    messages.push(buildLineMorningCard({ ...morning, projects }, buttons))
  }
  if (shownItems.length > 0) {
    const notifications = shownItems.map(({ text, detail, path, project }) => ({
      ...{ text, detail, path },
      project: project && projectOf(project.id),
    }))
    messages.push(buildLineNotificationsCard({ notifications, more: items.length - shownItems.length }, buttons))
  }
  return messages
}

/**
 * Sends the content by email when the monthly quota is exhausted. The email states the reason, and the exhaustion is
 * recorded for the settings page and the operator. Idempotent.
 */
async function sendByMail(
  db: Db,
  { mails }: LineDependencies,
  { id, userId, organisationId, morning, items }: ChannelMessage,
  at: Date,
): Promise<ChannelSendResult> {
  const lines = [
    ...(morning ? [{ text: `สรุปเช้า ${formatMorningFigures(morning.figures)}`, url: mails.link(morning.path) }] : []),
    ...items.map(({ text, detail, path }) => ({ text: `${text}: ${detail}`, url: mails.link(path) })),
  ]
  await db.transaction(async (tx) => {
    await recordLineQuotaExhausted(tx, at)
    const [user] = await tx.query<{ email: string }>(sql`select email from users where id = ${userId}::int`)
    if (!user) return
    const content = renderLineQuotaMail({ lines, settingsUrl: mails.link('/settings?tab=notifications') })
    await mails.queue(
      tx,
      { kind: 'line_quota', to: user.email, content, dedupeKey: `line:${id}`, userId, organisationId },
      at,
    )
  })
  return { kind: 'sent' }
}
