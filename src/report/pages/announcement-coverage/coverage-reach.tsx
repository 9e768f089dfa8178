import type { CoverageReach } from '#contract/catalogue/coverage.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { Card } from '#src/ui/card.tsx'
import { formatReachClass, isSilentReach, PROBE_TEXTS } from './coverage-text.ts'

const TITLE = 'ถามถึงหน่วยงานใดได้'

export function CoverageReachCard({ reach }: { reach: readonly CoverageReach[] }) {
  const silent = reach.filter(isSilentReach)
  return (
    <Card as="section" aria-label={TITLE} className="overflow-x-auto">
      <h2 className="px-4 pt-3 font-semibold">{TITLE}</h2>
      <p className="px-4 pb-2 text-sm text-ink-muted">
        {silent.length === 0
          ? 'ทุกชนิดที่ถามเป็นประจำมีหน่วยงานตอบใน 7 วันล่าสุด รหัสแบบอื่นลองถามสัปดาห์ละครั้ง'
          : `ไม่ตอบเลย: ${silent
              .map((row) => `${formatReachClass(row)} ${formatCount(row.agencies)} หน่วยงาน`)
              .join(', ')} ประกาศของหน่วยงานเหล่านี้จึงไม่รู้ เว้นแต่ประกาศในชื่อต้นสังกัด`}
      </p>
      <table className="w-full border-collapse text-table">
        <caption className="sr-only">หน่วยงานที่ถามและที่ตอบ ตามชนิดและจำนวนหลักของรหัส</caption>
        <thead className="bg-surface-muted text-xs text-ink-muted">
          <tr>
            {['ชนิดและรหัส', 'หน่วยงาน', 'ตอบใน 7 วัน', 'มีประกาศใน 30 วัน'].map((title, index) => (
              <th
                key={title}
                scope="col"
                className={`border-b border-line px-3 py-2 font-medium ${index === 0 ? 'text-left' : 'text-right'}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {reach.map((row) => (
            <ReachRow key={`${row.kind} ${row.digits} ${row.is_queried}`} row={row} />
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function ReachRow({ row }: { row: CoverageReach }) {
  const { agencies, is_queried, answered, listed, probe } = row
  return (
    <tr className="border-b border-line last:border-b-0">
      <th scope="row" className="px-3 py-2 text-left font-normal">
        {formatReachClass(row)}
      </th>
      <td className="px-3 py-2 text-right tabular-nums">{formatCount(agencies)}</td>
      {is_queried ? (
        <>
          <td className="px-3 py-2 text-right tabular-nums">{formatCount(answered)}</td>
          <td className="px-3 py-2 text-right tabular-nums">{formatCount(listed)}</td>
        </>
      ) : (
        <td colSpan={2} className="px-3 py-2 text-right text-ink-muted">
          {probe === null ? 'ยังไม่ได้ลองถาม' : `ลองถามเมื่อ ${formatThaiDateShort(probe.on)} ${PROBE_TEXTS[probe.outcome]}`}
        </td>
      )}
    </tr>
  )
}
