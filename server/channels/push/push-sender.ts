import type { ChannelMessageKind } from '#contract/channels/channel.ts'
import type { PushPayload } from '#contract/channels/push.ts'
import { formatMorningFigures } from '#contract/report/morning-queue.ts'
import type { ProjectFeedbackVerdict } from '#contract/report/project-feedback.ts'
import { ACTION_LINK_LIFETIME_DAYS } from '#contract/report/report-mail.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import type {
  ChannelMessage,
  ChannelMessageItem,
  ChannelSender,
  ChannelSendResult,
} from '#server/channels/channel/channel-sender.ts'
import { JobFailedError } from '#server/platform/queue/job.ts'
import type { MailLinkTokens } from '#server/report/mail/mail-link-token.ts'
import {
  deletePushDevice,
  findPushTargetDevices,
  type PushTargetDevice,
  pruneEndedPushDevices,
  recordPushDelivery,
  recordPushFailure,
  recordPushRefusal,
} from './queries.ts'
import { type PushDependencies, type PushOptions, sendPush } from './send-push.ts'

const HOUR_S = 3_600
/**
 * After this many failures, or when its push service requests a longer delay than `MAX_WAIT_MS`, a device no longer
 * delays a message that another device of the user has received.
 */
const MAX_ATTEMPTS = 5
const MAX_WAIT_MS = 5 * 60_000
const DAY_MS = 86_400_000
const MAX_LINES = 4

const URGENT_KINDS: readonly ChannelMessageKind[] = [
  'Deadline_moved',
  'Submission_date_end',
  'Mentioned',
  'Join_requested',
]

/**
 * Sends to a user's browsers. The batch id serves as tag and topic, so a message that is resent after a worker was
 * killed replaces its first copy. Skips browsers whose push service has already accepted the message.
 */
export function createPushSender(
  parts: PushDependencies & { readonly tokens: Pick<MailLinkTokens, 'sign'> },
): ChannelSender {
  return {
    channel: 'push',
    async send(message, { db, now, signal }) {
      const payload = composePushPayload(message, parts.tokens)
      await pruneEndedPushDevices(db, message.userId)
      const targets = await findPushTargetDevices(db, message.userId)
      let isDelivered = targets.some(({ lastBatch }) => lastBatch === message.id)
      let remaining = targets.length
      const waiting: { readonly failures: number; readonly failure: string; readonly at: Date | undefined }[] = []
      let refused: string | undefined
      for (const device of targets) {
        if (device.lastBatch === message.id) continue
        if (isCoolingDown(device, now())) {
          refused = device.refusal ?? 'refused'
          continue
        }
        const result = await sendPush(parts, device, payload, { ...toPushOptions(message), now: now(), signal })
        if (result.kind === 'taken') {
          await recordPushDelivery(db, device.id, message.id, now())
          isDelivered = true
        } else if (result.kind === 'gone') {
          await deletePushDevice(db, device.id)
          remaining -= 1
        } else if (result.kind === 'refused') {
          await recordPushRefusal(db, device.id, result.failure, now())
          refused = result.failure
        } else {
          await recordPushFailure(db, device.id)
          waiting.push({
            failures: device.failures + 1,
            failure: result.failure,
            at: result.kind === 'later' ? result.at : undefined,
          })
        }
      }
      return toSendResult({ isDelivered, remaining, refused, waiting, now: now() })
    },
  }
}

/**
 * True if the service refused us within the last day. Retrying sooner would only hurt our reputation with the service.
 */
const isCoolingDown = ({ refusedAt }: PushTargetDevice, now: Date): boolean =>
  refusedAt !== null && now.getTime() - new Date(refusedAt).getTime() < DAY_MS

type Outcome = {
  readonly isDelivered: boolean
  readonly remaining: number
  readonly refused: string | undefined
  readonly waiting: readonly { readonly failures: number; readonly failure: string; readonly at: Date | undefined }[]
  readonly now: Date
}

