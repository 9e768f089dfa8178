import { CalendarRange } from 'lucide-react'
import { useState } from 'react'
import { reportParam } from '#contract/report-params.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { countText } from '#src/lib/money-text.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { Part } from '#src/ui/part.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { type DateParam, type DatePreset, datePresets } from './date-presets.ts'
import type { FilterContext } from './filter-context.ts'

const load = () => import('./day-fields.tsx')
const DayFields = lazyPart(load, 'DayFields')
const preload = () => void load().catch(() => undefined)

type DateFilterProps = { name: DateParam; context: FilterContext }

/** A range of days: named ranges with counts, and two fields that are loaded when the pointer or the focus comes near. */
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
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpened(!isOpen)}
        className="mt-1 flex min-h-6 items-center gap-2.5 rounded-control text-accent-ink hover:underline touch:min-h-11"
      >
        <CalendarRange aria-hidden className="size-4" />
        กำหนดเอง
      </button>
      {isOpen && (
        <div className="mt-2">
          <Part fallback={<Skeleton className="h-20 touch:h-24" />}>
            <DayFields name={name} range={range} context={context} />
          </Part>
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
