import { getChoiceLabel } from '#contract/catalogue/project.ts'
import { getProjectFact, type ReportFactName } from '#contract/catalogue/project-facts.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatThaiDayOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { EmptyValue } from '#src/ui/empty-value.tsx'

/** Formats a fact of a row by its type; null if it is unknown. */
export function formatReportFact(name: ReportFactName, { [name]: value }: ReportRow): string | null {
  const fact = getProjectFact(name)
  if (value === null || value === '' || value === fact.unknown) return null
  switch (fact.type) {
    case 'money':
      return formatBaht(Number(value))
    case 'day':
      return formatThaiDayOrOriginal(String(value))
    case 'time':
      return `${value} น.`
    case 'enumeration':
      return getChoiceLabel(fact.choices, String(value))
    case 'flag':
      return fact.th
    default:
      return String(value)
  }
}

type FactTextProps = { name: ReportFactName; row: ReportRow; isClamped?: boolean }

export function FactText({ name, row, isClamped = false }: FactTextProps) {
  const text = formatReportFact(name, row)
  if (text === null) return <EmptyValue />
  const { type } = getProjectFact(name)
  if (type === 'day') return <span className="whitespace-nowrap">{text}</span>
  if (type !== 'text' || !isClamped) return text
  return (
    <span className="line-clamp-2" title={text}>
      {text}
    </span>
  )
}
