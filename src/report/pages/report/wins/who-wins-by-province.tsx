import type { WhoWins } from '#contract/market/who-wins.ts'
import { REGIONS } from '#contract/thai/province.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatKnownBaht } from '#src/lib/figure-text.ts'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import type { OpenWhoWinsProjectsFn } from './who-wins-text.ts'
import { buildWinMapShades, sumWinsByRegion, WinsByProvinceMap } from './wins-by-province-map.tsx'

export function WhoWinsByProvince({ answer, onOpenRows }: { answer: WhoWins; onOpenRows: OpenWhoWinsProjectsFn }) {
  const { regions, unknown } = sumWinsByRegion(answer)
  return (
    <ChartFigure
      title="งานอยู่ที่ไหน"
      scope={`จาก ${formatCount(answer.decided)} งานที่รู้ผล ตามจังหวัดของโครงการ${unknown > 0 ? ` ไม่ทราบจังหวัด ${formatCount(unknown)}` : ''}`}
      table={{
        caption: 'งานที่รู้ผลตามจังหวัด',
        columns: ['จังหวัด', 'งาน', 'มูลค่า (บาท)'],
        rows: answer.provinces.map(({ province, n, value }) => ({
          key: province ?? '',
          cells: [
            <button
              key="open"
              type="button"
              onClick={() => onOpenRows(`province:${province ?? ''}`)}
              className="text-left underline decoration-line-strong underline-offset-4 touch:min-h-11 touch:min-w-11"
            >
              {province ?? 'ไม่ทราบจังหวัด'}
            </button>,
            formatCount(n),
            formatBahtCompact(value),
          ],
        })),
        numeric: [1, 2],
      }}
    >
      <div className="grid gap-4 sm:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]">
        <WinsByProvinceMap answer={answer} onOpenRows={onOpenRows} />
        <div>
          <BarChart
            label="งานตามภาค"
            rows={regions.map(({ region, n, value }) => ({
              key: region,
              label: REGIONS.find(({ code }) => code === region)!.th,
              value: n,
              text: `${formatCount(n)} งาน`,
              note: formatKnownBaht(value),
              onOpen: n === 0 ? undefined : () => onOpenRows(`region:${region}`),
            }))}
          />
          <ul aria-label="สีของแผนที่" className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-xs text-ink-muted">
            {buildWinMapShades(answer.provinces).map(({ from, text, opacity }) => (
              <li key={from} className="inline-flex items-center gap-1">
                <span aria-hidden className="relative size-3 rounded-sm border border-line bg-surface">
                  <span className="absolute inset-0 rounded-sm bg-chart-1" style={{ opacity }} />
                </span>
                {text}
              </li>
            ))}
            <li>งาน</li>
          </ul>
        </div>
      </div>
    </ChartFigure>
  )
}
