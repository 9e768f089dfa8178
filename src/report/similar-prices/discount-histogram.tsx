import type { PriceBand } from '#contract/catalogue/similar-prices.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { useChartRovingFocus } from '#src/ui/use-chart-roving-focus.ts'
import { type DiscountBin, findDiscountBinIndex, getDiscountChartPosition } from './similar-prices-discount-bins.ts'

const CHART_HEIGHT_PX = 112
const MIN_BAR_HEIGHT_PX = 3

type DiscountHistogramProps = {
  bins: readonly DiscountBin[]
  n: number
  median: number
  band: Pick<PriceBand, 'low' | 'high'> | undefined
  target: number | undefined
}

const barText = ({ label, count }: DiscountBin, n: number) =>
  `ส่วนลด ${label}: ${formatCount(count)} งาน (${formatPercent(count / n)})`

export function DiscountHistogram({ bins, n, median, band, target }: DiscountHistogramProps) {
  const highest = Math.max(1, ...bins.map(({ count }) => count))
  const middle = findDiscountBinIndex(bins, median)
  const { active, frame, mark } = useChartRovingFocus(bins.length, middle)
  const width = 100 / bins.length
  const bandFrom = band && getDiscountChartPosition(bins, band.low) * 100
  const bandTo = band && getDiscountChartPosition(bins, band.high) * 100
  const activeBin = active === undefined ? undefined : bins[active]
  return (
    <div className="mt-4">
      <svg
        width="100%"
        height={CHART_HEIGHT_PX}
        role="group"
        aria-label={`กราฟส่วนลดของ ${formatCount(n)} งาน ใช้ลูกศรซ้ายขวาอ่านทีละแท่ง`}
        className="block overflow-visible"
        {...frame}
      >
        {bandFrom !== undefined && bandTo !== undefined && (
          <rect
            data-testid="price-band"
            x={`${bandFrom}%`}
            y="0"
            width={`${bandTo - bandFrom}%`}
            height={CHART_HEIGHT_PX}
            className="fill-accent-soft"
          />
        )}
        {bins.map((bin, index) => {
          const height = bin.count === 0 ? 0 : Math.max(MIN_BAR_HEIGHT_PX, (bin.count / highest) * CHART_HEIGHT_PX)
          return (
            // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a bar is focusable for reading but not clickable
            <g key={bin.from} {...mark(index)} role="img" aria-label={barText(bin, n)} className="group outline-none">
              <rect
                x={`${index * width}%`}
                y="0"
                width={`${width}%`}
                height={CHART_HEIGHT_PX}
                strokeWidth="2"
                className="fill-transparent group-focus-visible:fill-surface-muted group-focus-visible:stroke-accent-ink"
              />
              <rect
                x={`${index * width + width * 0.07}%`}
                y={CHART_HEIGHT_PX - height}
                width={`${width * 0.86}%`}
                height={height}
                rx="3"
                className={classNames(
                  'fill-accent-ink',
                  index === middle ? undefined : index === active ? 'opacity-75' : 'opacity-40',
                )}
              />
            </g>
          )
        })}
        <line x1="0" x2="100%" y1={CHART_HEIGHT_PX} y2={CHART_HEIGHT_PX} className="stroke-line-strong" />
        {target !== undefined && (
          <line
            x1={`${getDiscountChartPosition(bins, target) * 100}%`}
            x2={`${getDiscountChartPosition(bins, target) * 100}%`}
            y1="-6"
            y2={CHART_HEIGHT_PX}
            strokeWidth="2"
            strokeDasharray="5 3"
            className="stroke-ink"
          />
        )}
      </svg>
      <Axis bins={bins} />
      <p className="mt-1 min-h-[1.6em] text-xs text-ink-muted tabular-nums">
        {activeBin ? barText(activeBin, n) : 'แท่งเข้ม = ช่วงที่มีมัธยฐาน'}
        {!activeBin && band !== undefined && ' · พื้นสี = ช่วงของ 8 ใน 10 งาน'}
        {!activeBin && target !== undefined && ' · เส้นประ = ราคาเป้าหมายของคุณ'}
      </p>
    </div>
  )
}

function Axis({ bins }: { bins: readonly DiscountBin[] }) {
  const every = Math.max(1, Math.ceil(bins.length / 5))
  const zero = bins.findIndex(({ from }) => Math.abs(from) < 1e-9)
  const offset = zero > 0 ? zero % every : 0
  return (
    <div aria-hidden className="relative mt-1 h-5 text-xs text-ink-faint tabular-nums">
      {bins.map(({ from }, index) =>
        // The first bin has no lower bound, so its left edge has no label.
        index > 0 && index % every === offset ? (
          <span
            key={from}
            className="absolute -translate-x-1/2 whitespace-nowrap"
            style={{ left: `${(index / bins.length) * 100}%` }}
          >
            {Number((from * 100).toFixed(1))
              .toString()
              .replace('-', '−')}
            %
          </span>
        ) : null,
      )}
    </div>
  )
}
