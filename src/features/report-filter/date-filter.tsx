import { CalendarRange } from 'lucide-react'
import { useState } from 'react'
import { type DateRange, reportParam } from '#contract/report-params.ts'
import { formatThaiDate, resolveDateBound } from '#contract/thai-date.ts'
import { parseThaiDate } from '#contract/thai-date-entry.ts'
import { countText } from '#src/lib/money-text.ts'
import { thaiDay } from '#src/lib/thai-day.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { type DateParam, type DatePreset, datePresets } from './date-presets.ts'
import { DayPicker } from './day-picker.tsx'
import type { FilterContext } from './filter-context.ts'
import { relativeText } from './filter-words.ts'
import { QuickField, type Understood } from './quick-field.tsx'

type DateFilterProps = { name: DateParam; context: FilterContext }

/** A range of days: named ranges with counts, and two fields that take dates as Thais write them. */
export function DateFilter({ name, context }: DateFilterProps) {
  const { search, change, facets, today } = context
  const range = search[name]
  const { first, rest } = datePresets(name, today)
  const value = range && `${range.from ?? ''},${range.to ?? ''}`
  // A range that none of the first presets names is shown in the fields, until the user closes them.
  const [opened, setOpened] = useState<boolean | undefined>(undefined)
  const isOpen = opened ?? (range !== undefined && !first.some((preset) => preset.value === value))
  const title = reportParam(name).th
  const counts = new Map(facets?.dates[name]?.map((option) => [option.value, option.count]))

  const option = (preset: DatePreset) => (
    <Checkbox
      key={preset.value}
      checked={preset.value === value}
      onChange={(on) => change({ [name]: on ? preset.range : undefined })}
      trailing={facets ? countOf(preset, counts) : ''}
    >
      {preset.th}
    </Checkbox>
  )
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{title}</legend>
      {first.map(option)}
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpened(!isOpen)}
        className="mt-1 flex min-h-6 items-center gap-2.5 rounded-control text-accent-ink hover:underline touch:min-h-11"
      >
        <CalendarRange aria-hidden className="size-4" />
        กำหนดเอง
      </button>
      {isOpen && (
        <div className="mt-2">
          <DayFields name={name} range={range} context={context} />
          <p className="mt-3 mb-1 text-xs text-ink-faint">ช่วงอื่น</p>
          {rest.map(option)}
        </div>
      )}
    </fieldset>
  )
}

/** A preset that the counts do not know (the fiscal year) has none; one that they leave out has no project. */
function countOf(preset: DatePreset, counts: ReadonlyMap<string, number>): string {
  if (!preset.value.startsWith('@')) return ''
  return countText(counts.get(preset.value) ?? 0)
}

const isoOf = (bound: string | null, today: string) => (bound === null ? undefined : resolveDateBound(bound, today))

const shownBound = (bound: string | null, today: string) => {
  const iso = isoOf(bound, today)
  return iso === undefined ? '' : formatThaiDate(iso)
}

function DayFields({
  name,
  range,
  context,
}: {
  name: DateParam
  range: DateRange | undefined
  context: FilterContext
}) {
  const { change, today, window } = context
  const title = reportParam(name).th
  const understand = (text: string): Understood<string> => {
    const entry = parseThaiDate(text, today)
    return entry.ok ? { ok: true, value: entry.bound, echo: thaiDay(entry.iso) } : { ok: false, message: entry.message }
  }
  const setSide = (side: 'from' | 'to', bound: string | null) => {
    const next = { from: range?.from ?? null, to: range?.to ?? null, [side]: bound }
    const [from, to] = [next.from, next.to].map((value) =>
      value === null ? null : (resolveDateBound(value, today) ?? null),
    )
    const swapped = from != null && to != null && from > to ? { from: next.to, to: next.from } : next
    change({ [name]: swapped.from === null && swapped.to === null ? undefined : swapped })
  }
  const field = (side: 'from' | 'to', word: string, label: string, placeholder: string) => (
    <div className="flex items-start gap-2">
      <span aria-hidden className="w-8 pt-1.5 text-ink-muted touch:pt-2.5">
        {word}
      </span>
      <QuickField<string>
        label={`${title} ${label}`}
        placeholder={placeholder}
        shown={shownBound(range?.[side] ?? null, today)}
        understand={understand}
        onCommit={(bound) => setSide(side, bound)}
        inputMode="text"
        note={range?.[side]?.startsWith('@') ? relativeText(range[side]) : undefined}
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
          รายงานของคุณครอบคลุม {window.start ? thaiDay(window.start) : 'ตั้งแต่แรก'} –{' '}
          {window.end ? thaiDay(window.end) : 'ปัจจุบัน'}
        </p>
      )}
    </>
  )
}

/** Whether a range reaches past the days that the report covers. */
function isOutside(range: DateRange | undefined, window: FilterContext['window'], today: string): boolean {
  const [from, to] = [range?.from, range?.to].map((bound) =>
    bound == null ? undefined : resolveDateBound(bound, today),
  )
  return Boolean((window.start && from && from < window.start) || (window.end && to && to > window.end))
}
