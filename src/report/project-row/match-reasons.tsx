import { extractDocumentMatchReasons, formatDocumentMatchReason } from '#contract/matching/document-reason.ts'
import type { KeywordTermSource } from '#contract/matching/keyword-term.ts'
import type { MatchReason } from '#contract/matching/match-reason.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { getSimilarityLevel } from '#contract/search/deep-search.ts'
import { KeywordPassages } from '#src/documents/document-passages/keyword-passages.tsx'

const SOURCE_TEXTS: Readonly<Record<KeywordTermSource, string>> = {
  literal: 'ตรงตามตัวอักษร',
  learned: 'คำใกล้เคียง',
  dictionary: 'คำใกล้เคียงจากพจนานุกรม',
  provider: 'คำใกล้เคียงจากผู้ให้บริการภายนอก',
  user: 'คำที่องค์กรเพิ่มเอง',
}
const MATCHED_BY = { name: 'คำในชื่อโครงการ', ai: 'คำใกล้เคียง', deptsub: 'หน่วยงานที่ติดตาม' } as const

function termText({ term, source, similarity, approved }: MatchReason['terms'][number]): string {
  const notes = [
    source === 'literal' || source === 'user'
      ? SOURCE_TEXTS[source]
      : `${SOURCE_TEXTS[source]} ความคล้าย ${similarity.toFixed(2)}`,
    approved && 'คุณอนุมัติแล้ว',
  ]
  return `‘${term}’ (${notes.filter(Boolean).join(', ')})`
}

function formatMatchReason({ list, word, group, terms, page }: MatchReason): string {
  const topic = group === null ? '' : ` กลุ่ม ${group}`
  if (list === 'deptsub_include') return `หน่วยงานที่ติดตาม: ${word}${topic}`
  if (page != null) return `${formatDocumentMatchReason(word, page)}${topic}`
  if (list === 'include') return `ชื่อโครงการมีคำ ‘${word}’${topic}`
  const wholeTerms = terms.filter(({ side }) => side === null)
  const sides = terms.flatMap(({ side, term }) => (side === null ? [] : [side === term ? term : `${side} ≈ ${term}`]))
  if (wholeTerms.length > 0) return `ตรงกับ ‘${word}’${topic} เพราะชื่อโครงการมี ${wholeTerms.map(termText).join(' และ ')}`
  if (sides.length > 0) return `ตรงกับ ‘${word}’${topic} เพราะ ${sides.join(', ')}`
  return `ตรงกับ ‘${word}’${topic} ตามความหมาย`
}

export function listMatchReasonTexts(
  row: Pick<ReportRow, 'match_reasons' | 'matched_by' | 'rescued_from' | 'deep'>,
): string[] {
  const { match_reasons: reasons, matched_by: kinds, rescued_from: rescued, deep } = row
  return [
    ...(deep
      ? [
          `ค้นตามความหมาย: ${getSimilarityLevel(deep.score).th} ${Math.round(deep.score * 100)}%${matchedPhrasesText(deep.phrases)}`,
        ]
      : []),
    // Older matches have no stored reasons, only the kind of match.
    ...(reasons.length > 0 ? reasons.map(formatMatchReason) : kinds.map((kind) => MATCHED_BY[kind])),
    ...(rescued === null ? [] : [`นำกลับจากคำไม่รวม ‘${rescued}’`]),
  ]
}

const matchedPhrasesText = (phrases: readonly string[]) =>
  phrases.length === 0 ? '' : ` เพราะชื่อโครงการมี ${phrases.map((phrase) => `‘${phrase}’`).join(' และ ')}`

export function MatchReasons({ row }: { row: ReportRow }) {
  const texts = listMatchReasonTexts(row)
  if (texts.length === 0) return <p className="text-ink-muted">รอบข้อมูลเดิมไม่ได้บันทึกเหตุผลไว้</p>
  const isInDocuments = extractDocumentMatchReasons(row.match_reasons).length > 0
  return (
    <>
      <ul className="flex flex-col gap-0.5">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {isInDocuments && <KeywordPassages projectId={row.project_id} />}
    </>
  )
}
