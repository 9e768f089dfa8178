import type { ReactNode } from 'react'
import { PURSUIT_STAGE_KINDS } from '#contract/account/pursuit-settings.ts'
import { getChoiceLabel, PROCUREMENT_METHOD_TYPES, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { Agency } from '#contract/market/agency.ts'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import { THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/amounts-in-doubt.tsx'
import { toFiscalYearMonths } from '#src/catalogue/announced-months/announced-months.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { buildStatisticsScopeLineParts } from '#src/market/statistics-scope/statistics-scope-text.ts'
import { formatDayCount } from './agency-figures.tsx'

const MAX_COMPANIES = 10
const MAX_KINDS = 6
const CELL = 'border-t border-slate-300 px-1 py-0.5 align-top'
const NUMBER = `${CELL} text-right whitespace-nowrap tabular-nums`
const baht = (value: number | null) => (value === null ? '–' : formatBahtCompact(value))
const days = (value: number | null) => (value === null ? '–' : formatDayCount(value))

export function AgencyPrintSheet({ answer, search }: { answer: Agency; search: AgencySearch }) {
  const { agency, scope, figures, speed, ours, announced, awarded } = answer
  const won = toFiscalYearMonths(awarded.months.map((n, at) => ({ month: at + 1, n })))
  const { discount } = figures
  return (
    <div className="hidden bg-white text-[8pt] leading-snug text-slate-900 [page:report] print:block">
      <h1 className="text-[15pt] font-semibold">{agency.name}</h1>
      <p>
        {joinParts(
          agency.code !== null && `รหัสหน่วยงาน ${agency.code}`,
          agency.ministry,
          agency.province,
          search.unit !== undefined && `หน่วยซื้อ ${search.unit}`,
          ...buildStatisticsScopeLineParts(scope),
        )}
        <DoubtfulAmountsNote count={scope.amounts_in_doubt} />
      </p>
      <dl className="my-2 flex gap-8">
        <PrintFact
          name="รู้ผลแล้ว"
          value={formatCount(answer.decided)}
          note={`จาก ${formatCount(answer.projects)} โครงการ`}
        />
        <PrintFact name="มูลค่าที่ซื้อ" value={baht(figures.value)} note={`บาท · n=${formatCount(figures.n_value)}`} />
        <PrintFact name="บริษัทที่ชนะ" value={formatCount(figures.winners)} note={`ใน ${formatCount(answer.won)} งาน`} />
        <PrintFact
          name="ลดจากราคากลาง (มัธยฐาน)"
          value={discount.median === null ? '–' : formatPercent(discount.median)}
          note={`n=${formatCount(discount.n)}`}
        />
        <PrintFact name="ประกาศถึงสัญญา (มัธยฐาน)" value={days(speed.median)} note={`วัน · n=${formatCount(speed.n)}`} />
        {figures.terminated !== undefined && figures.terminated > 0 && (
          <PrintFact
            name="สัญญาถูกยกเลิก"
            value={formatCount(figures.terminated)}
            note={`จาก ${formatCount(answer.projects)} โครงการ ไม่รู้เหตุ`}
          />
        )}
      </dl>
      <div className="grid grid-cols-[1fr_1fr_1.4fr] gap-5">
        <div>
          <Table
            title="ซื้ออะไร"
            heads={['ประเภท', 'งาน', 'บาท']}
            rows={answer.by_type
              .slice(0, MAX_KINDS)
              .map(({ method_type: type, n, value }) => [
                getChoiceLabel(PROCUREMENT_METHOD_TYPES, type),
                formatCount(n),
                baht(value),
              ])}
          />
          <Table
            title="ซื้อด้วยวิธีใด"
            heads={['วิธี', 'งาน', 'บาท']}
            rows={answer.by_method
              .slice(0, MAX_KINDS)
              .map(({ method, n, value }) => [
                getChoiceLabel(PROCUREMENT_METHODS, method),
                formatCount(n),
                baht(value),
              ])}
          />
        </div>
        <div>
          <Table
            title="ประกาศและรู้ผลเดือนไหน"
            heads={['เดือน', 'ประกาศ', 'รู้ผล']}
            rows={toFiscalYearMonths(announced.months.map((n, at) => ({ month: at + 1, n }))).map(
              ({ month, n }, at) => [THAI_MONTHS[month - 1]!.short, formatCount(n), formatCount(won[at]!.n)],
            )}
          />
        </div>
        <div>
          <Table
            title="ซื้อจากใคร"
            heads={['บริษัท', 'ชนะ', 'บาท', 'ส่วนแบ่ง', 'ลดมัธยฐาน']}
            rows={answer.companies.results
              .slice(0, MAX_COMPANIES)
              .map(({ name, wins, value, share, discount: companyDiscount }) => [
                name,
                formatCount(wins),
                baht(value),
                share === null ? '–' : formatPercent(share),
                `${companyDiscount.median === null ? '–' : formatPercent(companyDiscount.median)} (n=${formatCount(companyDiscount.n)})`,
              ])}
            empty="งานที่รู้ผลน้อยเกินกว่าจะจัดอันดับ"
          />
          <Table
            title="ประกาศถึงสัญญา (วัน)"
            heads={['วิธี', 'งาน', 'ล่าง', 'มัธยฐาน', 'บน']}
            rows={speed.by_method
              .slice(0, MAX_KINDS)
              .map(({ method, n, lower, median, upper }) => [
                getChoiceLabel(PROCUREMENT_METHODS, method),
                formatCount(n),
                days(lower),
                days(median),
                days(upper),
              ])}
          />
        </div>
      </div>
      <p className="mt-2">
        เรากับหน่วยงานนี้: เปิดรับข้อเสนอ {formatCount(ours.open)} จาก {formatCount(ours.matches)} โครงการในรายงาน
        {ours.pursuits
          ?.filter(({ n }) => n > 0)
          .map(({ kind, n }) => ` · ${getChoiceLabel(PURSUIT_STAGE_KINDS, kind)} ${formatCount(n)}`)
          .join('')}
      </p>
      <p className="text-slate-600">
        ที่มา ระบบจัดซื้อจัดจ้างภาครัฐ (e-GP) ผ่านตามงาน · พิมพ์ {formatThaiDateTime(getServerTime().toISOString())} ·
        มูลค่ารวมที่บุคคลธรรมดาชนะ บุคคลธรรมดาไม่ถูกจัดอันดับ n ต่ำกว่า 5 ไม่จัดอันดับและไม่บอกมัธยฐาน
      </p>
    </div>
  )
}

function PrintFact({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt className="text-slate-600">{name}</dt>
      <dd>
        <b className="text-[13pt]">{value}</b> {note}
      </dd>
    </div>
  )
}

type TableProps = {
  title: string
  heads: readonly string[]
  rows: readonly (readonly string[])[]
  empty?: ReactNode
}

function Table({ title, heads, rows, empty = 'ไม่มีข้อมูล' }: TableProps) {
  return (
    <>
      <h2 className="mt-1 text-[10pt] font-semibold">{title}</h2>
      {rows.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <table className="w-full border-collapse">
          <thead>
            <tr>
              {heads.map((head, at) => (
                <th key={head} scope="col" className={at === 0 ? 'px-1 text-left' : 'px-1 text-right'}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...figures]) => (
              <tr key={name}>
                <td className={CELL}>{name}</td>
                {figures.map((figure, at) => (
                  <td key={heads[at + 1]} className={NUMBER}>
                    {figure}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
