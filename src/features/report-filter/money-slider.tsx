import { type KeyboardEvent, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { shortMoneyText } from '#src/lib/money-text.ts'

type Places = readonly [number, number]
type MoneySliderProps = {
  /** Name of the filter, for the accessible names of the thumbs. */
  name: string
  stops: readonly number[]
  /** Heights of the histogram between neighbouring stops; undefined while the counts are on their way. */
  bars: readonly number[] | undefined
  /** Where the thumbs stand, in stops; between two stops when an amount was typed. */
  places: Places
  /** The thumbs came to rest on these stops. */
  onChange: (places: Places) => void
}

/** Keys move at once, the address follows when they rest this long. */
const KEY_REST_MS = 400

const THUMB =
  'pointer-events-none absolute inset-x-0 top-0 h-6 w-full appearance-none bg-transparent outline-none touch:h-11 ' +
  '[&::-webkit-slider-thumb]:pointer-events-auto [&::-webkit-slider-thumb]:size-[18px] [&::-webkit-slider-thumb]:cursor-grab [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-accent [&::-webkit-slider-thumb]:bg-white touch:[&::-webkit-slider-thumb]:size-7 ' +
  '[&::-moz-range-thumb]:pointer-events-auto [&::-moz-range-thumb]:size-3.5 [&::-moz-range-thumb]:cursor-grab [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-accent [&::-moz-range-thumb]:bg-white touch:[&::-moz-range-thumb]:size-6 ' +
  'focus-visible:[&::-webkit-slider-thumb]:outline-2 focus-visible:[&::-webkit-slider-thumb]:outline-offset-2 focus-visible:[&::-webkit-slider-thumb]:outline-accent-ink'

/**
 * Histogram with two thumbs on a logarithmic scale. The thumbs are native range inputs, so arrows, Home and End and the
 * gestures of screen readers on phones work; each step is one stop of the scale.
 */
export function MoneySlider({ name, stops, bars, places, onChange }: MoneySliderProps) {
  const last = stops.length - 1
  const [moving, setMoving] = useState<Places>()
  const [from, to] = moving ?? places
  const dragging = useRef<boolean>(false)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  const highest = Math.max(1, ...(bars ?? []))

  const finish = (next: Places | undefined) => {
    clearTimeout(rest.current)
    dragging.current = false
    setMoving(undefined)
    if (next && (next[0] !== places[0] || next[1] !== places[1])) onChange(next)
  }
  /** A thumb stops one stop before the other: the two never cross. */
  const moveTo = (thumb: 0 | 1, place: number) => {
    const stop = Math.min(Math.max(place, 0), last)
    const next: Places =
      thumb === 0 ? [Math.min(stop, Math.ceil(to) - 1), to] : [from, Math.max(stop, Math.floor(from) + 1)]
    setMoving(next)
    clearTimeout(rest.current)
    if (!dragging.current) rest.current = setTimeout(() => finish(next), KEY_REST_MS)
  }
  const onKeyDown = (thumb: 0 | 1) => (event: KeyboardEvent) => {
    const now = thumb === 0 ? from : to
    const up = Math.floor(now) + 1
    const down = Math.ceil(now) - 1
    const place = {
      ArrowRight: up,
      ArrowUp: up,
      ArrowLeft: down,
      ArrowDown: down,
      PageUp: up + 2,
      PageDown: down - 2,
      Home: 0,
      End: last,
    }[event.key]
    if (place === undefined) return
    event.preventDefault()
    moveTo(thumb, place)
  }
  const thumb = (at: 0 | 1, label: string, openText: string) => {
    const place = at === 0 ? from : to
    const isOpen = at === 0 ? place <= 0 : place >= last
    return (
      <input
        type="range"
        min={0}
        max={last}
        step="any"
        value={place}
        aria-label={`${name} ${label}`}
        aria-valuetext={isOpen ? openText : `${shortMoneyText(stops[Math.round(place)] ?? 0)} บาท`}
        onPointerDown={() => {
          dragging.current = true
        }}
        onPointerUp={() => finish(moving)}
        onPointerCancel={() => finish(undefined)}
        onKeyDown={onKeyDown(at)}
        onChange={(event) => {
          const value = Number(event.currentTarget.value)
          // Without a pointer the change is a small step of a screen reader's gesture: go to the next stop that way.
          const stop = dragging.current ? Math.round(value) : value > place ? Math.ceil(value) : Math.floor(value)
          moveTo(at, stop)
        }}
        // At the top end both thumbs may lie over each other: the lower one has to be reachable then.
        className={classNames(THUMB, at === 0 && from > last / 2 && 'z-10')}
      />
    )
  }

  return (
    <div>
      <div aria-hidden className="flex h-10 items-end gap-px px-[9px]">
        {stops.slice(1).map((stop, index) => (
          <span
            key={stop}
            className={classNames(
              'min-h-[3px] flex-1 rounded-t-[3px] transition-[height]',
              index + 1 > from && index < to ? 'bg-teal-500/75 dark:bg-teal-600' : 'bg-line',
            )}
            style={{ height: `${((bars?.[index] ?? 0) / highest) * 100}%` }}
          />
        ))}
      </div>
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
    </div>
  )
}
