import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import type { StatisticsScope } from '#contract/market/statistics-scope.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import {
  buildStatisticsScopeLineParts,
  listStatisticsScopeTexts,
  SCOPE_LIST_FILTER_LABELS,
  SCOPE_LIST_FILTER_NAMES,
  useKeywordGroupChoices,
} from './statistics-scope-filters.ts'

type PrintHeadProps = {
  search: StatisticsScopeSearch
  otherTexts?: readonly string[]
}

export function StatisticsScopePrintHeader({ search, otherTexts = [] }: PrintHeadProps) {
  const groups = useKeywordGroupChoices()
  const today = useBangkokToday()
  const filters = SCOPE_LIST_FILTER_NAMES.flatMap((name) => {
    const texts = listStatisticsScopeTexts(name, search, groups).map(({ text }) => text)
    return texts.length === 0 ? [] : `${SCOPE_LIST_FILTER_LABELS[name]}: ${texts.join(', ')}`
  })
  const lines = [...filters, ...otherTexts]
  return (
    <div className="hidden text-sm text-ink-muted tabular-nums print:block">
      <p>ตัวกรอง: {lines.length === 0 ? 'ไม่มี' : lines.join(' · ')}</p>
      <p>ที่มา: ระบบ e-GP กรมบัญชีกลาง รวบรวมโดยตามงาน · พิมพ์ {formatThaiDate(today)}</p>
    </div>
  )
}

export function StatisticsScopeLine({ scope, className }: { scope: StatisticsScope; className?: string }) {
  return (
    <p className={classNames('text-xs text-ink-muted tabular-nums', className)}>
      <span className="sr-only">ขอบเขตของตัวเลข: </span>
      {buildStatisticsScopeLineParts(scope).join(' · ')}
      <DoubtfulAmountsNote count={scope.amounts_in_doubt} />
    </p>
  )
}
