import type { MouseEvent } from 'react'
import type { MoneyRange } from '#contract/report/report-param-kinds.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatCountWithSeparators, moneyRangeText } from '#src/lib/figure-text.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { useChartRovingFocus } from '#src/ui/use-chart-roving-focus.ts'
import { getMoneyRangeForBar } from './money-slider-scale.ts'

type MoneyHistogramProps = {
  name: string
  stops: readonly number[]
  bars: readonly number[] | undefined
  between: readonly [number, number]
  range: MoneyRange | undefined
  /** Called when a bar is clicked, with its range, or undefined if it was already active. */
  onPick: (range: MoneyRange | undefined) => void
}

/**
 * Histogram of projects per bin with all other filters applied. A bar shows its bin and count on hover and focus, and
 * sets the filter on click. Tab reaches the highest bar, arrows move through the non-empty ones; empty bars are not
 * drawn.
 */
export function MoneyHistogram({ name, stops, bars = [], between: [from, to], range, onPick }: MoneyHistogramProps) {
  const filledBars = bars.flatMap((count, bar) => (count > 0 ? [{ bar, count }] : []))
  const highest = Math.max(0, ...bars)
  const walk = useChartRovingFocus(
    filledBars.length,
    filledBars.findIndex(({ count }) => count === highest),
  )
  const width = 100 / (stops.length - 1)
  const barLabel = ({ bar, count }: { bar: number; count: number }) =>
    `${barText(bar, stops)} · ${formatCountWithSeparators(count)} โครงการ`
  const hasFinger = useMediaQuery('(pointer: coarse)')
  const isOn = (bar: number) => {
    const barRange = getMoneyRangeForBar(bar, stops)
    return range !== undefined && range.min === barRange.min && range.max === barRange.max
  }
  const activeBar = hasFinger
    ? filledBars.find(({ bar }) => isOn(bar))
    : walk.active === undefined
      ? undefined
      : filledBars[walk.active]
  const press = (bar: number | undefined) => {
    if (bar !== undefined) onPick(isOn(bar) ? undefined : getMoneyRangeForBar(bar, stops))
  }
  const nearest = ({ clientX, detail, currentTarget }: MouseEvent) => {
    const { left, width: chartWidth } = currentTarget.getBoundingClientRect()
    const at = ((clientX - left) / chartWidth) * (stops.length - 1) - 0.5
    const distance = ({ bar, count }: { bar: number; count: number }) =>
      detail === 0 ? highest - count : Math.abs(bar - at)
    return filledBars.toSorted((a, b) => distance(a) - distance(b))[0]?.bar
  }
  return (
    <div className="mx-[9px] pt-5">
      <div role="group" aria-label={`${name} จำนวนโครงการตามช่วง`} className="relative h-12" {...walk.frame}>
        {highest > 0 && (
          <p
            aria-hidden
            className="absolute -top-5 left-0 -ml-[9px] text-[11px] whitespace-nowrap text-ink-faint tabular-nums"
          >
            สูงสุด {formatCountWithSeparators(highest)} โครงการ
          </p>
        )}
        <div aria-hidden className="absolute -inset-x-[9px] top-0 border-t border-dashed border-line" />
        {hasFinger && filledBars.length > 0 && (
          <button
            type="button"
            aria-label={`${name} เลือกช่วงที่แตะในกราฟ`}
            onClick={(event) => press(nearest(event))}
            className="absolute inset-0 z-10"
          />
        )}
        {filledBars.map((filledBar, index) => {
          const { bar, count } = filledBar
          const barStyle = { left: `${bar * width}%`, width: `${width}%` }
          const barElement = (
            <span
              className={classNames(
                'min-h-[3px] w-full rounded-t-[2px] transition-[height] group-focus-visible:outline-2 group-focus-visible:outline-offset-1 group-focus-visible:outline-accent-ink',
                bar + 1 > from && bar < to
                  ? 'bg-teal-600/80 group-hover:bg-teal-700 dark:bg-teal-500/80 dark:group-hover:bg-teal-400'
                  : 'bg-slate-300 group-hover:bg-slate-400 dark:bg-slate-600 dark:group-hover:bg-slate-500',
              )}
              style={{ height: `${(count / highest) * 100}%` }}
            />
          )
          const barClasses = 'absolute inset-y-0 flex items-end px-[0.5px]'
          // Bars are too narrow for touch, so the whole chart is one target.
          if (hasFinger) {
            return (
              <span key={stops[bar]} aria-hidden className={barClasses} style={barStyle}>
                {barElement}
              </span>
            )
          }
          return (
            <button
              key={stops[bar]}
              type="button"
              aria-label={barLabel(filledBar)}
              aria-pressed={isOn(bar)}
              {...walk.mark(index)}
              onClick={() => press(bar)}
              className={classNames('group outline-none', barClasses)}
              style={barStyle}
            >
              {barElement}
            </button>
          )
        })}
        {activeBar && (
          <p
            aria-hidden
            className="pointer-events-none absolute bottom-full z-10 mb-0.5 rounded-control border border-line bg-surface px-2 py-0.5 text-xs whitespace-nowrap text-ink shadow-float"
            style={{
              left: `${(activeBar.bar + 0.5) * width}%`,
              transform: `translateX(-${(activeBar.bar + 0.5) * width}%)`,
            }}
          >
            {barLabel(activeBar)}
          </p>
        )}
      </div>
    </div>
  )
}

function barText(bar: number, stops: readonly number[]): string {
  const { min, max } = getMoneyRangeForBar(bar, stops)
  const below = min === null ? null : (stops[bar] ?? null)
  return max === null ? `เกิน ${moneyRangeText({ min: below, max: below })}` : moneyRangeText({ min: below, max })
}
