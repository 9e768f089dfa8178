import { CalendarDays } from 'lucide-react'
import { formatRelativeDate } from '#contract/report/filter-text.ts'
import type { DateRange } from '#contract/report/report-param-kinds.ts'
import { findReportParam } from '#contract/report/report-params.ts'
import { formatThaiDate, formatThaiDateShortOrOriginal, resolveDateBound } from '#contract/thai/thai-date.ts'
import { parseThaiDate } from '#contract/thai/thai-date-entry.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import type { ReportDateParam } from './date-range-presets.ts'
import type { FilterContext } from './filter-context.ts'
import { ThaiShorthandInputField, type ThaiShorthandParseResult } from './shorthand-input-field.tsx'

const Calendar = lazyComponent(() => import('./date-grid.tsx'), 'DateGrid')

type DayPickerProps = {
  label: string
  value: string | undefined
  onChoose: (iso: string) => void
  context: Pick<FilterContext, 'today' | 'window'>
}

function DayPicker({ label, value, onChoose, context: { today, window } }: DayPickerProps) {
  const { buttonProps, popoverProps, closeAndFocusButton } = usePopover()
  return (
    <>
      <IconButton
        {...buttonProps}
        icon={CalendarDays}
        label={`เลือก${label}จากปฏิทิน`}
        size="sm"
        onPointerEnter={Calendar.preload}
        onFocus={Calendar.preload}
        className="-mr-2 touch:-mr-3"
      />
      <Popover {...popoverProps} label={`ปฏิทิน ${label}`}>
        <LazyBoundary fallback={<Spinner label="กำลังโหลดปฏิทิน" className="p-6" />}>
          <Calendar
            value={value}
            today={today}
            window={window}
            onChoose={(iso) => {
              closeAndFocusButton()
              onChoose(iso)
            }}
          />
        </LazyBoundary>
      </Popover>
    </>
  )
}

const isoOf = (bound: string | null, today: string) => (bound === null ? undefined : resolveDateBound(bound, today))

const shownBound = (bound: string | null, today: string) => {
  const iso = isoOf(bound, today)
  return iso === undefined ? '' : formatThaiDate(iso)
}

type DayFieldsProps = { name: ReportDateParam; range: DateRange | undefined; context: FilterContext }

export function DateRangeFields({ name, range, context }: DayFieldsProps) {
  const { change, today, window } = context
  const title = findReportParam(name).th
  const understand = (text: string): ThaiShorthandParseResult<string> => {
    const entry = parseThaiDate(text, today)
    return entry.ok
      ? { ok: true, value: entry.bound, echo: formatThaiDateShortOrOriginal(entry.iso) }
      : { ok: false, message: entry.message }
  }
  const setSide = (side: 'from' | 'to', bound: string | null) => {
    const newRange = { from: range?.from ?? null, to: range?.to ?? null, [side]: bound }
    const [from, to] = [newRange.from, newRange.to].map((value) =>
      value === null ? null : (resolveDateBound(value, today) ?? null),
    )
    const swapped = from != null && to != null && from > to ? { from: newRange.to, to: newRange.from } : newRange
    change({ [name]: swapped.from === null && swapped.to === null ? undefined : swapped })
  }
  const field = (side: 'from' | 'to', sideLabel: string, label: string, placeholder: string) => (
    <div className="flex items-start gap-2">
      <span aria-hidden className="w-8 pt-1.5 text-ink-muted touch:pt-2.5">
        {sideLabel}
      </span>
      <ThaiShorthandInputField<string>
        label={`${title} ${label}`}
        placeholder={placeholder}
        displayValue={shownBound(range?.[side] ?? null, today)}
        parse={understand}
        onCommit={(bound) => setSide(side, bound)}
        inputMode="text"
        note={range?.[side]?.startsWith('@') ? formatRelativeDate(range[side]) : undefined}
        trailing={
          <DayPicker
            label={`${title} ${label}`}
            value={isoOf(range?.[side] ?? null, today)}
            onChoose={(iso) => setSide(side, iso)}
            context={context}
          />
        }
        className="min-w-0 flex-1"
      />
    </div>
  )
  return (
    <>
      <div className="flex flex-col gap-2">
        {field('from', 'จาก', 'ตั้งแต่วันที่', 'เช่น 1/10/69')}
        {field('to', 'ถึง', 'ถึงวันที่', 'เช่น อีก 7 วัน')}
      </div>
      {isOutside(range, window, today) && (
        <p className="mt-1.5 text-xs text-updated">
          รายงานของคุณครอบคลุม {window.start ? formatThaiDateShortOrOriginal(window.start) : 'ตั้งแต่แรก'} –{' '}
          {window.end ? formatThaiDateShortOrOriginal(window.end) : 'ปัจจุบัน'}
        </p>
      )}
    </>
  )
}

function isOutside(range: DateRange | undefined, window: FilterContext['window'], today: string): boolean {
  const [from, to] = [range?.from, range?.to].map((bound) =>
    bound == null ? undefined : resolveDateBound(bound, today),
  )
  return Boolean((window.start && from && from < window.start) || (window.end && to && to > window.end))
}
