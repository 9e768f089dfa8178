import { CHANNEL_KINDS, type ChannelKind } from '#contract/channels/channel.ts'
import { fieldChangeText } from '#contract/report/field-change-text.ts'
import { notificationText } from '#contract/report/notification-text.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { MailParts } from '#server/report/mail/compose.ts'
import type { ChannelItem, ChannelMessage, ChannelProject } from './channel-sender.ts'
import { countUnread, findNotifications, findProjects, type ToldNotification } from './message-content-queries.ts'
import { summariseMorning } from './morning-summary.ts'
import type { Receiver, Waiting } from './queries.ts'

const KINDS = CHANNEL_KINDS.map(({ code }) => code as string)
const isKind = (kind: string): kind is ChannelKind => KINDS.includes(kind)

/** Urgent kinds first, then the order in the settings. */
const FIRST: readonly ChannelKind[] = ['Deadline_moved', 'Submission_date_end', 'Discussion_date_end', 'Mentioned']
const placeOf = (kind: ChannelKind) => FIRST.indexOf(kind) + 1 || FIRST.length + 1

const DEADLINES = ['submission_end_date', 'submission_time', 'draft_discussion_end_date']

/**
 * Composes a message from a batch as of now: skips what was read in the bell meanwhile, is hidden, outdated or
 * unsubscribed. Undefined if nothing remains. Public facts only: no notes, labels or internal prices leave the product.
 */
export async function composeMessage(
  db: Db,
  reader: MailParts['reader'],
  receiver: Receiver,
  rows: readonly Waiting[],
  at: Date,
): Promise<ChannelMessage | undefined> {
  const { userId, organisationId, channel } = receiver
  const wanted = rows.filter(({ kind }) => (receiver.kinds as readonly string[]).includes(kind))
  const kindOf = new Map(wanted.map(({ notificationId, kind }) => [notificationId, kind]))
  const told = (
    await findNotifications(
      db,
      userId,
      wanted.flatMap(({ notificationId }) => notificationId ?? []),
    )
  ).filter(({ read }) => !read)
  const projects = await findProjects(
    db,
    receiver,
    told.flatMap(({ projectId }) => projectId ?? []),
  )
  const today = bangkokToday(at)
  const items = told
    .flatMap((notification) => itemOf(notification, kindOf.get(notification.id)!, projects, today) ?? [])
    .toSorted((a, b) => placeOf(a.kind) - placeOf(b.kind))
  const morning = wanted.some(({ kind }) => kind === 'Morning')
    ? await summariseMorning(db, reader, receiver, at)
    : undefined
  if (!morning && items.length === 0) return undefined
  return {
    id: rows[0]!.batch,
    ...{ channel, userId, organisationId, morning, items, at },
    unread: await countUnread(db, userId),
  }
}

function itemOf(
  told: ToldNotification,
  kind: string,
  projects: ReadonlyMap<string, ChannelProject>,
  today: string,
): ChannelItem | undefined {
  const words = notificationText(
    {
      type: told.type,
      due_date: told.due,
      outdated: told.outdated,
      ...(told.documentKind !== null && { document_kind: told.documentKind }),
      ...(told.count !== null && { change_count: told.count }),
      ...(told.about !== null && { about: told.about }),
      ...(told.filter !== null && { filter: { id: '', name: told.filter } }),
    },
    today,
  )
  if (!words || !isKind(kind) || words.struck || words.tone === 'past') return undefined
  const project = told.projectId === null ? undefined : projects.get(told.projectId)
  return {
    kind,
    text: kind === 'Deadline_moved' ? (movedText(told) ?? words.text) : words.text,
    detail: told.detail,
    path: pathOf(told),
    ...(project && { project }),
  }
}

/** `วันยื่นข้อเสนอ 1 ธ.ค. 2569 → 8 ธ.ค. 2569`. */
function movedText({ changes }: ToldNotification): string | undefined {
  const [moved] = DEADLINES.flatMap((field) =>
    changes.filter((change) => change.field === field && change.old !== null),
  )
  if (!moved) return undefined
  const words = fieldChangeText({ ...moved, seen_at: '' })
  return `${words.field} ${words.old} → ${words.new}`
}

function pathOf({ type, projectId, documentId, question }: ToldNotification): string {
  if (type === 'Join_requested') return '/settings?tab=team'
  if (type === 'Filter_part_gone') return '/settings?tab=saved-filters'
  if (type === 'Contract_ends') return '/report?view=contract_ends&ends_within=180'
  if (type === 'Question_news') return `/report?${new URLSearchParams({ view: 'who_wins', ...question })}`
  if (projectId === null) return '/report'
  const page = `/report/${encodeURIComponent(projectId)}`
  if (documentId !== null) return `${page}/documents/${encodeURIComponent(documentId)}?compare=auto`
  return type === 'Document_changed' || type === 'Document_found' ? `${page}?tab=files` : page
}
