import { useRouter } from '@tanstack/react-router'
import {
  AtSign,
  CalendarClock,
  Download,
  EyeOff,
  FileClock,
  FileDiff,
  FileSearch,
  FilterX,
  type LucideIcon,
  MessageSquareText,
  RefreshCw,
  Repeat2,
  Rss,
  Trophy,
  UserPlus,
} from 'lucide-react'
import type { Ref } from 'react'
import type { Notification } from '#contract/account/notification.ts'
import { composeNotificationText, type NotificationTextParts } from '#contract/report/compose-notification-text.ts'
import { parseAgencyFromFollowName } from '#contract/report/follow.ts'
import { formatFieldChange } from '#contract/report/format-field-change.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getProjectHref } from '#src/lib/project-url.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { AgencyLink } from '#src/report/agency-link/agency-link.tsx'
import { ChangedValue } from '#src/report/project-row/changed-value.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { ProjectIdText } from '#src/ui/project/project-id.tsx'
import { getNotificationDay } from './group-notifications.ts'
import { markNotificationRead } from './mark-notifications.ts'

async function download(id: string, file_name: string): Promise<void> {
  try {
    const { downloadFinishedReportExport: saveExport } = await import('#src/report/export/track-report-export.ts')
    await saveExport({ id, file_name })
  } catch {
    showToast({
      tone: 'error',
      text: `ดาวน์โหลด ${file_name} ไม่สำเร็จ`,
      action: { label: 'ลองใหม่', run: () => void download(id, file_name) },
    })
  }
}

export function buildNotificationChangeLine({ changes }: Pick<Notification, 'changes'>) {
  const rank = (field: string) =>
    field.startsWith('submission_') ? 0 : /_date$/.test(field) ? 1 : /budget/.test(field) ? 2 : 3
  const [topChange] = changes.toSorted((a, b) => rank(a.field) - rank(b.field))
  return topChange && { ...formatFieldChange(topChange), moreCount: changes.length - 1 }
}

const ICONS: Readonly<Record<string, LucideIcon>> = {
  Updated: RefreshCw,
  Discussion_date_end: MessageSquareText,
  Submission_date_end: CalendarClock,
  Export_ready: Download,
  Mentioned: AtSign,
  Document_compared: FileDiff,
  Document_changed: FileDiff,
  Document_found: FileSearch,
  Join_requested: UserPlus,
  Followed_department: Rss,
  Followed_company: Rss,
  Followed_project: Rss,
  Contract_ends: FileClock,
  Question_news: Trophy,
  Term_advice: EyeOff,
  Filter_part_gone: FilterX,
  Announced_anew: Repeat2,
}
const TONES: Record<NotificationTextParts['tone'], string> = {
  plain: 'text-accent-ink',
  soon: 'text-updated',
  urgent: 'text-urgent',
  past: 'text-ink-muted',
}
const ITEM =
  'flex w-full gap-2.5 rounded-control px-2 py-2 text-left hover:bg-surface-muted focus-visible:-outline-offset-2 touch:min-h-11'

type NotificationItemProps = {
  ref?: Ref<HTMLElement>
  notification: Notification
  today: string
  showsName: boolean
  isFirst: boolean
  onNavigate: () => void
}

/** Phones and the installed app have no tabs to return from; on a desk a notification opens in a new tab. */
const SAME_TAB_MEDIA = '(max-width: 47.99rem), (display-mode: standalone)'

