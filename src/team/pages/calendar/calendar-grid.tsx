import { TriangleAlert } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useRef } from 'react'
import { shortenProjectName } from '#contract/account/shorten-project-name.ts'
import { CALENDAR_EVENT_KIND_NAMES, type CalendarEvent, type CalendarProject } from '#contract/team/calendar.ts'
import { addDays, addMonths } from '#contract/thai/thai-date.ts'
import { getMondayOfWeek, isWorkingDay } from '#contract/thai/working-day.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import {
  countDeadlines,
  formatCalendarDay,
  formatShortCalendarDay,
  getDayOfMonth,
  getHolidayName,
  groupEventsByKind,
  isOverloadedDay,
  isSameMonth,
  TEAM_CALENDAR_WEEKDAYS,
} from './calendar-days.ts'
import { getCalendarKindAppearance } from './calendar-kind-appearances.ts'

const MAX_PILLS = 4

export type CalendarGridContent = {
  readonly byDay: ReadonlyMap<string, readonly CalendarEvent[]>
  readonly projects: ReadonlyMap<string, CalendarProject>
  readonly day: string
  readonly today: string
}

type CalendarGridProps = CalendarGridContent & {
  weeks: readonly (readonly string[])[]
  onDay: (day: string) => void
  onOpen: () => void
  isWeek?: boolean
}

const COLUMNS = 'grid grid-cols-[repeat(5,minmax(0,1fr))_repeat(2,minmax(0,0.72fr))]'

const MOVES: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: getMondayOfWeek,
  End: (day) => addDays(getMondayOfWeek(day), 6),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
}

/** Arrows move by day and week, PageUp and PageDown by month, Enter opens the list of the day. */
export function CalendarGrid(props: CalendarGridProps) {
  const { weeks, day, onDay, onOpen, isWeek = false } = props
  const dayCell = useRef<HTMLDivElement>(null)
  // A key may move to a day in weeks that are not rendered yet; the effect moves the focus after the render.
  const follows = useRef(false)
  useOnChange(day, () => {
    if (follows.current) dayCell.current?.focus()
    follows.current = false
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const move = MOVES[event.key]
    if (event.key === 'Enter' || event.key === ' ') onOpen()
    else if (move) {
      follows.current = true
      onDay(move(day))
    } else return
    event.preventDefault()
  }
  return (
    <div
      role="grid"
      aria-label={isWeek ? 'วันของสัปดาห์' : 'วันของเดือน'}
      className="overflow-hidden rounded-card border border-line bg-surface"
    >
      <Row className="bg-surface-muted text-sm text-ink-muted">
        {TEAM_CALENDAR_WEEKDAYS.map(({ full }) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the day cells take the focus
          <div key={full} role="columnheader" className="truncate px-2.5 py-1.5 font-medium">
            {full}
          </div>
        ))}
      </Row>
      {weeks.map((week) => (
        <Row key={week[0]}>
          {week.map((iso) => (
            <DayCell key={iso} {...props} ref={iso === day ? dayCell : undefined} iso={iso} onKeyDown={onKeyDown} />
          ))}
        </Row>
      ))}
    </div>
  )
}

function Row({ className, children }: { className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the day cells take the focus
    <div role="row" className={classNames(COLUMNS, className)}>
      {children}
    </div>
  )
}

