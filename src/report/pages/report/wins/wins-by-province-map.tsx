import { useRef, useState } from 'react'
import type { WhoWins } from '#contract/market/who-wins.ts'
import { findProvinceByName, PROVINCES, REGIONS, type Region } from '#contract/thai/province.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatKnownBaht } from '#src/lib/figure-text.ts'
import { ChartReadout } from '#src/ui/chart/chart-axis.tsx'
import thaiMap from './province-shapes.gen.json'
import type { OpenWhoWinsProjectsFn } from './who-wins-text.ts'

type RegionSum = { readonly n: number; readonly value: number | null }

export function sumWinsByRegion({ provinces }: WhoWins): {
  readonly regions: readonly (RegionSum & { readonly region: Region })[]
  readonly unknown: number
} {
  const regions = REGIONS.map(({ code: region }) => {
    const regionProvinces = provinces.filter(
      ({ province }) => province !== null && findProvinceByName(province)?.region === region,
    )
    const priced = regionProvinces.filter(({ value }) => value !== null)
    return {
      region,
      n: regionProvinces.reduce((sum, { n }) => sum + n, 0),
      value: priced.length === 0 ? null : priced.reduce((sum, { value }) => sum + value!, 0),
    }
  })
  const unknown = provinces.find(({ province }) => province === null)?.n ?? 0
  return { regions: regions.toSorted((a, b) => b.n - a.n), unknown }
}

type Shade = { readonly from: number; readonly text: string; readonly opacity: number }

const SHADE_STEPS = [
  [1, 0.18],
  [3, 0.36],
  [5, 0.54],
  [10, 0.76],
  [20, 1],
] as const

/** Returns the shades with their minimum counts: 1, 3, 5, 10, 20, scaled by powers of ten for larger maxima. */
export function buildWinMapShades(provinces: WhoWins['provinces']): readonly Shade[] {
  const maxCount = Math.max(1, ...provinces.map(({ province, n }) => (province === null ? 0 : n)))
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(maxCount / 20)))
  const from = SHADE_STEPS.map(([minCount], at) => (at === 0 ? 1 : minCount * scale))
  return SHADE_STEPS.map(([, opacity], at) => {
    const nextFrom = from[at + 1]
    const lastCount = nextFrom === undefined ? undefined : nextFrom - 1
    const text =
      lastCount === undefined ? `${formatCount(from[at]!)}+` : `${formatCount(from[at]!)}–${formatCount(lastCount)}`
    return { from: from[at]!, text, opacity }
  })
}

export const getWinMapShadeOpacity = (steps: readonly Shade[], n: number): number =>
  steps.findLast(({ from }) => n >= from)?.opacity ?? 0

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

type ProvinceShape = (typeof thaiMap.provinces)[number]
const nameOf = ({ code }: ProvinceShape) => PROVINCES.find((province) => province.code === code)!.th

/** Returns the nearest shape in a direction; its sideways offset may exceed the forward distance by 20 % at most. */
function nearestShape(from: ProvinceShape, [dx, dy]: readonly [number, number]): ProvinceShape | undefined {
  const candidates = thaiMap.provinces.flatMap((shape) => {
    const [x, y] = [shape.x - from.x, shape.y - from.y]
    const forward = x * dx + y * dy
    const aside = Math.abs(x * dy + y * dx)
    return forward > 0 && aside <= forward * 1.2 ? [{ shape, far: forward + aside * 2 }] : []
  })
  return candidates.toSorted((a, b) => a.far - b.far)[0]?.shape
}

/** A single tab stop; arrows move to the adjacent province, and Enter opens its projects. */
export function WinsByProvinceMap({ answer, onOpenRows }: { answer: WhoWins; onOpenRows: OpenWhoWinsProjectsFn }) {
  const [active, setActive] = useState<number>()
  const provinces = useRef(new Map<number, SVGGElement | null>())
  const steps = buildWinMapShades(answer.provinces)
  const sums = new Map(answer.provinces.map((sum) => [sum.province, sum]))
  const sumOf = (shape: ProvinceShape) => sums.get(nameOf(shape))
  const shapeText = (shape: ProvinceShape) => {
    const sum = sumOf(shape)
    return `${nameOf(shape)} ${sum ? `${formatCount(sum.n)} งาน · ${formatKnownBaht(sum.value)}` : 'ไม่มีงาน'}`
  }
  const tabStop = thaiMap.provinces.find((shape) => shape.code === active) ?? thaiMap.provinces[0]!
  const activeShape = thaiMap.provinces.find((shape) => shape.code === active)
  return (
    <div className="min-w-0">
      <svg
        viewBox={thaiMap.viewBox}
        role="group"
        aria-label="แผนที่งานที่รู้ผลตามจังหวัด ใช้ลูกศรไปจังหวัดข้างเคียง"
        className="mx-auto block max-h-[26rem] w-full"
        onPointerLeave={() => setActive(undefined)}
      >
        {thaiMap.provinces.map((shape) => {
          const sum = sumOf(shape)
          const press = () => sum && onOpenRows(`province:${nameOf(shape)}`)
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: it has the role of a button where it opens something
            <g
              key={shape.code}
              ref={(element) => {
                provinces.current.set(shape.code, element)
              }}
              role={sum ? 'button' : 'img'}
              aria-label={shapeText(shape)}
              tabIndex={shape.code === tabStop.code ? 0 : -1}
              onFocus={() => setActive(shape.code)}
              onPointerEnter={() => setActive(shape.code)}
              onClick={press}
              onKeyDown={(event) => {
                const arrow = ARROWS[event.key]
                if (arrow) {
                  event.preventDefault()
                  const target = nearestShape(shape, arrow)
                  if (target) provinces.current.get(target.code)?.focus()
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
                fillOpacity={getWinMapShadeOpacity(steps, sum?.n ?? 0)}
                vectorEffect="non-scaling-stroke"
                strokeWidth="0.5"
                className="fill-chart-1 stroke-line-strong"
              />
            </g>
          )
        })}
        {activeShape && (
          <path
            aria-hidden
            d={activeShape.path}
            vectorEffect="non-scaling-stroke"
            strokeWidth="2"
            className="pointer-events-none fill-none stroke-ink"
          />
        )}
      </svg>
      <ChartReadout text={activeShape && shapeText(activeShape)} />
      <p className="text-xs text-ink-faint">แผนที่ SVG Maps · CC BY 4.0</p>
    </div>
  )
}
