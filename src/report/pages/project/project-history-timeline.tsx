import { Eye, Megaphone, PencilLine } from 'lucide-react'
import type { FieldChange } from '#contract/catalogue/field-change.ts'
import { getChoiceLabel, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import { formatFieldChange } from '#contract/report/format-field-change.ts'
import { toSafeHref } from '#contract/safe-href.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { ChangedValue } from '#src/report/project-row/changed-value.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { NewTabLink } from '#src/ui/new-tab-link.tsx'
import { getSubmissionDateShiftDays, isCriticalDeadlineChange, type ProjectHistoryEntry } from './project-history.ts'

type HistoryTimelineProps = {
  entries: readonly ProjectHistoryEntry[]
  lastVisit: string | null
}

export function ProjectHistoryTimeline({ entries, lastVisit }: HistoryTimelineProps) {
  const newCount = entries.filter(({ isNew }) => isNew).length
  const toItem = (entry: ProjectHistoryEntry) => (
    <Entry key={entry.kind === 'changed' ? entry.seenAt : `${entry.day} ${entry.movement}`} entry={entry} />
  )
  return (
    <ol className="flex flex-col">
      {entries.slice(0, newCount).map(toItem)}
      {lastVisit !== null && newCount > 0 && (
        <li className="my-2 flex items-center gap-2 text-xs text-updated">
          <Eye aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0">ด้านบนคือสิ่งใหม่ตั้งแต่คุณเปิดดูครั้งก่อน · {formatThaiDateTime(lastVisit)}</span>
          <span aria-hidden className="h-px flex-1 bg-updated-line" />
        </li>
      )}
      {entries.slice(newCount).map(toItem)}
    </ol>
  )
}

function Entry({ entry }: { entry: ProjectHistoryEntry }) {
  const Icon = entry.kind === 'announced' ? Megaphone : PencilLine
  return (
    <li
      className={classNames(
        'flex gap-3 border-t border-line py-2.5 first:border-t-0 max-sm:flex-wrap max-sm:gap-x-2 max-sm:gap-y-0.5',
        entry.isNew && '-mx-2 rounded-control border-transparent bg-updated-soft px-2',
      )}
    >
      <Icon aria-hidden className="mt-[3px] size-4 shrink-0 text-ink-faint" />
      <p className="shrink-0 text-sm text-ink-muted tabular-nums max-sm:flex-1 sm:w-38">
        {entry.kind === 'announced' ? formatThaiDateShortOrOriginal(entry.day) : formatThaiDateTime(entry.seenAt)}
        {entry.isNew && <span className="sr-only"> ใหม่ตั้งแต่คุณเปิดดูครั้งก่อน</span>}
      </p>
      <div className="min-w-0 flex-1 max-sm:basis-full max-sm:pl-6">
        {entry.kind === 'announced' ? (
          <p>
            <span className="text-ink-muted">e-GP </span>
            <AnnouncementName movement={entry.movement} link={entry.link} />
          </p>
        ) : (
          <dl className="flex flex-col gap-1.5">
            {entry.changes.map((change) => (
              <ProjectHistoryChangeLine key={change.field} change={change} />
            ))}
          </dl>
        )}
      </div>
    </li>
  )
}

function AnnouncementName({ movement, link }: { movement: string; link: string | undefined }) {
  const name = getChoiceLabel(PROJECT_MOVEMENTS, movement)
  const href = link === undefined ? undefined : toSafeHref(link)
  if (href === undefined) return <span className="font-medium">{name}</span>
  return (
    <NewTabLink
      href={href}
      className="inline-flex items-center gap-1 rounded-control font-medium text-accent-ink hover:underline touch:min-h-11"
    >
      {name}
    </NewTabLink>
  )
}

function ProjectHistoryChangeLine({ change }: { change: FieldChange }) {
  const words = formatFieldChange(change)
  const shift = getSubmissionDateShiftDays(change)
  const critical = isCriticalDeadlineChange(change)
  return (
    <div className="sm:flex sm:gap-4">
      <dt className={classNames('shrink-0 sm:w-44', critical ? 'font-medium text-urgent' : 'text-ink-muted')}>
        {words.field}
        {critical && <span className="sr-only"> (สำคัญ)</span>}
      </dt>
      <dd className="min-w-0">
        <ChangedValue words={words} showsOld={change.old !== null} newClassName="font-semibold" />
        {shift !== undefined && shift !== 0 && (
          <Badge tone="urgent" className="ml-2 align-[1px]">
            {shift > 0 ? `เลื่อนออกไป ${shift} วัน` : `เร็วขึ้น ${-shift} วัน`}
          </Badge>
        )}
      </dd>
    </div>
  )
}
