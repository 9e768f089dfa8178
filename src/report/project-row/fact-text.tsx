import { getChoiceLabel } from '#contract/catalogue/project.ts'
import { getProjectFact, REPORT_FACT_NAMES, type ReportFactName } from '#contract/catalogue/project-facts.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { UnknownValue } from '#src/ui/unknown-value.tsx'

function formatReportFact(name: ReportFactName, { [name]: value }: ReportRow): string | null {
  const fact = getProjectFact(name)
  if (value === null || value === '' || value === fact.unknown) return null
  switch (fact.type) {
    case 'money':
      return formatBaht(Number(value))
    case 'day':
      return formatThaiDateShortOrOriginal(String(value))
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

/** Facts with a dedicated place on cards and the project page. All others get a plain line. */
const DESIGNED_FACTS: ReadonlySet<ReportFactName> = new Set<ReportFactName>([
  'name',
  'dept_name',
  'dept_sub_name',
  'dept_region',
  'dept_province',
  'project_region',
  'project_province',
  'budget',
  'estimate_budget',
  'winner_budget',
  'winner_name',
  'winner_count',
  'criteria',
  'method',
  'method_type',
  'is_sme',
  'is_archived',
  'movement',
  'movement_date',
  'status',
  'draft_published_date',
  'draft_discussion_end_date',
  'bidding_invite_date',
  'submission_end_date',
  'submission_time',
  'winner_announce_date',
])
const PLAIN_FACTS = REPORT_FACT_NAMES.filter((name) => !DESIGNED_FACTS.has(name))

export const listPlainFacts = (row: ReportRow): readonly ReportFactName[] =>
  PLAIN_FACTS.filter((name) => formatReportFact(name, row) !== null)

type FactTextProps = { name: ReportFactName; row: ReportRow; isClamped?: boolean }

export function FactText({ name, row, isClamped = false }: FactTextProps) {
  const text = formatReportFact(name, row)
  if (text === null) return <UnknownValue />
  const { type } = getProjectFact(name)
  if (type === 'day') return <span className="whitespace-nowrap">{text}</span>
  if (type !== 'text' || !isClamped) return text
  return (
    <span className="line-clamp-2" title={text}>
      {text}
    </span>
  )
}

type FromDocumentProps = {
  row: Pick<ReportRow, 'from_documents'>
  field: ReportFactName
}

/** Marks a value that comes only from a document, not from a feed; otherwise renders nothing. */
export function FromDocumentBadge({ row: { from_documents: documentFacts }, field }: FromDocumentProps) {
  const page = documentFacts?.find((fact) => fact.field === field)?.page
  return page === undefined ? null : <span className="block text-xs text-ink-faint">จากเอกสาร หน้า {page}</span>
}
