import { extractDocumentMatchReasons } from '#contract/matching/document-reason.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { getSimilarityLevel } from '#contract/search/deep-search.ts'
import { classNames } from '#src/lib/class-names.ts'

type MatchedRow = Pick<ReportRow, 'match_reasons' | 'matched_words' | 'matched_by' | 'rescued_from' | 'deep'>

export function getShortMatchReason(row: MatchedRow): string | undefined {
  const { match_reasons: reasons, deep } = row
  if (deep) {
    const because = deep.phrases.map((phrase) => `‘${phrase}’`).join(' และ ')
    return because === ''
      ? `${getSimilarityLevel(deep.score).th} ตามความหมาย`
      : `${Math.round(deep.score * 100)}% เพราะ ${because}`
  }
  if (row.rescued_from !== null) return `นำกลับจากคำไม่รวม ‘${row.rescued_from}’`
  if (reasons.some(({ list, page }) => list === 'include' && page == null)) return undefined
  const semanticReason = reasons.find(({ list }) => list === 'ai_include')
  // Without a phrase to mark in the name, state that the match is semantic, so that the row is explained.
  if (semanticReason)
    return row.matched_words.length > 0 ? `คล้าย ‘${semanticReason.word}’` : `ตามความหมาย ‘${semanticReason.word}’`
  const [documentReason] = extractDocumentMatchReasons(reasons)
  if (documentReason) return `พบในเอกสาร หน้า ${documentReason.page}`
  return reasons.length > 0 || row.matched_by[0] === 'deptsub' ? 'หน่วยงานที่ติดตาม' : undefined
}

export function ShortMatchReason({ row, className }: { row: MatchedRow; className?: string }) {
  const text = getShortMatchReason(row)
  if (text === undefined) return null
  return (
    <span
      title={text}
      className={classNames(
        'inline-block truncate rounded-full border border-line bg-surface-muted px-2 text-xs text-ink-muted',
        className,
      )}
    >
      {text}
    </span>
  )
}
