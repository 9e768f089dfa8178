import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import {
  addDays,
  addMonths,
  formatThaiDateShortOrOriginal,
  getDaysInMonth,
  parseIsoDate,
  THAI_MONTHS,
  toIsoDate,
} from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'

/**
 * Calendar weeks start on Sunday, as in printed Thai calendars. All dates are ISO dates, so no time zone can shift a
 * day.
 */
const DAYS_PER_WEEK = 7
/** A Sunday: 31 December 1899, the day before the first day that a filter accepts. */
const FIRST_SUNDAY = Date.UTC(1899, 11, 31)
const DAY_MS = 86_400_000

export const DATE_GRID_WEEKDAYS = [
  { short: 'อา.', full: 'วันอาทิตย์' },
  { short: 'จ.', full: 'วันจันทร์' },
  { short: 'อ.', full: 'วันอังคาร' },
  { short: 'พ.', full: 'วันพุธ' },
  { short: 'พฤ.', full: 'วันพฤหัสบดี' },
  { short: 'ศ.', full: 'วันศุกร์' },
  { short: 'ส.', full: 'วันเสาร์' },
] as const

export function getWeekdayIndex(iso: string): number {
  const days = (Date.parse(`${iso}T00:00:00Z`) - FIRST_SUNDAY) / DAY_MS
  return ((days % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK
}

export function buildCalendarWeeks(year: number, month: number): (string | undefined)[][] {
  const monthStart = toIsoDate(year, month, 1)
  if (!monthStart) return []
  const cells: (string | undefined)[] = new Array<undefined>(getWeekdayIndex(monthStart)).fill(undefined)
  for (let day = 0; day < getDaysInMonth(year, month); day += 1) cells.push(addDays(monthStart, day))
  while (cells.length % DAYS_PER_WEEK !== 0) cells.push(undefined)
  return Array.from({ length: cells.length / DAYS_PER_WEEK }, (_, week) =>
    cells.slice(week * DAYS_PER_WEEK, (week + 1) * DAYS_PER_WEEK),
  )
}

/**
 * Returns the day that a date grid key moves to (WAI-ARIA authoring practices); undefined for other keys and days
 * outside the calendar.
 */
export function resolveDateGridKeyPress(iso: string, key: string, withShift: boolean): string | undefined {
  const weekday = getWeekdayIndex(iso)
  const moves: Readonly<Record<string, () => string>> = {
    ArrowLeft: () => addDays(iso, -1),
    ArrowRight: () => addDays(iso, 1),
    ArrowUp: () => addDays(iso, -DAYS_PER_WEEK),
    ArrowDown: () => addDays(iso, DAYS_PER_WEEK),
    Home: () => addDays(iso, -weekday),
    End: () => addDays(iso, DAYS_PER_WEEK - 1 - weekday),
    PageUp: () => addMonths(iso, withShift ? -12 : -1),
    PageDown: () => addMonths(iso, withShift ? 12 : 1),
  }
  const to = Object.hasOwn(moves, key) ? moves[key]?.() : undefined
  return to !== undefined && parseIsoDate(to) ? to : undefined
}

export function clampDayToMonth(iso: string, year: number, month: number): string {
  const day = parseIsoDate(iso)?.day ?? 1
  return toIsoDate(year, month, Math.min(day, getDaysInMonth(year, month))) ?? iso
}

const BUDDHIST_OFFSET = 543
const MONTHS = THAI_MONTHS.map(({ full }, index) => ({ value: index + 1, th: full }))

type CalendarProps = {
  value: string | undefined
  today: string
  /** Days that the report covers. Other days are selectable but marked, because they match nothing. */
  window: { readonly start: string | null; readonly end: string | null }
  onChoose: (iso: string) => void
}

const isIn = (iso: string, { start, end }: CalendarProps['window']) =>
  (start === null || iso >= start) && (end === null || iso <= end)

function yearsOf({ start, end }: CalendarProps['window'], today: string, shownYear: number): number[] {
  const currentYear = Number(today.slice(0, 4))
  const firstYear = Math.min(start ? Number(start.slice(0, 4)) : currentYear - 5, currentYear - 1, shownYear)
  const lastYear = Math.max(end ? Number(end.slice(0, 4)) : currentYear + 1, currentYear + 1, shownYear)
  return Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index)
}

export function DateGrid({ value, today, window, onChoose }: CalendarProps) {
  const [focused, setFocused] = useState(value ?? today)
  const title = useId()
  const focusedDay = useRef<HTMLButtonElement>(null)
  const follows = useRef(true)
  const { year, month } = parseIsoDate(focused) ?? { year: 0, month: 1 }
  useOnChange(focused, () => {
    if (follows.current) focusedDay.current?.focus({ preventScroll: true })
    follows.current = false
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const to = resolveDateGridKeyPress(focused, event.key, event.shiftKey)
    if (to === undefined) return
    event.preventDefault()
    follows.current = true
    setFocused(to)
  }
  const show = (day: string) => {
    if (parseIsoDate(day)) setFocused(day)
  }
  const select = 'h-9 font-semibold touch:h-11'
  return (
    <div className="p-3">
      <div className="flex items-center gap-1">
        <IconButton icon={ChevronLeft} label="เดือนก่อน" onClick={() => show(addMonths(focused, -1))} />
        <div className="flex flex-1 justify-center gap-1">
          <Listbox<number>
            label="เดือน"
            variant="quiet"
            value={month}
            options={MONTHS}
            onChange={(next) => show(clampDayToMonth(focused, year, next))}
            className={select}
          />
          <Listbox<number>
            label="ปี พ.ศ."
            variant="quiet"
            value={year}
            options={yearsOf(window, today, year).map((optionYear) => ({
              value: optionYear,
              th: String(optionYear + BUDDHIST_OFFSET),
            }))}
            onChange={(next) => show(clampDayToMonth(focused, next, month))}
            className={classNames(select, 'tabular-nums')}
          />
        </div>
        <IconButton icon={ChevronRight} label="เดือนถัดไป" onClick={() => show(addMonths(focused, 1))} />
      </div>
      <p id={title} aria-live="polite" className="sr-only">
        {THAI_MONTHS[month - 1]?.full} {year + BUDDHIST_OFFSET}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the date grid of the authoring practices is a table with this role */}
      <table role="grid" aria-labelledby={title} onKeyDown={onKeyDown} className="mx-auto mt-1 tabular-nums">
        <thead>
          <tr>
            {DATE_GRID_WEEKDAYS.map(({ short, full }) => (
              <th key={full} scope="col" abbr={full} className="pb-1 text-xs font-normal text-ink-faint">
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buildCalendarWeeks(year, month).map((week) => (
            <tr key={week.find((iso) => iso !== undefined)}>
              {week.map((iso, weekday) =>
                iso === undefined ? (
                  <td key={DATE_GRID_WEEKDAYS[weekday]?.full} />
                ) : (
                  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a td in a table with role grid is a gridcell, which supports it
                  <td key={iso} aria-selected={iso === value} className="p-0 text-center">
                    <button
                      ref={iso === focused ? focusedDay : undefined}
                      type="button"
                      tabIndex={iso === focused ? 0 : -1}
                      data-autofocus={iso === focused || undefined}
                      aria-current={iso === today ? 'date' : undefined}
                      aria-label={dayLabel(iso, today, window)}
                      onClick={() => onChoose(iso)}
                      className={classNames(
                        'size-9 rounded-control border touch:h-11 touch:w-[clamp(36px,12vw,44px)]',
                        iso === value
                          ? 'border-accent bg-accent font-semibold text-on-accent'
                          : iso === today
                            ? 'border-accent-ink font-semibold text-accent-ink hover:bg-surface-muted'
                            : 'border-transparent hover:bg-surface-muted',
                        iso !== value && !isIn(iso, window) && 'text-ink-faint line-through',
                      )}
                    >
                      {Number(iso.slice(8))}
                    </button>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="mt-2 flex items-center justify-between gap-2 text-xs text-ink-muted">
        <span>{isWholeShown(year, month, window) ? '' : 'ขีดฆ่า = นอกช่วงรายงาน'}</span>
        <button
          type="button"
          onClick={() => onChoose(today)}
          className="min-h-7 shrink-0 rounded-control px-1 text-accent-ink hover:underline touch:min-h-11"
        >
          วันนี้ ({formatThaiDateShortOrOriginal(today)})
        </button>
      </div>
    </div>
  )
}

function dayLabel(iso: string, today: string, window: CalendarProps['window']): string {
  const words = [`${DATE_GRID_WEEKDAYS[getWeekdayIndex(iso)]?.full}ที่ ${formatThaiDateShortOrOriginal(iso)}`]
  if (iso === today) words.push('วันนี้')
  if (!isIn(iso, window)) words.push('นอกช่วงรายงาน')
  return words.join(' ')
}

const isWholeShown = (year: number, month: number, window: CalendarProps['window']) =>
  buildCalendarWeeks(year, month).every((week) => week.every((iso) => iso === undefined || isIn(iso, window)))
