import { CalendarDays, CalendarRange } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { formatRelativeDate } from '#contract/report/filter-text.ts'
import type { DateRange } from '#contract/report/report-param-kinds.ts'
import { findReportParam } from '#contract/report/report-params.ts'
import { formatThaiDate, formatThaiDateShortOrOriginal, resolveDateBound } from '#contract/thai/thai-date.ts'
import { parseThaiDate } from '#contract/thai/thai-date-entry.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { Checkbox, CheckboxPill } from '#src/ui/form/checkbox.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { lazyPart } from '#src/ui/lazy-boundary.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { buildDateRangePresets, type ReportDateParam, type ReportDateRangePreset } from './date-range-presets.ts'
import type { FilterContext } from './filter-context.ts'
import { FilterFieldset } from './filter-fieldset.tsx'
import { ThaiShorthandInputField, type ThaiShorthandParseResult } from './shorthand-input-field.tsx'

export function DateFilter({ name, context }: { name: ReportDateParam; context: FilterContext }) {
  const { search, change, facets, today } = context
  const range = search[name]
  const { first: primary, more } = buildDateRangePresets(name, today)
  const value = range && `${range.from ?? ''},${range.to ?? ''}`
  const [isOpenedByUser, setOpened] = useState<boolean | undefined>(undefined)
  const isOpen = isOpenedByUser ?? (range !== undefined && !primary.some((preset) => preset.value === value))
  const { th: title, panel } = findReportParam(name)
  const options = facets?.dates[name]
  const counts = new Map(options?.map((option) => [option.value, option.count]))

  const boxProps = (preset: ReportDateRangePreset) => ({
    checked: preset.value === value,
    onChange: (on: boolean) => change({ [name]: on ? preset.range : undefined }),
    // A preset that is never counted (the fiscal year) has no count; one missing from the counts has 0 projects.
    trailing: options && preset.value.startsWith('@') ? formatCount(counts.get(preset.value) ?? 0) : '',
  })
  const option = (preset: ReportDateRangePreset) => (
    <Checkbox key={preset.value} {...boxProps(preset)}>
      {preset.th}
    </Checkbox>
  )
  return (
    <FilterFieldset title={title}>
      {panel?.isInline ? (
        <div className="flex flex-wrap gap-1.5">
          {primary.map((preset) => (
            <CheckboxPill key={preset.value} {...boxProps(preset)}>
              <span className="sr-only">ภายใน </span>
              {preset.th.replace(/^ภายใน /, '')}
            </CheckboxPill>
          ))}
        </div>
      ) : (
        primary.map(option)
      )}
      <TextButton aria-expanded={isOpen} onClick={() => setOpened(!isOpen)} className="mt-1 flex items-center gap-2.5">
        <CalendarRange aria-hidden className="size-4" />
        กำหนดเอง
      </TextButton>
      {isOpen && (
        <div className="mt-2">
          <DateRangeFields name={name} range={range} context={context} />
          <p className="mt-3 mb-1 text-xs text-ink-faint">ช่วงอื่น</p>
          {more.map(option)}
        </div>
      )}
    </FilterFieldset>
  )
}

const Calendar = lazyPart(() => import('./date-grid.tsx'), 'DateGrid', {
  fallback: <Spinner label="กำลังโหลดปฏิทิน" className="p-6" />,
})

type DayPickerProps = Omit<ComponentProps<typeof Calendar>, 'today' | 'window'> & {
  label: string
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
        <Calendar
          value={value}
          today={today}
          window={window}
          onChoose={(iso) => {
            closeAndFocusButton()
            onChoose(iso)
          }}
        />
      </Popover>
    </>
  )
}

const isoOf = (bound: string | null | undefined, today: string) =>
  bound == null ? undefined : resolveDateBound(bound, today)

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
    const from = isoOf(newRange.from, today)
    const to = isoOf(newRange.to, today)
    const swapped = from && to && from > to ? { from: newRange.to, to: newRange.from } : newRange
    change({ [name]: swapped.from === null && swapped.to === null ? undefined : swapped })
  }
  const field = (side: 'from' | 'to', sideLabel: string, label: string, placeholder: string) => {
    const iso = isoOf(range?.[side], today)
    return (
      <div className="flex items-start gap-2">
        <span aria-hidden className="w-8 pt-1.5 text-ink-muted touch:pt-2.5">
          {sideLabel}
        </span>
        <ThaiShorthandInputField<string>
          label={`${title} ${label}`}
          placeholder={placeholder}
          displayValue={iso === undefined ? '' : formatThaiDate(iso)}
          parse={understand}
          onCommit={(bound) => setSide(side, bound)}
          inputMode="text"
          note={range?.[side]?.startsWith('@') ? formatRelativeDate(range[side]) : undefined}
          trailing={
            <DayPicker
              label={`${title} ${label}`}
              value={iso}
              onChoose={(day) => setSide(side, day)}
              context={context}
            />
          }
          className="min-w-0 flex-1"
        />
      </div>
    )
  }
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
  const from = isoOf(range?.from, today)
  const to = isoOf(range?.to, today)
  return Boolean((window.start && from && from < window.start) || (window.end && to && to > window.end))
}
