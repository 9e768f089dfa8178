import { MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT } from '#contract/report/report.ts'
import type { MoneyRange } from '#contract/report/report-param-kinds.ts'

export function computeMoneySliderStops(ceiling: number): number[] {
  return [0, ...MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.filter((bound) => bound < ceiling), ceiling]
}

/** Merges histogram bins into bars. Bins above the ceiling count in the last bar. */
export function mergeBinsIntoBars(bins: readonly number[], stops: readonly number[]): number[] {
  const bars = new Array<number>(stops.length - 1).fill(0)
  bins.forEach((count, index) => {
    const bar = Math.min(index, bars.length - 1)
    bars[bar] = (bars[bar] ?? 0) + count
  })
  return bars
}

/** Returns 0 … stops.length − 1. Logarithmic between stops, linear below the first. */
export function getMoneySliderPosition(baht: number, stops: readonly number[]): number {
  const last = stops.length - 1
  if (baht <= 0) return 0
  const above = stops.findIndex((stop) => stop >= baht)
  if (above === -1) return last
  const low = stops[above - 1] ?? 0
  const high = stops[above] ?? 0
  const fraction = low === 0 ? baht / high : Math.log(baht / low) / Math.log(high / low)
  return above - 1 + fraction
}

/** Returns the range between two thumbs; a thumb at its end leaves that side open. Undefined when both are open. */
export function getMoneyRangeForSlider(
  [from, to]: readonly [number, number],
  stops: readonly number[],
): MoneyRange | undefined {
  const min = from <= 0 ? null : (stops[from] ?? null)
  const max = to >= stops.length - 1 ? null : (stops[to] ?? null)
  return min === null && max === null ? undefined : { min, max }
}

/**
 * Returns the range of one bar. A bar includes its upper bound but not its lower one, so the range starts one satang
 * above and matches the bar's count.
 */
export function getMoneyRangeForBar(bar: number, stops: readonly number[]): MoneyRange {
  const below = stops[bar] ?? 0
  const isLast = bar >= stops.length - 2
  return { min: bar === 0 ? null : below + 0.01, max: isLast ? null : (stops[bar + 1] ?? null) }
}

export function buildMoneyAxisTicks(stops: readonly number[]): { at: number; text: string }[] {
  return AXIS_TICKS.flatMap(({ baht, text }) => {
    const stop = stops.indexOf(baht)
    return stop === -1 ? [] : [{ at: (stop / (stops.length - 1)) * 100, text }]
  })
}

const AXIS_TICKS = [
  { baht: 100_000, text: '1 แสน' },
  { baht: 1_000_000, text: '1 ล้าน' },
  { baht: 10_000_000, text: '10 ล้าน' },
  { baht: 100_000_000, text: '100 ล้าน' },
  { baht: 1_000_000_000, text: 'พันล้าน' },
]

/** The side that was not moved keeps its typed amount instead of snapping to the nearest stop. */
export function keepTypedMoneyBoundAfterSliding(
  positions: readonly [number, number],
  oldPositions: readonly [number, number],
  range: MoneyRange | undefined,
  stops: readonly number[],
): MoneyRange | undefined {
  const newRange = getMoneyRangeForSlider(positions, stops)
  const min = positions[0] === oldPositions[0] ? (range?.min ?? null) : (newRange?.min ?? null)
  const max = positions[1] === oldPositions[1] ? (range?.max ?? null) : (newRange?.max ?? null)
  return min === null && max === null ? undefined : { min, max }
}
