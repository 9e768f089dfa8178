import { Link } from '@tanstack/react-router'
import { shortenProjectName } from '#contract/account/shorten-project-name.ts'
import { getDeadlineCertaintyLabel } from '#contract/report/deadlines.ts'
import { type CalendarEvent, type CalendarProject, getCalendarEventKindLabel } from '#contract/team/calendar.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Badge } from '#src/ui/badge.tsx'
import { getCalendarKindAppearance } from './calendar-kind-appearances.ts'

function timeText({ from, to }: { readonly from: string; readonly to: string }): string {
  return from === to ? `ภายใน ${to} น.` : `${from}–${to} น.`
}

export function CalendarEventCard({ event, project }: { event: CalendarEvent; project: CalendarProject }) {
  const look = getCalendarKindAppearance(event.kind)
  const unit = project.dept_sub_name === '' ? project.dept_name : project.dept_sub_name
  return (
    <li className={classNames('border-l-[3px] py-2.5 pr-3 pl-3', look.bar)}>
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-sm">
        <span className={classNames('inline-flex items-center gap-1.5 font-medium', look.text)}>
          <look.icon aria-hidden className="size-4" />
          {getCalendarEventKindLabel(event.kind, event.contract_count)}
        </span>
        {event.time && <span className="text-ink-muted tabular-nums">{timeText(event.time)}</span>}
      </p>
      <Link
        to="/report/$id"
        params={{ id: project.project_id }}
        title={project.name}
        className={classNames(
          'mt-0.5 line-clamp-3 font-medium decoration-line-strong underline-offset-4 hover:underline',
          event.is_cancelled && 'line-through',
        )}
      >
        {shortenProjectName(project.name)}
      </Link>
      <p className="text-sm text-ink-muted">{[unit, project.province].filter(Boolean).join(' · ')}</p>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-muted">
        {project.budget !== null && <span>{formatBahtCompact(project.budget)} บาท</span>}
        {project.decision === 'bid' && <Badge tone="accent">ยื่น</Badge>}
        {project.owner !== null && <span>{project.owner}</span>}
        <Badge>{getDeadlineCertaintyLabel({ isEstimate: event.is_estimate })}</Badge>
        {event.is_cancelled && <Badge tone="urgent">ยกเลิกแล้ว</Badge>}
      </p>
      <p className="mt-1 text-xs text-ink-faint">{event.basis}</p>
      {event.note && !event.is_cancelled && <p className="mt-1 text-xs text-ink-muted">{event.note}</p>}
    </li>
  )
}
