import { ChevronRight, Search } from 'lucide-react'
import { useState } from 'react'
import { REGIONS } from '#contract/project/province.ts'
import { type ReportParamNameOf, reportParam } from '#contract/report/report-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import type { FilterContext } from './filter-context.ts'
import { useNegation } from './list-filter.tsx'
import { withValues } from './list-state.ts'
import { NegationSwitch } from './negation-switch.tsx'

/** From this many provinces on, a box to search among them is worth its room. */
const SEARCHED_FROM = 15

type ProvinceParam = Extract<ReportParamNameOf<'list'>, `project_province${string}`>
type ProvinceFilterProps = { name: ProvinceParam; context: FilterContext }

/** Provinces of the organisation's package under their regions; the box of a region stands for all its provinces. */
export function ProvinceFilter({ name, context }: ProvinceFilterProps) {
  const { search, change, facets, areas } = context
  const filter = search[name]
  const { negated, setNegated } = useNegation(filter?.negated, (negated) => {
    if (filter) change({ [name]: { ...filter, negated } })
  })
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set())
  const [sought, setSought] = useState('')
  const title = reportParam(name).th
  const selected = new Set(filter?.values)
  const counts = new Map(facets?.options[name]?.map(({ value, count }) => [value, count]))
  const countOf = (provinces: readonly string[]) =>
    facets ? countText(provinces.reduce((sum, province) => sum + (counts.get(province) ?? 0), 0)) : ''
  const pick = (provinces: readonly string[], on: boolean) =>
    change({ [name]: withValues(filter, provinces, on, negated) })
  const regions = REGIONS.filter(({ code }) => (areas[code]?.length ?? 0) > 0)
  const all = regions.flatMap(({ code }) => areas[code] ?? [])
  const found = sought.trim() === '' ? undefined : all.filter((province) => province.includes(sought.trim()))
  const province = (th: string) => (
    <Checkbox key={th} checked={selected.has(th)} onChange={(on) => pick([th], on)} trailing={countOf([th])}>
      {th}
    </Checkbox>
  )

  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{title}</legend>
      {all.length >= SEARCHED_FROM && (
        <TextField
          label={`ค้นจังหวัดใน${title}`}
          hideLabel
          icon={Search}
          placeholder="ค้นจังหวัด"
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
          className="mb-2"
        />
      )}
      {found?.map(province)}
      {found?.length === 0 && <p className="text-ink-faint">ไม่มีจังหวัดนี้ในแพ็กเกจ</p>}
      {!found &&
        regions.map(({ code, th }) => {
          const provinces = areas[code] ?? []
          const chosen = provinces.filter((name) => selected.has(name)).length
          const isOpen = open.has(code)
          return (
            <div key={code}>
              <div className="flex items-start gap-1">
                <Checkbox
                  checked={chosen === provinces.length}
                  indeterminate={chosen > 0 && chosen < provinces.length}
                  onChange={(on) => pick(provinces, on)}
                  trailing={countOf(provinces)}
                  className="min-w-0 flex-1"
                >
                  {th}
                </Checkbox>
                <button
                  type="button"
                  aria-expanded={isOpen}
                  aria-label={`จังหวัดใน${th}`}
                  onClick={() => setOpen(toggled(open, code))}
                  className="inline-flex size-6 shrink-0 items-center justify-center rounded-control text-ink-faint hover:bg-surface-muted touch:size-11"
                >
                  <ChevronRight
                    aria-hidden
                    className={classNames('size-4 transition-transform', isOpen && 'rotate-90')}
                  />
                </button>
              </div>
              {isOpen && <div className="ml-2 border-l border-line py-1 pr-7 pl-4">{provinces.map(province)}</div>}
            </div>
          )
        })}
      {(filter || negated) && <NegationSwitch filter={title} on={negated} onChange={setNegated} />}
    </fieldset>
  )
}

function toggled(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}
