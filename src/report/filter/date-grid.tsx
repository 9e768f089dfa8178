import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { DayButton, type DayButtonProps, DayPicker } from 'react-day-picker'
import {
  formatThaiDateShortOrOriginal,
  parseIsoDate,
  THAI_MONTHS,
  THAI_WEEKDAYS,
  toIsoDate,
} from '#contract/thai/thai-date.ts'
import { TextButton } from '#src/ui/text-button.tsx'

// A table, because ICU versions abbreviate Thai weekdays differently and a formatter per cell is slow.
const formatWeekday = (date: Date) => `วัน${THAI_WEEKDAYS[date.getDay()]?.full}`

const BUDDHIST_OFFSET = 543

type CalendarProps = {
  value: string | undefined
  today: string
  /** Days that the report covers. Other days are selectable but marked, because they match nothing. */
  window: { readonly start: string | null; readonly end: string | null }
  onChoose: (iso: string) => void
}

// The picker reads only the local parts of a date, so no time zone can shift a day.
const toDate = (iso: string) => {
  const { year, month, day } = parseIsoDate(iso) ?? { year: 1970, month: 1, day: 1 }
  return new Date(year, month - 1, day)
}
const toIso = (date: Date) => toIsoDate(date.getFullYear(), date.getMonth() + 1, date.getDate()) ?? ''
const formatMonth = (date: Date) => `${THAI_MONTHS[date.getMonth()]?.full} ${date.getFullYear() + BUDDHIST_OFFSET}`

const isIn = (iso: string, { start, end }: CalendarProps['window']) =>
  (start === null || iso >= start) && (end === null || iso <= end)

function getYearRange({ start, end }: CalendarProps['window'], today: string, shownYear: number) {
  const currentYear = Number(today.slice(0, 4))
  const firstYear = Math.min(start ? Number(start.slice(0, 4)) : currentYear - 5, currentYear - 1, shownYear)
  const lastYear = Math.max(end ? Number(end.slice(0, 4)) : currentYear + 1, currentYear + 1, shownYear)
  return { startMonth: new Date(firstYear, 0), endMonth: new Date(lastYear, 11) }
}

const BUTTON_CLASSES =
  'inline-flex size-9 shrink-0 items-center justify-center rounded-control text-ink-muted hover:bg-surface-muted hover:text-ink aria-disabled:opacity-50 touch:size-11'
const CLASSES = {
  month: 'grid grid-cols-[auto_1fr_auto] items-center',
  button_previous: BUTTON_CLASSES,
  button_next: BUTTON_CLASSES,
  dropdowns: 'flex justify-center gap-1',
  dropdown_root:
    'relative inline-flex rounded-control hover:bg-surface-muted has-focus-visible:outline-2 has-focus-visible:outline-accent-ink',
  dropdown: 'absolute inset-0 cursor-pointer opacity-0',
  caption_label: 'inline-flex h-9 items-center gap-1 px-1 font-semibold tabular-nums touch:h-11',
  month_grid: 'col-span-3 mx-auto mt-1 tabular-nums',
  weekday: 'pb-1 text-xs font-normal text-ink-faint',
  day: 'p-0 text-center data-selected:*:border-accent! data-selected:*:bg-accent! data-selected:*:font-semibold data-selected:*:text-on-accent! data-today:*:border-accent-ink data-today:*:font-semibold data-today:*:text-accent-ink',
  day_button:
    'size-9 rounded-control border border-transparent hover:bg-surface-muted touch:h-11 touch:w-[clamp(36px,12vw,44px)]',
}
const CHEVRONS = { up: ChevronDown, down: ChevronDown, left: ChevronLeft, right: ChevronRight }

export function DateGrid({ value, today, window, onChoose }: CalendarProps) {
  const [month, setMonth] = useState(() => toDate(value ?? today))
  const lastDay = new Date(month.getFullYear(), month.getMonth() + 1, 0)
  const isWholeShown =
    isIn(toIso(new Date(month.getFullYear(), month.getMonth(), 1)), window) && isIn(toIso(lastDay), window)
  const labelDay = (date: Date) => {
    const iso = toIso(date)
    const words = [`${formatWeekday(date)}ที่ ${formatThaiDateShortOrOriginal(iso)}`]
    if (iso === today) words.push('วันนี้')
    if (!isIn(iso, window)) words.push('นอกช่วงรายงาน')
    return words.join(' ')
  }
  return (
    <div className="p-3">
      <DayPicker
        mode="single"
        autoFocus
        selected={value === undefined ? undefined : toDate(value)}
        today={toDate(today)}
        month={month}
        onMonthChange={setMonth}
        onDayClick={(date) => onChoose(toIso(date))}
        captionLayout="dropdown"
        navLayout="around"
        {...getYearRange(window, today, month.getFullYear())}
        lang="th"
        formatters={{
          formatCaption: formatMonth,
          formatMonthDropdown: (date) => THAI_MONTHS[date.getMonth()]?.full ?? '',
          formatYearDropdown: (date) => String(date.getFullYear() + BUDDHIST_OFFSET),
          formatWeekdayName: (date) => `${THAI_WEEKDAYS[date.getDay()]?.short}.`,
        }}
        labels={{
          labelDayButton: labelDay,
          labelGrid: formatMonth,
          labelMonthDropdown: () => 'เดือน',
          labelYearDropdown: () => 'ปี พ.ศ.',
          labelPrevious: () => 'เดือนก่อน',
          labelNext: () => 'เดือนถัดไป',
          labelWeekday: formatWeekday,
        }}
        modifiers={{ uncovered: (date) => !isIn(toIso(date), window) }}
        modifiersClassNames={{ uncovered: 'not-data-selected:*:text-ink-faint not-data-selected:*:line-through' }}
        classNames={CLASSES}
        components={{ Chevron, DayButton: CalendarDay }}
      />
      <div className="mt-2 flex items-center justify-between gap-2 text-xs text-ink-muted">
        <span>{isWholeShown ? '' : 'ขีดฆ่า = นอกช่วงรายงาน'}</span>
        <TextButton onClick={() => onChoose(today)} className="min-h-7 shrink-0 px-1">
          วันนี้ ({formatThaiDateShortOrOriginal(today)})
        </TextButton>
      </div>
    </div>
  )
}

const CalendarDay = (props: DayButtonProps) => (
  <DayButton {...props} aria-current={props.modifiers.today ? 'date' : undefined} />
)

function Chevron({ orientation = 'left' }: { orientation?: keyof typeof CHEVRONS }) {
  const Icon = CHEVRONS[orientation]
  return <Icon aria-hidden className={orientation === 'down' ? 'size-4 text-ink-faint' : 'size-5'} />
}