function toSendResult({ isDelivered, remaining, refused, waiting, now }: Outcome): ChannelSendResult {
  if (remaining === 0) return { kind: 'gone' }
  const pending = waiting.filter(
    ({ failures, at }) =>
      !isDelivered || (failures < MAX_ATTEMPTS && (at === undefined || at.getTime() - now.getTime() <= MAX_WAIT_MS)),
  )
  const failed = pending.find(({ at }) => at === undefined)
  if (failed) throw new JobFailedError(failed.failure)
  const first = pending.flatMap(({ at }) => at ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0]
  if (first) return { kind: 'later', at: first }
  return isDelivered || refused === undefined ? { kind: 'sent' } : { kind: 'refused', failure: refused }
}

function toPushOptions({ id, morning, items }: ChannelMessage): PushOptions {
  const isUrgent = items.some(({ kind }) => URGENT_KINDS.includes(kind))
  // Yesterday's summary is useless once today's exists, so it expires and is replaced.
  if (items.length === 0 && morning) return { ttl: 12 * HOUR_S, urgency: 'normal', topic: 'morning' }
  return { ttl: (isUrgent ? 72 : 24) * HOUR_S, urgency: isUrgent ? 'high' : 'normal', topic: id.replaceAll('-', '') }
}

function composePushPayload(message: ChannelMessage, tokens: Pick<MailLinkTokens, 'sign'>): PushPayload {
  const { id, userId, items, morning, unread, at } = message
  const facts = { id, unread, at: at.getTime() }
  const [first, ...otherItems] = items
  if (morning) {
    const names = morning.projects.map(
      ({ name, closesOn }) => `${closesOn === null ? '' : `${formatThaiDateShortOrOriginal(closesOn)} · `}${name}`,
    )
    const moreText = items.length === 0 ? [] : [`และอีก ${items.length} เรื่องในกระดิ่ง`]
    return {
      ...facts,
      title: `สรุปเช้า ${formatMorningFigures(morning.figures)}`,
      body: [...(morning.week === undefined ? [] : [morning.week]), ...names, ...moreText].join('\n'),
      path: morning.path,
    }
  }
  if (first === undefined) throw new Error('a push message needs at least one item')
  if (otherItems.length > 0) {
    const isOneProject = first.project !== undefined && items.every(({ project }) => project?.id === first.project!.id)
    const lines = items.slice(0, MAX_LINES).map(({ text, detail }) => (isOneProject ? text : `${text} · ${detail}`))
    const moreText = items.length > MAX_LINES ? [`และอีก ${items.length - MAX_LINES} เรื่อง`] : []
    return {
      ...facts,
      title: isOneProject ? first.detail : `${items.length} เรื่องที่ต้องรู้`,
      body: [...lines, ...moreText].join('\n'),
      path: isOneProject ? first.path : '/report',
      ...(isOneProject && actionsOf(first, userId, at, tokens)),
    }
  }
  return {
    ...facts,
    title: first.text,
    body: [first.detail, first.project?.agency].filter((line) => line !== undefined && line !== '').join('\n'),
    path: first.path,
    ...actionsOf(first, userId, at, tokens),
  }
}

function actionsOf({ project }: ChannelMessageItem, userId: number, at: Date, tokens: Pick<MailLinkTokens, 'sign'>) {
  if (!project) return {}
  const expiresAt = new Date(at.getTime() + ACTION_LINK_LIFETIME_DAYS * DAY_MS)
  const token = (kind: 'bookmark' | 'hide' | ProjectFeedbackVerdict) =>
    tokens.sign({ kind, userId, subject: project.id, expiresAt })
  return {
    ...(!project.isStarred && { star: token('bookmark') }),
    ...(project.isActionable
      ? { relevant: token('relevant'), irrelevant: token('irrelevant'), seen: token('seen') }
      : { hide: token('hide') }),
  }
}
