import { MIN_PROJECTS_TO_RANK_WINNERS, type WhoWins } from '#contract/market/who-wins.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { ColumnChart } from '#src/ui/chart/column-chart.tsx'
import { formatDiscountBinRange, formatPriceBand, type OpenWhoWinsProjectsFn } from './who-wins-text.ts'

/** Returns the position of a discount among the bins; the first bin is for prices above the reference price. */
const binPosition = (discount: number) => Math.max(0.5, Math.min(16.5, discount * 50 + 1))

export function WhoWinsPrices({ answer, onOpenRows }: { answer: WhoWins; onOpenRows: OpenWhoWinsProjectsFn }) {
  const { discount_bins: bins, bands, figures } = answer
  const { n, lower, median, upper } = figures.discount
  return (
    <>
      <ChartFigure
        title="ลดจากราคากลางเท่าไรถึงชนะ"
        scope={
          <>
            จาก {formatCount(n)} งาน แท่งละ 2%
            {median !== null && ` · ส่วนใหญ่ลด ${formatPercent(lower!)} ถึง ${formatPercent(upper!)}`}
            {figures.against_budget > 0 && (
              <>
                {' · '}
                <button
                  type="button"
                  onClick={() => onOpenRows('against_budget')}
                  className="underline decoration-line-strong underline-offset-4 touch:min-h-11"
                >
                  ไม่นับ {formatCount(figures.against_budget)} งานที่ไม่มีราคากลางหรือราคากลางน่าสงสัย
                </button>
              </>
            )}
          </>
        }
        empty={n === 0 ? 'ไม่มีงานที่รู้ทั้งราคากลางและราคาที่ชนะ' : undefined}
        table={{
          caption: 'จำนวนงานตามส่วนลดจากราคากลาง',
          columns: ['ส่วนลด', 'งาน'],
          rows: bins.map(({ from, count }) => ({
            key: String(from),
            cells: [formatDiscountBinRange(from), formatCount(count)],
          })),
          numeric: [1],
        }}
      >
        <ColumnChart
          label="จำนวนงานตามส่วนลดจากราคากลาง"
          columns={bins.map(({ from, count }) => ({
            key: String(from),
            label: from === null ? 'แพงกว่า' : `${Math.round(from * 100)}%${from >= 0.3 ? '+' : ''}`,
            value: count,
            text: `${formatDiscountBinRange(from)} ${formatCount(count)} งาน`,
            onOpen: count === 0 ? undefined : () => onOpenRows(`discount:${from ?? 'below'}`),
          }))}
          formatValue={formatCount}
          markers={median === null ? [] : [{ at: binPosition(median), label: `มัธยฐาน ${formatPercent(median)}` }]}
        />
      </ChartFigure>
      <ChartFigure
        title="ส่วนลดตามขนาดงาน"
        scope="ราคากลาง บาท · แถบคือช่วงที่งานครึ่งหนึ่งลด ขีดคือมัธยฐาน · เลขท้ายคือมัธยฐาน จากกี่งาน"
        empty={n === 0 ? 'ไม่มีงานที่รู้ทั้งราคากลางและราคาที่ชนะ' : undefined}
        table={{
          caption: 'ส่วนลดตามขนาดงาน',
          columns: ['ราคากลาง', 'จาก (งาน)', 'ส่วนใหญ่ลดตั้งแต่', 'มัธยฐาน', 'ถึง'],
          rows: bands.map(({ from, to, ...band }) => ({
            key: `${from}-${to}`,
            cells: [
              formatPriceBand(from, to),
              formatCount(band.n),
              ...[band.lower, band.median, band.upper].map((rate) => (rate === null ? '–' : formatPercent(rate))),
            ],
          })),
          numeric: [1, 2, 3, 4],
        }}
      >
        <ul className="space-y-1">
          {bands.map(({ from, to, ...band }) => (
            <li key={`${from}-${to}`}>
              <button
                type="button"
                disabled={band.n === 0}
                onClick={() => onOpenRows(`band:${from ?? ''}-${to ?? ''}`)}
                className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 rounded-control px-2 py-1 text-left enabled:hover:bg-surface-muted sm:grid-cols-[10rem_minmax(0,1fr)_9rem] touch:min-h-11"
              >
                <span>{formatPriceBand(from, to)}</span>
                <Corridor lower={band.lower} median={band.median} upper={band.upper} />
                <span className="text-right tabular-nums">
                  {band.median === null ? '–' : formatPercent(band.median)}{' '}
                  <span className="text-xs text-ink-muted">
                    {band.n < MIN_PROJECTS_TO_RANK_WINNERS
                      ? `${formatCount(band.n)} งาน น้อยไป`
                      : `${formatCount(band.n)} งาน`}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </ChartFigure>
    </>
  )
}

function Corridor({ lower, median, upper }: { lower: number | null; median: number | null; upper: number | null }) {
  const at = (rate: number) => `${Math.max(0, Math.min(100, rate * 250))}%`
  return (
    <span aria-hidden className="relative block h-3 rounded-full bg-surface-muted max-sm:hidden">
      {lower !== null && upper !== null && median !== null && (
        <>
          <span
            className="absolute inset-y-0 min-w-1 rounded-full bg-chart-1 opacity-40"
            style={{ left: at(lower), right: `calc(100% - ${at(upper)})` }}
          />
          <span
            className="absolute inset-y-0 w-1 -translate-x-1/2 rounded-full bg-chart-1"
            style={{ left: at(median) }}
          />
        </>
      )}
    </span>
  )
}
