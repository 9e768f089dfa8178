import { type ReportParamNameOf, reportParam } from '#contract/report-params.ts'
import { formatBaht, parseThaiMoney } from '#contract/thai-number.ts'
import { countText, shortMoneyText } from '#src/lib/money-text.ts'
import type { FilterContext } from './filter-context.ts'
import { barsOf, moneyStops, placeOf, rangeOfPlaces } from './money-scale.ts'
import { MoneySlider } from './money-slider.tsx'
import { QuickField, type Understood } from './quick-field.tsx'

type MoneyFilterProps = { name: ReportParamNameOf<'money'>; context: FilterContext }
type Side = 'min' | 'max'

/** Says an amount back when it was not typed as plain digits: `5 ล้าน` → `5,000,000.00 บาท`. */
function understandMoney(text: string): Understood<number> {
  const entry = parseThaiMoney(text)
  if (!entry.ok) return { ok: false, message: entry.message }
  const isPlain = text.replaceAll(',', '').trim() === String(entry.baht)
  return {
    ok: true,
    value: entry.baht,
    echo: isPlain && entry.baht < 1e6 ? undefined : `${formatBaht(entry.baht)} บาท`,
  }
}

/** A range of money: histogram slider on a logarithmic scale and two fields that take quick Thai entry. */
export function MoneyFilter({ name, context }: MoneyFilterProps) {
  const { search, change, facets, ceilings } = context
  const range = search[name]
  const facet = facets?.money[name]
  const ceiling = name === 'project_budget__range' ? ceilings.budget : ceilings.others
  const stops = moneyStops(ceiling)
  const title = reportParam(name).th
  const places = [
    range?.min == null ? 0 : placeOf(range.min, stops),
    range?.max == null ? stops.length - 1 : placeOf(range.max, stops),
  ] as const

  const setSide = (side: Side, value: number | null) => {
    const next = { min: range?.min ?? null, max: range?.max ?? null, [side]: value }
    // A minimum above the maximum means that the two were typed the other way round.
    const [low, high] =
      next.min !== null && next.max !== null && next.min > next.max ? [next.max, next.min] : [next.min, next.max]
    change({ [name]: low === null && high === null ? undefined : { min: low, max: high } })
  }
  const field = (side: Side, label: string, placeholder: string) => {
    const value = range?.[side] ?? null
    return (
      <QuickField<number>
        label={`${title} ${label} (บาท)`}
        placeholder={placeholder}
        shown={value === null ? '' : countText(value)}
        understand={understandMoney}
        onCommit={(baht) => setSide(side, baht)}
        className="min-w-0 flex-1"
      />
    )
  }
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{title} (บาท)</legend>
      <MoneySlider
        name={title}
        stops={stops}
        bars={facet && barsOf(facet.bins, stops)}
        places={places}
        onChange={(next) => change({ [name]: keepTyped(next, places, range, stops) })}
      />
      <div className="mt-1.5 flex items-start gap-2">
        {field('min', 'ต่ำสุด', 'ต่ำสุด')}
        {field('max', 'สูงสุด', `ถึง ${shortMoneyText(ceiling)}`)}
      </div>
    </fieldset>
  )
}

type Range = { readonly min: number | null; readonly max: number | null }

/** The range after a thumb moved; the side whose thumb stayed keeps the amount that was typed, not the nearest stop. */
function keepTyped(
  next: readonly [number, number],
  before: readonly [number, number],
  range: Range | undefined,
  stops: readonly number[],
): Range | undefined {
  const moved = rangeOfPlaces(next, stops)
  const min = next[0] === before[0] ? (range?.min ?? null) : (moved?.min ?? null)
  const max = next[1] === before[1] ? (range?.max ?? null) : (moved?.max ?? null)
  return min === null && max === null ? undefined : { min, max }
}
