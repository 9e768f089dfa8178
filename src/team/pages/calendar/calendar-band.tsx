import { getRouteApi } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import { DEADLINE_KINDS, type DeadlineKind } from '#contract/report/deadline-kind.ts'
import { CALENDAR_EVENT_KIND_NAMES, type CalendarEvent } from '#contract/team/calendar.ts'
import { CALENDAR_SOURCES, type CalendarSearch, type CalendarView } from '#contract/team/calendar-params.ts'
import { addDays, addMonths } from '#contract/thai/thai-date.ts'
import { useUser } from '#src/account/api/users.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useSearchState } from '#src/lib/use-search-state.ts'
import { Button } from '#src/ui/button.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { TogglePill } from '#src/ui/toggle-pill.tsx'
import { formatCalendarDay, formatThaiMonthAndYear, groupEventsByKind } from './calendar-days.ts'
import { getCalendarKindAppearance } from './calendar-kind-appearances.ts'

const route = getRouteApi('/_app/calendar')

export const useCalendarUrlState = () => useSearchState<CalendarSearch>(route.useSearch(), route.useNavigate())

export const CALENDAR_VIEW_TABS = [
  { value: 'month', label: 'เดือน' },
  { value: 'week', label: 'สัปดาห์' },
  { value: 'agenda', label: 'รายการ' },
] as const satisfies readonly { value: CalendarView; label: string }[]

export function CalendarPeriodControls({ view, day, today }: { view: CalendarView; day: string; today: string }) {
  const { change } = useCalendarUrlState()
  const step = (by: 1 | -1) => change({ day: view === 'month' ? addMonths(day, by) : addDays(day, 7 * by) })
  const unit = view === 'month' ? 'เดือน' : 'สัปดาห์'
  return (
    <div className="flex items-center gap-2">
      <div className="flex items-center rounded-control border border-line-strong bg-surface">
        <IconButton icon={ChevronLeft} label={`${unit}ก่อนหน้า`} onClick={() => step(-1)} />
        <p aria-live="polite" className="min-w-32 px-1 text-center font-medium whitespace-nowrap">
          {view === 'agenda' ? `ตั้งแต่ ${formatCalendarDay(day)}` : formatThaiMonthAndYear(day)}
        </p>
        <IconButton icon={ChevronRight} label={`${unit}ถัดไป`} onClick={() => step(1)} />
      </div>
      <Button disabled={day === today} onClick={() => change({ day: undefined })}>
        วันนี้
      </Button>
    </div>
  )
}

export function CalendarKindChips({ events }: { events: readonly CalendarEvent[] }) {
  const { search, change } = useCalendarUrlState()
  const kinds = (search.kind ?? []) as readonly DeadlineKind[]
  const counts = groupEventsByKind(events)
  const toggle = (kind: DeadlineKind) => {
    const next = kinds.includes(kind) ? kinds.filter((item) => item !== kind) : [...kinds, kind]
    const ordered = DEADLINE_KINDS.filter((item) => next.includes(item))
    change({ kind: ordered.length === 0 || ordered.length === DEADLINE_KINDS.length ? undefined : ordered })
  }
  return (
    <div
      role="group"
      aria-label="ชนิดของวัน"
      className="flex gap-2 max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 max-md:pb-1 md:flex-wrap"
    >
      {DEADLINE_KINDS.filter((kind) => counts.has(kind) || kinds.includes(kind)).map((kind) => {
        const isOn = kinds.includes(kind)
        return (
          <TogglePill key={kind} isOn={isOn} onClick={() => toggle(kind)} className="text-sm">
            <span aria-hidden className={classNames('size-2 rounded-[2px]', getCalendarKindAppearance(kind).dot)} />
            {CALENDAR_EVENT_KIND_NAMES[kind]}
            <span className="font-semibold tabular-nums">{counts.get(kind)?.length ?? 0}</span>
          </TogglePill>
        )
      })}
    </div>
  )
}

export const SAVED_PREFIX = 'saved:'
const REPORT_SOURCE = 'report'

export const getCalendarSource = ({ saved, of }: Pick<CalendarSearch, 'saved' | 'of'>): string =>
  saved === undefined ? (of ?? CALENDAR_SOURCES[0].code) : SAVED_PREFIX + saved

export const listCalendarSources = (filters: readonly SavedFilter[]) => [
  ...CALENDAR_SOURCES.map(({ code, th }) => ({ value: code as string, th })),
  ...filters.map(({ id, filterName }) => ({ value: SAVED_PREFIX + id, th: filterName })),
]

export function CalendarSourceSelect() {
  const { search, change } = useCalendarUrlState()
  const { project_save_filter_profile: filters } = useUser()
  const choose = (value: string) => {
    if (value === REPORT_SOURCE) return
    const report = undefined
    if (value.startsWith(SAVED_PREFIX)) change({ of: undefined, saved: value.slice(SAVED_PREFIX.length), report })
    else change({ of: CALENDAR_SOURCES.slice(1).find(({ code }) => code === value)?.code, saved: undefined, report })
  }
  return (
    <Listbox
      label="โครงการ"
      value={search.report ? REPORT_SOURCE : getCalendarSource(search)}
      options={[
        ...(search.report ? [{ value: REPORT_SOURCE, th: 'ตัวกรองจากรายงาน' }] : []),
        ...listCalendarSources(filters),
      ]}
      onChange={choose}
      className="h-9 max-w-56 max-sm:flex-[1_1_7rem] touch:h-11"
    />
  )
}