export function NotificationItem({ ref, notification, today, showsName, isFirst, onNavigate }: NotificationItemProps) {
  const router = useRouter()
  const isSameTab = useMediaQuery(SAME_TAB_MEDIA)
  const { type, project_id: projectId, export_id: exportId, read: isRead } = notification
  const words = composeNotificationText(notification, today)
  if (!words) return null
  const Icon = ICONS[type]!
  const change = buildNotificationChangeLine(notification)
  const moreText = change && change.moreCount > 0 ? ` และอีก ${change.moreCount} รายการ` : ''
  const content = (
    <>
      <Icon aria-hidden className={classNames('mt-1 size-4 shrink-0', TONES[words.tone])} />
      <span className="min-w-0 flex-1">
        {showsName && (
          <span className={classNames('line-clamp-2', isRead ? 'text-ink-muted' : 'font-medium')}>
            {notification.detail}
          </span>
        )}
        <span className={classNames('block', TONES[words.tone], !isRead && 'font-medium')}>
          {words.struck ? <s>{words.text}</s> : words.text}
          {words.struck && <span className="ml-1.5 text-sm text-ink-muted">วันเปลี่ยนแล้ว</span>}
        </span>
        {change && (
          <span
            title={`${change.field} ${change.old} → ${change.new}${moreText}`}
            className="line-clamp-3 text-xs leading-5 text-ink-muted"
          >
            {change.field} <ChangedValue words={change} newClassName="text-ink" />
            {change.moreCount > 0 && (
              <span className="ml-1">
                <span aria-hidden>+{change.moreCount}</span>
                <span className="sr-only">{moreText}</span>
              </span>
            )}
          </span>
        )}
        <span className="flex items-center gap-1.5 text-xs text-ink-muted tabular-nums">
          {projectId !== null && (
            <>
              <ProjectIdText id={projectId} />
              <span aria-hidden>·</span>
            </>
          )}
          {formatThaiDate(getNotificationDay(notification))}
        </span>
      </span>
      {!isRead && (
        <span className="mt-2 size-2 shrink-0 rounded-full bg-accent-ink">
          <span className="sr-only">ยังไม่อ่าน</span>
        </span>
      )}
    </>
  )
  const href = hrefOf(notification)
  if (href !== undefined) {
    const { about } = notification
    return (
      <>
        <a
          ref={ref as Ref<HTMLAnchorElement>}
          data-autofocus={isFirst || undefined}
          href={href}
          {...(!isSameTab && {
            target: '_blank',
            rel: 'noopener',
            title: projectId === null ? undefined : 'เปิดหน้าโครงการในแท็บใหม่',
          })}
          onClick={(event) => {
            markNotificationRead(notification)
            if (!isSameTab || event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            onNavigate()
            router.history.push(href)
          }}
          onAuxClick={({ button }) => button === 1 && markNotificationRead(notification)}
          className={ITEM}
        >
          {content}
        </a>
        {type === 'Followed_department' && about !== undefined && (
          <AgencyLink
            name={parseAgencyFromFollowName(about)}
            isExtra
            className="ml-8 inline-flex min-h-6 items-center rounded-control text-xs text-accent-ink hover:underline touch:min-h-11"
          >
            ดูหน้าหน่วยงาน
          </AgencyLink>
        )}
      </>
    )
  }
  return (
    <button
      type="button"
      ref={ref as Ref<HTMLButtonElement>}
      data-autofocus={isFirst || undefined}
      disabled={exportId === null}
      onClick={() => {
        markNotificationRead(notification)
        if (exportId !== null) void download(exportId, notification.detail)
      }}
      className={ITEM}
    >
      {content}
    </button>
  )
}

/**
 * Returns the link target. Without a project: the screen that the notification is about, undefined for a file. With
 * one: the comparison while its document exists, the documents tab for a changed document or a match in one, else the
 * project page.
 */
function hrefOf({
  type,
  document_id: id,
  project_id: projectId,
  filter,
  found: documentHit,
  question,
}: Notification): string | undefined {
  if (type === 'Join_requested') return '/settings?tab=team'
  if (type === 'Contract_ends') return '/report?view=contract_ends&ends_within=180'
  if (type === 'Term_advice') return '/watch'
  if (type === 'Filter_part_gone') return '/report#saved-filters'
  if (type === 'Question_news') return `/report?${new URLSearchParams({ view: 'who_wins', ...question })}`
  if (projectId === null) return undefined
  return id === undefined
    ? getProjectHref(projectId, {
        ...((type === 'Document_changed' || (type === 'Document_found' && !documentHit)) && { tab: 'files' as const }),
        ...(filter?.words !== undefined && { from: { document_text__in: filter.words } }),
      })
    : `/report/${encodeURIComponent(projectId)}/documents/${encodeURIComponent(id)}?compare=auto`
}
