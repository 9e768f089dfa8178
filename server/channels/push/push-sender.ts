import type { ChannelKind } from '#contract/channels/channel.ts'
import type { PushPayload } from '#contract/channels/push.ts'
import { MARK_LINK_DAYS } from '#contract/report/report-mail.ts'
import { thaiDay } from '#contract/thai/thai-date.ts'
import {
  type ChannelItem,
  type ChannelMessage,
  type ChannelSender,
  morningCounts,
  type SendResult,
} from '#server/channels/channel/channel-sender.ts'
import { JobFailure } from '#server/platform/queue/job.ts'
import type { MailLinkTokens } from '#server/report/mail/mail-link-token.ts'
import {
  findTargets,
  forgetDevice,
  forgetEnded,
  recordPush,
  recordPushFailure,
  recordRefusal,
  type TargetDevice,
} from './queries.ts'
import { type PushOptions, type PushParts, sendPush } from './send-push.ts'

const HOUR_S = 3_600
/** After this many failures, a device no longer delays messages if another device of the user received one. */
const MOST_TRIES = 5
/** The same applies to a device whose service requests a longer delay than this. */
const MOST_WAIT_MS = 5 * 60_000
const DAY_MS = 86_400_000
/** Lines per grouped notification; phones show no more. */
const MOST_LINES = 4

const URGENT: readonly ChannelKind[] = ['Deadline_moved', 'Submission_date_end', 'Mentioned', 'Join_requested']

/**
 * Sends to a user's browsers. The batch id serves as tag and topic, so a message resent after a worker was killed
 * replaces itself, and a browser whose push service already accepted it is skipped.
 */
export function createPushSender(parts: PushParts & { readonly tokens: Pick<MailLinkTokens, 'sign'> }): ChannelSender {
  return {
    channel: 'push',
    async send(message, { db, now, signal }) {
      const payload = payloadOf(message, parts.tokens)
      await forgetEnded(db, message.userId)
      const targets = await findTargets(db, message.userId)
      let isTold = targets.some(({ lastBatch }) => lastBatch === message.id)
      let left = targets.length
      const waiting: { readonly failures: number; readonly failure: string; readonly at: Date | undefined }[] = []
      let refused: string | undefined
      for (const device of targets) {
        if (device.lastBatch === message.id) continue
        if (isResting(device, now())) {
          refused = device.refusal ?? 'refused'
          continue
        }
        const answer = await sendPush(parts, device, payload, { ...optionsOf(message), now: now(), signal })
        if (answer.kind === 'taken') {
          await recordPush(db, device.id, message.id, now())
          isTold = true
        } else if (answer.kind === 'gone') {
          await forgetDevice(db, device.id)
          left -= 1
        } else if (answer.kind === 'refused') {
          await recordRefusal(db, device.id, answer.failure, now())
          refused = answer.failure
        } else {
          await recordPushFailure(db, device.id)
          waiting.push({
            failures: device.failures + 1,
            failure: answer.failure,
            at: answer.kind === 'later' ? answer.at : undefined,
          })
        }
      }
      return resultOf({ isTold, left, refused, waiting, now: now() })
    },
  }
}

/** Refused within the last day: retrying sooner would only hurt our reputation with the service. */
const isResting = ({ refusedAt }: TargetDevice, now: Date): boolean =>
  refusedAt !== null && now.getTime() - new Date(refusedAt).getTime() < DAY_MS

type Outcome = {
  readonly isTold: boolean
  readonly left: number
  readonly refused: string | undefined
  readonly waiting: readonly { readonly failures: number; readonly failure: string; readonly at: Date | undefined }[]
  readonly now: Date
}

function resultOf({ isTold, left, refused, waiting, now }: Outcome): SendResult {
  if (left === 0) return { kind: 'gone' }
  const open = waiting.filter(
    ({ failures, at }) =>
      !isTold || (failures < MOST_TRIES && (at === undefined || at.getTime() - now.getTime() <= MOST_WAIT_MS)),
  )
  const failed = open.find(({ at }) => at === undefined)
  if (failed) throw new JobFailure(failed.failure)
  const first = open.flatMap(({ at }) => at ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0]
  if (first) return { kind: 'later', at: first }
  return isTold || refused === undefined ? { kind: 'sent' } : { kind: 'refused', failure: refused }
}

function optionsOf({ id, morning, items }: ChannelMessage): PushOptions {
  const isUrgent = items.some(({ kind }) => URGENT.includes(kind))
  // An undelivered summary of yesterday is useless once today's exists.
  if (items.length === 0 && morning) return { ttl: 12 * HOUR_S, urgency: 'normal', topic: 'morning' }
  return { ttl: (isUrgent ? 72 : 24) * HOUR_S, urgency: isUrgent ? 'high' : 'normal', topic: id.replaceAll('-', '') }
}

/** For a single unstarred project, the buttons carry one-time tokens, like links in report mails. */
export function payloadOf(message: ChannelMessage, tokens: Pick<MailLinkTokens, 'sign'>): PushPayload {
  const { id, userId, items, morning, unread, at } = message
  const facts = { id, unread, at: at.getTime() }
  const [first, ...others] = items
  if (morning) {
    const names = morning.projects.map(
      ({ name, closesOn }) => `${closesOn === null ? '' : `${thaiDay(closesOn)} · `}${name}`,
    )
    const rest = items.length === 0 ? [] : [`และอีก ${items.length} เรื่องในกระดิ่ง`]
    return {
      ...facts,
      title: `สรุปเช้า ${morningCounts(morning)}`,
      body: [...names, ...rest].join('\n'),
      path: morning.path,
    }
  }
  if (first === undefined) throw new Error('a message says something')
  if (others.length > 0) {
    const isOneProject = first.project !== undefined && items.every(({ project }) => project?.id === first.project!.id)
    const lines = items.slice(0, MOST_LINES).map(({ text, detail }) => (isOneProject ? text : `${text} · ${detail}`))
    const rest = items.length > MOST_LINES ? [`และอีก ${items.length - MOST_LINES} เรื่อง`] : []
    return {
      ...facts,
      title: isOneProject ? first.detail : `${items.length} เรื่องที่ต้องรู้`,
      body: [...lines, ...rest].join('\n'),
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

function actionsOf({ project }: ChannelItem, userId: number, at: Date, tokens: Pick<MailLinkTokens, 'sign'>) {
  if (!project) return {}
  const expiresAt = new Date(at.getTime() + MARK_LINK_DAYS * DAY_MS)
  const token = (kind: 'bookmark' | 'hide') => tokens.sign({ kind, userId, subject: project.id, expiresAt })
  return { ...(!project.isStarred && { star: token('bookmark') }), hide: token('hide') }
}
