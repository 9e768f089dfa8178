import { SlidersHorizontal } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { MoneyRange } from '#contract/report/report-param-kinds.ts'
import { findReportParam, type ReportParamNameOf } from '#contract/report/report-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { shortMoneyText } from '#src/lib/figure-text.ts'
import { TextButton } from '#src/ui/text-button.tsx'
import type { FilterContext } from './filter-context.ts'
import { FilterFieldset } from './filter-fieldset.tsx'
import { MoneyHistogram } from './money-histogram.tsx'
import { MoneyRangeFields } from './money-range-fields.tsx'
import {
  buildMoneyAxisTicks,
  computeMoneySliderStops,
  getMoneySliderPosition,
  keepTypedMoneyBoundAfterSliding,
  mergeBinsIntoBars,
} from './money-slider-scale.ts'

type ThumbPositions = readonly [number, number]

const KEY_DEBOUNCE_MS = 400
const BINS_PER_DECADE = 4

const THUMB_CLASSES =
  'pointer-events-none absolute inset-x-0 top-0 h-6 w-full appearance-none bg-transparent outline-none touch:h-11 ' +
  '[&::-webkit-slider-thumb]:pointer-events-auto [&::-webkit-slider-thumb]:size-[18px] [&::-webkit-slider-thumb]:cursor-grab [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-accent [&::-webkit-slider-thumb]:bg-white touch:[&::-webkit-slider-thumb]:size-7 ' +
  '[&::-moz-range-thumb]:pointer-events-auto [&::-moz-range-thumb]:size-3.5 [&::-moz-range-thumb]:cursor-grab [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-accent [&::-moz-range-thumb]:bg-white touch:[&::-moz-range-thumb]:size-6 ' +
  'focus-visible:[&::-webkit-slider-thumb]:outline-2 focus-visible:[&::-webkit-slider-thumb]:outline-offset-2 focus-visible:[&::-webkit-slider-thumb]:outline-accent-ink'

/** The thumbs are native range inputs, which support arrows and screen reader gestures on phones. */
export function MoneyFilter({ name, context }: { name: ReportParamNameOf<'money'>; context: FilterContext }) {
  const { search, change, facets, ceilings } = context
  const range = search[name]
  const [isCustom, setCustom] = useState(range !== undefined)
  const bins = facets?.money[name]?.bins
  const { th: title, ceiling = 'otherBudgets' } = findReportParam(name)
  const stops = computeMoneySliderStops(ceilings[ceiling])
  const last = stops.length - 1
  /** Thumb positions on the scale of stops; a typed amount may lie between two stops. */
  const positions: ThumbPositions = [
    range?.min == null ? 0 : getMoneySliderPosition(range.min, stops),
    range?.max == null ? last : getMoneySliderPosition(range.max, stops),
  ]
  const onPick = (newRange: MoneyRange | undefined) => change({ [name]: newRange })
  const [moving, setMoving] = useState<ThumbPositions>()
  const [from, to] = moving ?? positions
  const dragging = useRef<boolean>(false)
  const debounce = useRef<ReturnType<typeof setTimeout>>(undefined)

  const finish = (newPositions: ThumbPositions | undefined) => {
    clearTimeout(debounce.current)
    dragging.current = false
    setMoving(undefined)
    if (newPositions && (newPositions[0] !== positions[0] || newPositions[1] !== positions[1]))
      onPick(keepTypedMoneyBoundAfterSliding(newPositions, positions, range, stops))
  }
  const moveTo = (thumb: 0 | 1, position: number) => {
    const stop = Math.min(Math.max(position, 0), last)
    const newPositions: ThumbPositions =
      thumb === 0 ? [Math.min(stop, Math.ceil(to) - 1), to] : [from, Math.max(stop, Math.floor(from) + 1)]
    setMoving(newPositions)
    clearTimeout(debounce.current)
    if (!dragging.current) debounce.current = setTimeout(() => finish(newPositions), KEY_DEBOUNCE_MS)
  }
  const onKeyDown = (thumb: 0 | 1) => (event: KeyboardEvent) => {
    const current = thumb === 0 ? from : to
    const up = Math.floor(current) + 1
    const down = Math.ceil(current) - 1
    const position = {
      ArrowRight: up,
      ArrowUp: up,
      ArrowLeft: down,
      ArrowDown: down,
      PageUp: up + BINS_PER_DECADE - 1,
      PageDown: down - BINS_PER_DECADE + 1,
      Home: 0,
      End: last,
    }[event.key]
    if (position === undefined) return
    event.preventDefault()
    moveTo(thumb, position)
  }
  const thumb = (at: 0 | 1, label: string, openText: string) => {
    const position = at === 0 ? from : to
    const isOpen = at === 0 ? position <= 0 : position >= last
    return (
      <input
        type="range"
        min={0}
        max={last}
        step="any"
        value={position}
        aria-label={`${title} ${label}`}
        aria-valuetext={isOpen ? openText : `${shortMoneyText(stops[Math.round(position)] ?? 0)} บาท`}
        onPointerDown={() => {
          dragging.current = true
        }}
        onPointerUp={() => finish(moving)}
        onPointerCancel={() => finish(undefined)}
        onKeyDown={onKeyDown(at)}
        onChange={(event) => {
          const value = Number(event.currentTarget.value)
          // Without a pointer the change is a small step from a screen reader gesture, so move one stop.
          const stop = dragging.current ? Math.round(value) : value > position ? Math.ceil(value) : Math.floor(value)
          moveTo(at, stop)
        }}
        // Where the thumbs may overlap at the upper end, raise the lower one so that the pointer reaches it.
        className={classNames(THUMB_CLASSES, at === 0 && from > last / 2 && 'z-10')}
      />
    )
  }

  return (
    <FilterFieldset title={`${title} (บาท)`}>
      <MoneyHistogram
        name={title}
        stops={stops}
        bars={bins && mergeBinsIntoBars(bins, stops)}
        between={[from, to]}
        range={range}
        onPick={onPick}
      />
      {isCustom && (
        <div className="relative h-6 touch:h-11">
          <div aria-hidden className="absolute inset-x-[9px] top-1/2 h-[3px] -translate-y-1/2 rounded-full bg-line">
            <span
              className="absolute inset-y-0 rounded-full bg-accent"
              style={{ left: `${(from / last) * 100}%`, right: `${100 - (to / last) * 100}%` }}
            />
          </div>
          {thumb(0, 'ต่ำสุด', 'ไม่กำหนดต่ำสุด')}
          {thumb(1, 'สูงสุด', 'ไม่กำหนดสูงสุด')}
        </div>
      )}
      <div aria-hidden className="relative mx-[9px] h-5 text-[11px] text-ink-faint">
        {buildMoneyAxisTicks(stops).map(({ at, text }) => (
          <span key={text} className="absolute top-0 -translate-x-1/2 whitespace-nowrap" style={{ left: `${at}%` }}>
            {text}
          </span>
        ))}
      </div>
      <TextButton
        aria-expanded={isCustom}
        onClick={() => setCustom(!isCustom)}
        className="mt-1 flex items-center gap-2.5"
      >
        <SlidersHorizontal aria-hidden className="size-4" />
        กำหนดเอง
      </TextButton>
      {isCustom && (
        <div className="mt-1.5 flex items-start gap-2">
          <MoneyRangeFields name={title} range={range} onChange={onPick} />
        </div>
      )}
    </FilterFieldset>
  )
}
