import { Link } from '@tanstack/react-router'
import { CalendarCheck, ChevronLeft, ChevronRight, TriangleAlert } from 'lucide-react'
import type { Ref } from 'react'
import { shortenProjectName } from '#contract/account/shorten-project-name.ts'
import { getDeadlineUrgency } from '#contract/catalogue/time-left.ts'
import { getDeadlineCertaintyLabel } from '#contract/report/deadlines.ts'
import { type CalendarEvent, type CalendarProject, getCalendarEventKindLabel } from '#contract/team/calendar.ts'
import { getHolidayCertainty } from '#contract/thai/public-holiday.ts'
import { addDays, countDaysBetween } from '#contract/thai/thai-date.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { isWorkingDay } from '#contract/thai/working-day.ts'
import { classNames } from '#src/lib/class-names.ts'
import { DEADLINE_URGENCY_CLASSES } from '#src/lib/deadline-urgency-classes.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import {
  countDeadlines,
  formatCalendarDay,
  formatCalendarTimeLeft,
  getDayOfMonth,
  getHolidayName,
  isOverloadedDay,
  listDaysOfWeek,
  TEAM_CALENDAR_WEEKDAYS,
} from './calendar-days.ts'
import type { CalendarGridContent } from './calendar-grid.tsx'
import { getCalendarKindAppearance } from './calendar-kind-appearances.ts'

export function CalendarAgenda({ day, to, today, byDay, projects }: CalendarGridContent & { to: string }) {
  const days = Array.from({ length: Math.max(0, countDaysBetween(day, to) + 1) }, (_, i) => addDays(day, i))
  const visibleDays = days.filter((iso) => byDay.has(iso) || getHolidayName(iso) !== undefined)
  if (!visibleDays.some((iso) => byDay.has(iso))) {
    return (
      <p className="flex flex-col items-center gap-2 px-4 py-10 text-center text-ink-muted">
        <CalendarCheck aria-hidden className="size-6 text-ink-faint" />
        ไม่มีกำหนดตั้งแต่ {formatCalendarDay(day)} ถึง {formatCalendarDay(to)}
      </p>
    )
  }
  return (
    <ol className="space-y-4">
      {visibleDays.map((iso) => {
        const events = byDay.get(iso)
        if (!events) {
          return (
            <li key={iso} className="text-sm text-ink-faint">
              {formatCalendarDay(iso)} · {getHolidayName(iso)}
            </li>
          )
        }
        return (
          <li key={iso}>
            <h2 className="mb-1.5 flex flex-wrap items-baseline gap-x-2">
              <span
                className={classNames(
                  'font-semibold',
                  DEADLINE_URGENCY_CLASSES[getDeadlineUrgency(countDaysBetween(today, iso))],
                )}
              >
                {formatCalendarDay(iso)}
              </span>
              <span className="text-sm text-ink-muted">
                {formatCalendarTimeLeft(iso, today)}
                {getHolidayName(iso) && ` · ${getHolidayName(iso)}`}
              </span>
              {isOverloadedDay(events) && <span className="text-sm text-updated">งานแน่น {countDeadlines(events)}</span>}
            </h2>
            <Card className="overflow-hidden">
              <ul className="divide-y divide-line">
                <CalendarEventCards events={events} projects={projects} />
              </ul>
            </Card>
          </li>
        )
      })}
    </ol>
  )
}

type WeekStripProps = Omit<CalendarGridContent, 'projects'> & { onDay: (day: string) => void }
const MAX_DOTS = 3

export function CalendarWeekStrip({ day, today, byDay, onDay }: WeekStripProps) {
  return (
    <Card className="grid grid-cols-7 p-1">
      {listDaysOfWeek(day).map((iso, weekday) => {
        const events = (byDay.get(iso) ?? []).filter(({ is_cancelled }) => !is_cancelled)
        return (
          <button
            key={iso}
            type="button"
            aria-pressed={iso === day}
            onClick={() => onDay(iso)}
            className="relative flex min-h-16 flex-col items-center gap-0.5 rounded-control py-1"
          >
            <span className="sr-only">
              {`${formatCalendarDay(iso)} ${events.length === 0 ? 'ไม่มีกำหนด' : `${events.length} กำหนด`}`}
            </span>
            <span aria-hidden className="text-xs text-ink-muted">
              {TEAM_CALENDAR_WEEKDAYS[weekday]!.short}
            </span>
            <span
              aria-hidden
              className={classNames(
                'inline-flex size-8 items-center justify-center rounded-full text-md tabular-nums',
                iso === day
                  ? 'bg-accent font-semibold text-on-accent'
                  : classNames(
                      !isWorkingDay(iso) && 'closed-day text-ink-faint',
                      iso === today && 'font-semibold text-accent-ink',
                    ),
              )}
            >
              {getDayOfMonth(iso)}
            </span>
            <span className="flex h-1.5 gap-0.5">
              {events.slice(0, MAX_DOTS).map(({ id, kind }) => (
                <span key={id} className={classNames('size-1.5 rounded-full', getCalendarKindAppearance(kind).dot)} />
              ))}
            </span>
          </button>
        )
      })}
    </Card>
  )
}

