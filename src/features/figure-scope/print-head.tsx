import type { FigureScopeSearch } from '#contract/company/company-params.ts'
import { bangkokToday, formatThaiDate } from '#contract/thai/thai-date.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { useGroupChoices } from './keyword-groups.ts'
import { provinceParts } from './province-field.tsx'
import { SCOPE_LISTS } from './scope-change.ts'
import { SCOPE_LIST_LABELS, scopeValueText } from './scope-text.ts'

type PrintHeadProps = {
  search: FigureScopeSearch
  /** Filters that a screen has beside the scope, in words. */
  others?: readonly string[]
}

/** On paper alone, beside the scope line: every filter in words, the source and the day. */
export function PrintHead({ search, others = [] }: PrintHeadProps) {
  const groups = useGroupChoices()
  const filters = SCOPE_LISTS.flatMap((name) => {
    const values = search[name]
    if (!values) return []
    const words =
      name === 'project_province__in'
        ? provinceParts(values).map(({ th }) => th)
        : values.map((value) => scopeValueText(name, value, groups))
    return `${SCOPE_LIST_LABELS[name]}: ${words.join(', ')}`
  })
  const said = [...filters, ...others]
  return (
    <div className="hidden text-sm text-ink-muted tabular-nums print:block">
      <p>ตัวกรอง: {said.length === 0 ? 'ไม่มี' : said.join(' · ')}</p>
      <p>ที่มา: ระบบ e-GP กรมบัญชีกลาง รวบรวมโดยตามงาน · พิมพ์ {formatThaiDate(bangkokToday(serverNow()))}</p>
    </div>
  )
}
