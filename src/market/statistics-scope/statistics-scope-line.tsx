import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import type { StatisticsScope } from '#contract/market/statistics-scope.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { buildStatisticsScopeLineParts, useStatisticsScopeTexts } from './statistics-scope-filters.ts'

type PrintHeadProps = { search: StatisticsScopeSearch; otherTexts?: readonly string[] }

export function StatisticsScopePrintHeader({ search, otherTexts = [] }: PrintHeadProps) {
  const today = useBangkokToday()
  const filters = [...Map.groupBy(useStatisticsScopeTexts(search), ({ label }) => label)].map(
    ([label, parts]) => `${label}: ${parts.map(({ text }) => text).join(', ')}`,
  )
  const lines = [...filters, ...otherTexts]
  return (
    <div className="hidden text-sm text-ink-muted tabular-nums print:block">
      <p>ตัวกรอง: {lines.length === 0 ? 'ไม่มี' : lines.join(' · ')}</p>
      <p>ที่มา: ระบบ e-GP กรมบัญชีกลาง รวบรวมโดยตามงาน · พิมพ์ {formatThaiDate(today)}</p>
    </div>
  )
}

export function StatisticsScopeLine({ scope }: { scope: StatisticsScope }) {
  return (
    <p className="text-xs text-ink-muted tabular-nums">
      <span className="sr-only">ขอบเขตของตัวเลข: </span>
      {buildStatisticsScopeLineParts(scope).join(' · ')}
      <DoubtfulAmountsNote count={scope.amounts_in_doubt} />
    </p>
  )
}