function dayLabel(iso: string, today: string, events: readonly CalendarEvent[]): string {
  const kinds = [...groupEventsByKind(events)]
  return [
    formatCalendarDay(iso, true),
    iso === today ? 'วันนี้' : undefined,
    getHolidayName(iso),
    ...kinds.map(([kind, of]) => `${CALENDAR_EVENT_KIND_NAMES[kind]} ${of.length}`),
    kinds.length === 0 ? 'ไม่มีกำหนด' : undefined,
    isOverloadedDay(events) ? 'งานแน่น' : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}

type DayCellProps = CalendarGridProps & {
  ref: Ref<HTMLDivElement> | undefined
  iso: string
  onKeyDown: (event: KeyboardEvent) => void
}

function DayCell({ ref, iso, day, today, byDay, projects, onDay, onKeyDown, isWeek = false }: DayCellProps) {
  const events = byDay.get(iso) ?? []
  const isFull = isOverloadedDay(events)
  const holiday = getHolidayName(iso)
  const isOutside = !isWeek && !isSameMonth(iso, day)
  const visibleEvents = isWeek || events.length <= MAX_PILLS ? events : events.slice(0, MAX_PILLS - 1)
  return (
    <div
      ref={ref}
      role="gridcell"
      data-day={iso}
      aria-selected={iso === day}
      aria-current={iso === today ? 'date' : undefined}
      tabIndex={iso === day ? 0 : -1}
      onClick={() => onDay(iso)}
      onKeyDown={onKeyDown}
      className={classNames(
        'relative min-w-0 cursor-pointer border-t border-l border-line p-1.5 first:border-l-0 focus-visible:-outline-offset-2',
        isWeek ? 'min-h-96' : 'min-h-[120px]',
        !isWorkingDay(iso) && 'closed-day',
        isFull && 'bg-updated-soft',
        isOutside && 'text-ink-faint',
        iso === day && 'inset-ring-2 inset-ring-accent-ink',
      )}
    >
      <span className="sr-only">{dayLabel(iso, today, events)}</span>
      <div aria-hidden className="mb-1 flex h-6 items-center gap-1.5 text-sm">
        <span
          className={classNames(
            'inline-flex h-6 min-w-6 shrink-0 items-center justify-center rounded-full px-1 tabular-nums',
            iso === today ? 'bg-accent font-semibold text-on-accent' : !isWorkingDay(iso) && 'text-ink-faint',
          )}
        >
          {isOutside || getDayOfMonth(iso) === 1 ? formatShortCalendarDay(iso) : getDayOfMonth(iso)}
        </span>
        {isFull ? (
          <span className="ml-auto inline-flex items-center gap-1 rounded-full border border-updated-line bg-surface px-1.5 text-xs whitespace-nowrap text-updated">
            <TriangleAlert className="size-3" />
            งานแน่น {countDeadlines(events)}
          </span>
        ) : (
          holiday && <span className="min-w-0 truncate text-xs text-ink-faint">{holiday}</span>
        )}
      </div>
      <ul aria-hidden className="space-y-1">
        {visibleEvents.map((event) => (
          <Pill key={event.id} event={event} project={projects.get(event.project_id)} wraps={isWeek} />
        ))}
        {visibleEvents.length < events.length && (
          <li className="px-1.5 text-xs text-ink-muted">อีก {events.length - visibleEvents.length} รายการ</li>
        )}
      </ul>
    </div>
  )
}

type PillProps = { event: CalendarEvent; project: CalendarProject | undefined; wraps: boolean }

/** Event pill. Filled: the team decided to bid. Outlined: only watched. */
function Pill({ event, project, wraps }: PillProps) {
  const name = project?.name ?? ''
  const look = getCalendarKindAppearance(event.kind)
  return (
    <li
      title={`${CALENDAR_EVENT_KIND_NAMES[event.kind]}: ${name}`}
      className={classNames(
        'flex gap-1 rounded-[5px] border border-l-[3px] px-1 text-xs text-ink',
        project?.decision === 'bid'
          ? classNames(look.soft, 'border-transparent', look.bar)
          : classNames('bg-surface', look.edge),
        wraps ? 'items-start py-0.5' : 'h-[21px] items-center',
        event.is_cancelled && 'line-through opacity-70',
      )}
    >
      <look.icon className={classNames('size-3 shrink-0', look.text, wraps && 'mt-1')} />
      <span className={wraps ? 'line-clamp-3' : 'truncate'}>{shortenProjectName(name)}</span>
    </li>
  )
}
