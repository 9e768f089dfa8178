import type { ReportFactName } from '#contract/catalogue/project-facts.ts'
import type { ReportRow } from '#contract/report/report.ts'

type FromDocumentProps = {
  row: Pick<ReportRow, 'from_documents'>
  field: ReportFactName
}

/** Marks a value that comes only from a document, not from a feed; otherwise renders nothing. */
export function FromDocumentBadge({ row: { from_documents: documentFacts }, field }: FromDocumentProps) {
  const page = documentFacts?.find((fact) => fact.field === field)?.page
  return page === undefined ? null : <span className="block text-xs text-ink-faint">จากเอกสาร หน้า {page}</span>
}
