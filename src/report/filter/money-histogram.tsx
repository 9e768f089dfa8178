import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import type { MoneyRange } from '#contract/report/report-param-kinds.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { moneyRangeText } from '#src/lib/figure-text.ts'
import { getMoneyRangeForBar } from './money-slider-scale.ts'

type MoneyHistogramProps = {
  name: string
  stops: readonly number[]
  bars: readonly number[] | undefined
  between: readonly [number, number]
  range: MoneyRange | undefined
  /** Called when a bar is chosen, with its range, or undefined if it was already active. */
  onPick: (range: MoneyRange | undefined) => void
}

/** The bars are too narrow to be targets, so the graph is one button: the pointer chooses the nearest filled bar. */
export function MoneyHistogram({ name, stops, bars = [], between: [from, to], range, onPick }: MoneyHistogramProps) {
  const [pointed, setPointed] = useState<number>()
  const filledBars = bars.flatMap((count, bar) => (count > 0 ? [{ bar, count }] : []))
  const highest = Math.max(0, ...bars)
  const width = 100 / (stops.length - 1)
  const isOn = (bar: number) => {
    const barRange = getMoneyRangeForBar(bar, stops)
    return range !== undefined && range.min === barRange.min && range.max === barRange.max
  }
  const start = filledBars.find(({ bar }) => isOn(bar)) ?? filledBars.find(({ count }) => count === highest)
  const activeBar = filledBars.find(({ bar }) => bar === pointed)
  const nearest = ({ clientX, currentTarget }: MouseEvent): number | undefined => {
    const { left, width: chartWidth } = currentTarget.getBoundingClientRect()
    const at = ((clientX - left) / chartWidth) * (stops.length - 1) - 0.5
    return filledBars.toSorted((a, b) => Math.abs(a.bar - at) - Math.abs(b.bar - at))[0]?.bar
  }
  const pick = (bar: number | undefined) => {
    if (bar !== undefined) onPick(isOn(bar) ? undefined : getMoneyRangeForBar(bar, stops))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = filledBars.findIndex(({ bar }) => bar === (pointed ?? start?.bar))
    const last = filledBars.length - 1
    const index = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key]
    if (index === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    setPointed(filledBars[Math.min(last, Math.max(0, index))]?.bar)
  }
  return (
    <div className="mx-[9px] pt-5">
      <div className="relative h-12">
        {highest > 0 && (
          <p
            aria-hidden
            className="absolute -top-5 left-0 -ml-[9px] text-[11px] whitespace-nowrap text-ink-faint tabular-nums"
          >
            สูงสุด {formatCount(highest)} โครงการ
          </p>
        )}
        <div aria-hidden className="absolute -inset-x-[9px] top-0 border-t border-dashed border-line" />
        {filledBars.map(({ bar, count }) => (
          <span
            key={stops[bar]}
            aria-hidden
            className="absolute inset-y-0 flex items-end px-[0.5px]"
            style={{ left: `${bar * width}%`, width: `${width}%` }}
          >
            <span
              className={classNames(
                'min-h-[3px] w-full rounded-t-[2px] transition-[height] forced-colors:bg-[CanvasText]',
                bar === activeBar?.bar
                  ? 'bg-teal-700 dark:bg-teal-400'
                  : bar + 1 > from && bar < to
                    ? 'bg-teal-600/80 dark:bg-teal-500/80'
                    : 'bg-slate-300 dark:bg-slate-600',
              )}
              style={{ height: `${(count / highest) * 100}%` }}
            />
          </span>
        ))}
        {start && (
          <button
            type="button"
            aria-label={`${name} เลือกช่วงในกราฟ ใช้ลูกศรเปลี่ยนช่วง`}
            aria-pressed={isOn((activeBar ?? start).bar)}
            onKeyDown={onKeyDown}
            onFocus={() => setPointed((current) => current ?? start.bar)}
            onBlur={() => setPointed(undefined)}
            onPointerMove={(event) => event.pointerType === 'mouse' && setPointed(nearest(event))}
            onPointerLeave={() => setPointed(undefined)}
            // A press of Enter or Space has no position.
            onClick={(event) => pick(event.detail === 0 ? (activeBar ?? start).bar : nearest(event))}
            className="absolute inset-0 z-10 rounded-t-control"
          />
        )}
        <p role="status" className="pointer-events-none absolute inset-x-0 bottom-full z-10 mb-0.5 h-6">
          {activeBar && (
            <span
              className="absolute rounded-control border border-line bg-surface px-2 py-0.5 text-xs whitespace-nowrap text-ink shadow-float"
              style={{
                left: `${(activeBar.bar + 0.5) * width}%`,
                transform: `translateX(-${(activeBar.bar + 0.5) * width}%)`,
              }}
            >
              {barText(activeBar.bar, stops)} · {formatCount(activeBar.count)} โครงการ
            </span>
          )}
        </p>
      </div>
    </div>
  )
}

function barText(bar: number, stops: readonly number[]): string {
  const { min, max } = getMoneyRangeForBar(bar, stops)
  const below = min === null ? null : (stops[bar] ?? null)
  return max === null ? `เกิน ${moneyRangeText({ min: below, max: below })}` : moneyRangeText({ min: below, max })
}
