import type { FigureScopeSearch } from '#contract/market/company-params.ts'
import type { FigureScope } from '#contract/market/figure-scope.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/amounts-in-doubt.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { FIGURE_SCOPE_LIST_PARAMS } from './figure-scope-patch.ts'
import {
  buildFigureScopeLineParts,
  FIGURE_SCOPE_LIST_LABELS,
  getFigureScopeValueLabel,
  useKeywordGroupChoices,
} from './figure-scope-text.ts'
import { groupProvincesByRegion } from './province-field.tsx'

type PrintHeadProps = {
  search: FigureScopeSearch
  otherTexts?: readonly string[]
}

export function FigureScopePrintHeader({ search, otherTexts = [] }: PrintHeadProps) {
  const groups = useKeywordGroupChoices()
  const today = useBangkokToday()
  const filters = FIGURE_SCOPE_LIST_PARAMS.flatMap((name) => {
    const values = search[name]
    if (!values) return []
    const words =
      name === 'project_province__in'
        ? groupProvincesByRegion(values).map(({ th }) => th)
        : values.map((value) => getFigureScopeValueLabel(name, value, groups))
    return `${FIGURE_SCOPE_LIST_LABELS[name]}: ${words.join(', ')}`
  })
  const lines = [...filters, ...otherTexts]
  return (
    <div className="hidden text-sm text-ink-muted tabular-nums print:block">
      <p>ตัวกรอง: {lines.length === 0 ? 'ไม่มี' : lines.join(' · ')}</p>
      <p>ที่มา: ระบบ e-GP กรมบัญชีกลาง รวบรวมโดยตามงาน · พิมพ์ {formatThaiDate(today)}</p>
    </div>
  )
}

export function FigureScopeLine({ scope, className }: { scope: FigureScope; className?: string }) {
  return (
    <p className={classNames('text-xs text-ink-muted tabular-nums', className)}>
      <span className="sr-only">ขอบเขตของตัวเลข: </span>
      {buildFigureScopeLineParts(scope).join(' · ')}
      <DoubtfulAmountsNote count={scope.amounts_in_doubt} />
    </p>
  )
}
