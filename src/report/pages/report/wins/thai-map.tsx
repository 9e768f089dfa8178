import { useState } from 'react'
import type { WhoWins } from '#contract/market/who-wins.ts'
import { PROVINCES } from '#contract/thai/province.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { ChartReading } from '#src/ui/chart/chart-axis.tsx'
import type { OpenRows } from './open-rows.ts'
import { MAP_BOX, PROVINCE_SHAPES } from './province-shapes.gen.ts'

type Step = { readonly from: number; readonly text: string; readonly opacity: number }

/** Minimum number of projects per shade, and its opacity. */
const STEPS = [
  [1, 0.18],
  [3, 0.36],
  [5, 0.54],
  [10, 0.76],
  [20, 1],
] as const

/** Returns the shades with their minimum counts: 1, 3, 5, 10, 20, scaled by powers of ten for larger maxima. */
export function stepsOf(provinces: WhoWins['provinces']): readonly Step[] {
  const most = Math.max(1, ...provinces.map(({ province, n }) => (province === null ? 0 : n)))
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(most / 20)))
  // A single project is always coloured.
  const from = STEPS.map(([few], at) => (at === 0 ? 1 : few * scale))
  return STEPS.map(([, opacity], at) => {
    const next = from[at + 1]
    const last = next === undefined ? undefined : next - 1
    const text = last === undefined ? `${countText(from[at]!)}+` : `${countText(from[at]!)}–${countText(last)}`
    return { from: from[at]!, text, opacity }
  })
}

export const opacityOf = (steps: readonly Step[], n: number): number =>
  steps.findLast(({ from }) => n >= from)?.opacity ?? 0

/** Arrow directions, applied to the centres of the shapes. */
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

type Shape = (typeof PROVINCE_SHAPES)[number]
const nameOf = ({ code }: Shape) => PROVINCES.find((province) => province.code === code)!.th

/** Returns the nearest shape in a direction; its sideways offset may exceed the forward distance by 20 % at most. */
function nextOf(from: Shape, [dx, dy]: readonly [number, number]): Shape | undefined {
  const ahead = PROVINCE_SHAPES.flatMap((shape) => {
    const [x, y] = [shape.x - from.x, shape.y - from.y]
    const forward = x * dx + y * dy
    const aside = Math.abs(x * dy + y * dx)
    return forward > 0 && aside <= forward * 1.2 ? [{ shape, far: forward + aside * 2 }] : []
  })
  return ahead.toSorted((a, b) => a.far - b.far)[0]?.shape
}

/**
 * A choropleth map of provinces. A single tab stop; arrows move to the adjacent province, Enter opens its projects. The
 * hovered or focused province is described below.
 */
export function ThaiMap({ answer, open }: { answer: WhoWins; open: OpenRows }) {
  const [active, setActive] = useState<number>()
  const steps = stepsOf(answer.provinces)
  const sums = new Map(answer.provinces.map((sum) => [sum.province, sum]))
  const of = (shape: Shape) => sums.get(nameOf(shape))
  const text = (shape: Shape) => {
    const sum = of(shape)
    return `${nameOf(shape)} ${sum ? `${countText(sum.n)} งาน · ${sum.value === null ? 'ไม่ทราบมูลค่า' : `${formatBahtCompact(sum.value)} บาท`}` : 'ไม่มีงาน'}`
  }
  const first = PROVINCE_SHAPES.find((shape) => shape.code === active) ?? PROVINCE_SHAPES[0]!
  const shown = PROVINCE_SHAPES.find((shape) => shape.code === active)
  return (
    <div className="min-w-0">
      <svg
        viewBox={MAP_BOX}
        role="group"
        aria-label="แผนที่งานที่รู้ผลตามจังหวัด ใช้ลูกศรไปจังหวัดข้างเคียง"
        className="mx-auto block max-h-[26rem] w-full"
        onPointerLeave={() => setActive(undefined)}
      >
        {PROVINCE_SHAPES.map((shape) => {
          const sum = of(shape)
          const press = () => sum && open(`province:${nameOf(shape)}`)
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: it has the role of a button where it opens something
            <g
              key={shape.code}
              data-province={shape.code}
              role={sum ? 'button' : 'img'}
              aria-label={text(shape)}
              tabIndex={shape.code === first.code ? 0 : -1}
              onFocus={() => setActive(shape.code)}
              onPointerEnter={() => setActive(shape.code)}
              onClick={press}
              onKeyDown={(event) => {
                const arrow = ARROWS[event.key]
                if (arrow) {
                  event.preventDefault()
                  const next = nextOf(shape, arrow)
                  event.currentTarget.parentElement
                    ?.querySelector<SVGElement>(`[data-province="${next?.code}"]`)
                    ?.focus()
                } else if (event.key === 'Enter' || event.key === ' ') {
                  event.preventDefault()
                  press()
                }
              }}
              className={classNames('outline-none', sum && 'cursor-pointer')}
            >
              <path d={shape.path} className="fill-surface-muted" />
              <path
                d={shape.path}
                fillOpacity={opacityOf(steps, sum?.n ?? 0)}
                vectorEffect="non-scaling-stroke"
                strokeWidth="0.5"
                className="fill-chart-1 stroke-line-strong"
              />
            </g>
          )
        })}
        {shown && (
          <path
            aria-hidden
            d={shown.path}
            vectorEffect="non-scaling-stroke"
            strokeWidth="2"
            className="pointer-events-none fill-none stroke-ink"
          />
        )}
      </svg>
      <ChartReading text={shown && text(shown)} />
      <p className="text-xs text-ink-faint">แผนที่ SVG Maps · CC BY 4.0</p>
    </div>
  )
}
