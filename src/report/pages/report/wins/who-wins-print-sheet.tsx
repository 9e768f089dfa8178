import { useQuery } from '@tanstack/react-query'
import { formatIgnoredBidStatesNotice, formatSavedQuestion, type WhoWins } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { COMPANY_RANKINGS } from '#contract/report/report-view.ts'
import { PROVINCES, REGIONS } from '#contract/thai/province.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { useUser } from '#src/account/api/users.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { formatPercent } from '#src/lib/figure-text.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { useServerTime } from '#src/lib/use-server-time.ts'
import { whoWinsQuery } from '#src/market/api/who-wins.ts'
import { getStatisticsCoverageLabel } from '#src/market/statistics-scope/statistics-coverage-badge.tsx'
import { UnusualAwardPatternsPrintSheet } from '#src/market/unusual-award-patterns/unusual-award-patterns-print-sheet.tsx'
import thaiMap from './province-shapes.gen.json'
import { buildWhoWinsFigures } from './who-wins-figures.tsx'
import { formatDiscountBinRange } from './who-wins-text.ts'
import { buildWinMapShades, getWinMapShadeOpacity, sumWinsByRegion } from './wins-by-province-map.tsx'

const MAX_RANKED_COMPANIES = 10
const CELL = 'border-t border-slate-300 px-1 py-0.5 align-top'
const NUMBER = `${CELL} text-right whitespace-nowrap tabular-nums`
const HEADLINE_FIGURES = [0, 1, 4]

type WinPrintProps = { search: ReportSearch; isPrinting: boolean }

export function WhoWinsPrintSheet({ search, isPrinting }: WinPrintProps) {
  const { data } = useQuery(whoWinsQuery(search))
  return data && isPrinting ? <Sheet answer={data} search={search} /> : null
}

function Sheet({ answer, search }: { answer: WhoWins; search: ReportSearch }) {
  const { project_labels: labels } = useUser()
  const now = useServerTime()
  const rank = search.rank ?? 'value'
  const figures = buildWhoWinsFigures(answer)
  const unused = formatIgnoredBidStatesNotice(search)
  const { computed_at: computedAt, coverage } = answer.scope
  return (
    <div className="hidden bg-white text-[8pt] leading-snug text-slate-900 print:block">
      <h1 className="text-[15pt] font-semibold">ใครชนะ</h1>
      <p>{formatSavedQuestion(search, labels)}</p>
      {unused && <p>{unused}</p>}
      <dl className="my-2 flex gap-8">
        {HEADLINE_FIGURES.map((index) => figures[index]!).map(({ label, value, note }) => (
          <div key={label}>
            <dt className="text-slate-600">{label}</dt>
            <dd>
              <b className="text-[13pt]">{value}</b> {note}
            </dd>
          </div>
        ))}
      </dl>
      <div className="grid grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)] gap-4">
        <div>
          <h2 className="text-[10pt] font-semibold">
            อันดับผู้ชนะตาม{COMPANY_RANKINGS.find(({ code }) => code === rank)?.th}
          </h2>
          {answer.companies.is_ranked ? <Ranking answer={answer} /> : <p>งานที่รู้ผลน้อยเกินกว่าจะจัดอันดับ</p>}
          <h2 className="mt-2 text-[10pt] font-semibold">
            ลดจากราคากลางเท่าไรถึงชนะ (จาก {formatCount(answer.figures.discount.n)} งาน)
          </h2>
          <Histogram answer={answer} />
        </div>
        <div>
          <h2 className="text-[10pt] font-semibold">งานอยู่ที่ไหน</h2>
          <PaperMap answer={answer} />
        </div>
      </div>
      <p className="mt-2 text-slate-600">
        ที่มา ระบบจัดซื้อจัดจ้างภาครัฐ (e-GP) ผ่านตามงาน ·{' '}
        {computedAt === null ? 'ยังไม่มีข้อมูล' : `ข้อมูล ณ ${formatThaiDateTime(computedAt)}`} · พิมพ์{' '}
        {formatThaiDateTime(now.toISOString())} · {getStatisticsCoverageLabel(coverage)}
        <DoubtfulAmountsNote count={answer.scope.amounts_in_doubt} /> · รวมงานที่ส่งมอบแล้ว บุคคลธรรมดาไม่ถูกจัดอันดับ · แผนที่ SVG
        Maps CC BY 4.0
      </p>
      <UnusualAwardPatternsPrintSheet search={search} />
    </div>
  )
}

function Ranking({ answer }: { answer: WhoWins }) {
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr>
          {['ที่', 'บริษัท', 'ชนะ', 'บาท', 'ส่วนแบ่ง', 'ลด (มัธยฐาน จากกี่งาน)'].map((head, index) => (
            <th key={head} scope="col" className={index === 1 ? 'px-1 text-left' : 'px-1 text-right'}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {answer.companies.results.slice(0, MAX_RANKED_COMPANIES).map((row, index) => (
          <tr key={row.id}>
            <td className={NUMBER}>{index + 1}</td>
            <td className={CELL}>{row.name}</td>
            <td className={NUMBER}>{formatCount(row.wins)}</td>
            <td className={NUMBER}>{formatBahtCompact(row.value)}</td>
            <td className={NUMBER}>{row.share === null ? '–' : formatPercent(row.share)}</td>
            <td className={NUMBER}>
              {row.discount.median === null ? '–' : formatPercent(row.discount.median)} ({formatCount(row.discount.n)})
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Histogram({ answer: { discount_bins: bins } }: { answer: WhoWins }) {
  const maxCount = Math.max(1, ...bins.map(({ count }) => count))
  return (
    <div className="flex h-28 items-end gap-0.5">
      {bins.map(({ from, count }) => (
        <div key={String(from)} className="flex min-w-0 flex-1 flex-col items-center justify-end">
          <span className="text-[6pt]">{count === 0 ? '' : formatCount(count)}</span>
          {/* A border, because browsers print no backgrounds. */}
          <span
            className="w-full border-0 border-t-0 border-teal-700"
            style={{ borderBottomWidth: `${(count / maxCount) * 70}px` }}
          />
          <span className="text-[6pt] whitespace-nowrap">
            {from === null ? 'แพงกว่า' : formatDiscountBinRange(from).split('–')[0]?.replace(' ขึ้นไป', '+')}
          </span>
        </div>
      ))}
    </div>
  )
}

function PaperMap({ answer }: { answer: WhoWins }) {
  const sums = new Map(answer.provinces.map(({ province, n }) => [province, n]))
  const steps = buildWinMapShades(answer.provinces)
  const nOf = (code: number) => sums.get(PROVINCES.find((province) => province.code === code)!.th) ?? 0
  return (
    <>
      <svg viewBox={thaiMap.viewBox} aria-hidden className="mx-auto block h-[11.5cm]">
        {thaiMap.provinces.map((shape) => (
          <path
            key={shape.code}
            d={shape.path}
            fill="#0f766e"
            fillOpacity={getWinMapShadeOpacity(steps, nOf(shape.code))}
            stroke="#94a3b8"
            strokeWidth="0.4"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <p>
        {sumWinsByRegion(answer)
          .regions.filter(({ n }) => n > 0)
          .map(({ region, n }) => `${REGIONS.find(({ code }) => code === region)?.th} ${formatCount(n)} งาน`)
          .join(' · ')}
      </p>
    </>
  )
}
