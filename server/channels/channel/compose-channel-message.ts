import { CHANNEL_MESSAGE_KINDS, type ChannelMessageKind } from '#contract/channels/channel.ts'
import { composeNotificationText } from '#contract/report/compose-notification-text.ts'
import { formatFieldChange } from '#contract/report/format-field-change.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { ReportMailDependencies } from '#server/report/mail/compose-report-mail.ts'
import type { ChannelMessage, ChannelMessageItem, ChannelMessageProject } from './channel-sender.ts'
import {
  type ChannelNotificationRow,
  countUnreadNotifications,
  findChannelMessageProjects,
  findChannelNotifications,
} from './message-content-queries.ts'
import { buildMorningSummary } from './morning-summary.ts'
import type { ChannelRecipient, WaitingChannelMessage } from './queries.ts'

const KIND_ORDER = CHANNEL_MESSAGE_KINDS.map(({ code }) => code as string)
const isKind = (kind: string): kind is ChannelMessageKind => KIND_ORDER.includes(kind)

const URGENT_KINDS: readonly ChannelMessageKind[] = [
  'Deadline_moved',
  'Submission_date_end',
  'Discussion_date_end',
  'Mentioned',
]
const placeOf = (kind: ChannelMessageKind) => URGENT_KINDS.indexOf(kind) + 1 || URGENT_KINDS.length + 1

/** These ask for action before a deadline, so they are not sent once the project is cancelled, closed or awarded. */
const DEADLINE_KINDS: readonly ChannelMessageKind[] = ['Submission_date_end', 'Discussion_date_end']
const DEADLINE_FIELDS = ['submission_end_date', 'submission_time', 'draft_discussion_end_date']

/**
 * Composes a message from a batch. Skips what the user has meanwhile read in the bell menu, and projects that are
 * hidden, outdated or unsubscribed, and deadlines of projects that no longer take bids. Returns undefined if nothing
 * remains. Contains public facts only: no notes, labels or internal prices leave the product.
 */
export async function composeChannelMessage(
  db: Db,
  reader: ReportMailDependencies['reader'],
  receiver: ChannelRecipient,
  rows: readonly WaitingChannelMessage[],
  at: Date,
): Promise<ChannelMessage | undefined> {
  const { userId, organisationId, channel } = receiver
  const subscribed = rows.filter(({ kind }) => (receiver.kinds as readonly string[]).includes(kind))
  const kindOf = new Map(subscribed.map(({ notificationId, kind }) => [notificationId, kind]))
  const notifications = (
    await findChannelNotifications(
      db,
      userId,
      subscribed.flatMap(({ notificationId }) => notificationId ?? []),
    )
  ).filter(({ read }) => !read)
  const today = getBangkokToday(at)
  const projects = await findChannelMessageProjects(
    db,
    receiver,
    notifications.flatMap(({ projectId }) => projectId ?? []),
    today,
  )
  const items = notifications
    .flatMap((notification) => toItem(notification, kindOf.get(notification.id)!, projects, today) ?? [])
    .toSorted((a, b) => placeOf(a.kind) - placeOf(b.kind))
  const morning = subscribed.some(({ kind }) => kind === 'Morning')
    ? await buildMorningSummary(db, reader, receiver, at)
    : undefined
  if (!morning && items.length === 0) return undefined
  return {
    id: rows[0]!.batch,
    ...{ channel, userId, organisationId, morning, items, at },
    unread: await countUnreadNotifications(db, userId),
  }
}

function toItem(
  notification: ChannelNotificationRow,
  kind: string,
  projects: ReadonlyMap<string, ChannelMessageProject>,
  today: string,
): ChannelMessageItem | undefined {
  const words = composeNotificationText(
    {
      type: notification.type,
      due_date: notification.due,
      outdated: notification.outdated,
      ...(notification.documentKind !== null && { document_kind: notification.documentKind }),
      ...(notification.count !== null && { change_count: notification.count }),
      ...(notification.about !== null && { about: notification.about }),
      ...(notification.filter !== null && { filter: { id: '', name: notification.filter } }),
    },
    today,
  )
  if (!words || !isKind(kind) || words.struck || words.tone === 'past') return undefined
  const project = notification.projectId === null ? undefined : projects.get(notification.projectId)
  if (project && !project.isActionable && DEADLINE_KINDS.includes(kind)) return undefined
  return {
    kind,
    text: kind === 'Deadline_moved' ? (movedDeadlineText(notification) ?? words.text) : words.text,
    detail: notification.detail,
    path: pathOf(notification),
    ...(project && { project }),
  }
}

function movedDeadlineText({ changes }: ChannelNotificationRow): string | undefined {
  const [deadlineChange] = DEADLINE_FIELDS.flatMap((field) =>
    changes.filter((change) => change.field === field && change.old !== null),
  )
  if (!deadlineChange) return undefined
  const words = formatFieldChange({ ...deadlineChange, seen_at: '' })
  return `${words.field} ${words.old} → ${words.new}`
}

function pathOf({ type, projectId, documentId, question }: ChannelNotificationRow): string {
  if (type === 'Join_requested') return '/settings?tab=team'
  if (type === 'Filter_part_gone') return '/report#saved-filters'
  if (type === 'Contract_ends') return '/report?view=contract_ends&ends_within=180'
  if (type === 'Question_news') return `/report?${new URLSearchParams({ view: 'who_wins', ...question })}`
  if (projectId === null) return '/report'
  const page = `/report/${encodeURIComponent(projectId)}`
  if (documentId !== null) return `${page}/documents/${encodeURIComponent(documentId)}?compare=auto`
  return type === 'Document_changed' || type === 'Document_found' ? `${page}?tab=files` : page
}