type CalendarEventCardsProps = Pick<CalendarGridContent, 'projects'> & { events: readonly CalendarEvent[] }

const CalendarEventCards = ({ events, projects }: CalendarEventCardsProps) =>
  events.map((event) => {
    const project = projects.get(event.project_id)
    return project && <CalendarEventCard key={event.id} event={event} project={project} />
  })

function CalendarEventCard({ event, project }: { event: CalendarEvent; project: CalendarProject }) {
  const { time } = event
  const look = getCalendarKindAppearance(event.kind)
  const unit = project.dept_sub_name === '' ? project.dept_name : project.dept_sub_name
  return (
    <li className={classNames('border-l-[3px] py-2.5 pr-3 pl-3', look.bar)}>
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-sm">
        <span className={classNames('inline-flex items-center gap-1.5 font-medium', look.text)}>
          <look.icon aria-hidden className="size-4" />
          {getCalendarEventKindLabel(event.kind, event.contract_count)}
        </span>
        {time && (
          <span className="text-ink-muted tabular-nums">
            {time.from === time.to ? `ภายใน ${time.to} น.` : `${time.from}–${time.to} น.`}
          </span>
        )}
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

type DayPanelProps = CalendarGridContent & {
  onDay: (day: string) => void
  headingRef: Ref<HTMLHeadingElement>
}

export function CalendarDayPanel({ day, today, byDay, projects, onDay, headingRef }: DayPanelProps) {
  const events = byDay.get(day) ?? []
  const submissions = events.filter(({ kind, is_cancelled }) => kind === 'submission' && !is_cancelled).length
  const holiday = getHolidayName(day)
  return (
    <Card as="section" aria-label={`กำหนดของ${formatCalendarDay(day, true)}`} className="flex min-h-0 flex-col">
      <div className="border-b border-line px-4 py-3">
        <div className="flex items-center gap-2">
          <h2 ref={headingRef} tabIndex={-1} className="min-w-0 flex-1 text-md font-semibold outline-none">
            {formatCalendarDay(day, true)}
          </h2>
          <IconButton icon={ChevronLeft} label="วันก่อนหน้า" size="sm" onClick={() => onDay(addDays(day, -1))} />
          <IconButton icon={ChevronRight} label="วันถัดไป" size="sm" onClick={() => onDay(addDays(day, 1))} />
        </div>
        <p className="text-sm text-ink-muted">
          {formatCalendarTimeLeft(day, today)}
          {holiday && ` · ${holiday}`}
        </p>
        {isOverloadedDay(events) && (
          <p className="mt-2 flex items-center gap-1.5 rounded-control border border-updated-line bg-updated-soft px-2.5 py-1 text-sm text-updated">
            <TriangleAlert aria-hidden className="size-4 shrink-0" />
            งานแน่น {countDeadlines(events)} กำหนด{submissions > 1 && ` ยื่นพร้อมกัน ${submissions} งาน`}
          </p>
        )}
      </div>
      {events.length === 0 ? (
        <p className="px-4 py-6 text-center text-sm text-ink-muted">ไม่มีกำหนดในวันนี้</p>
      ) : (
        <ul className="space-y-2 p-3">
          <CalendarEventCards events={events} projects={projects} />
        </ul>
      )}
    </Card>
  )
}

export function EstimatedDateNote({ from, to }: { from: string; to: string }) {
  const isCertain = getHolidayCertainty(from, to) === 'announced'
  return (
    <p className="text-xs text-ink-faint">
      วันที่มีป้าย “{getDeadlineCertaintyLabel({ isEstimate: true })}” ระบบนับเองตามข้อกฎหมายที่แสดงใต้วันนั้น โดยเว้นวันหยุดราชการ
      วันอุทธรณ์และวันหลังจากนั้นมีเฉพาะงานที่ทีมตัดสินใจยื่น ใช้วางแผนเท่านั้น ตรวจกับประกาศของหน่วยงานก่อนเสมอ
      {!isCertain && ' วันหยุดบางวันของช่วงนี้คำนวณไว้ล่วงหน้า ยังไม่มีประกาศ'}
    </p>
  )
}
