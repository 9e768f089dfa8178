import type { Keyword } from '#contract/account/organisation.ts'
import { parseDocumentKeyword } from '#contract/matching/document-keyword.ts'
import { KEYWORD_IMPACT_DAYS } from '#contract/matching/keyword-impact.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { useKeywordPreview } from '#src/matching/api/keyword-impact.ts'
import { Switch } from '#src/ui/form/switch.tsx'
import { setKeywordDocumentSearch } from './keyword-changes.ts'

type DocumentSwitchProps = {
  keyword: Keyword
  /** Number of projects of the last 30 days that the word matches only in a document; undefined until loaded. */
  inDocuments: number | undefined
  isLocked: boolean
}

/** Switch for searching documents for a word (decision 0120). Shows the actual or expected effect. */
export function KeywordDocumentSearchSwitch({ keyword, inDocuments, isLocked }: DocumentSwitchProps) {
  const isOn = keyword.in_documents === true
  const parsed = parseDocumentKeyword(keyword.word)
  const preview = useKeywordPreview({ add: {}, in_documents: [keyword.id] }, { enabled: !isOn && parsed.ok })
  return (
    <div className="border-t border-line pt-1">
      <Switch
        checked={isOn}
        onChange={(on) => void setKeywordDocumentSearch(keyword, on)}
        label="ค้นในเอกสารด้วย"
        disabled={isLocked || (!isOn && !parsed.ok)}
      >
        {!parsed.ok ? parsed.text : 'ค้นในประกาศเชิญชวนที่ e-GP เผยแพร่ ย้อนหลัง 90 วัน'}
      </Switch>
      <p role="status" className="text-ink-muted">
        {isOn
          ? inDocuments !== undefined &&
            `เพิ่มจากเอกสาร ${formatCountWithSeparators(inDocuments)} โครงการใน ${KEYWORD_IMPACT_DAYS} วัน`
          : preview.data &&
            parsed.ok &&
            (preview.data.added === 0
              ? `ถ้าเปิด ยังไม่มีโครงการเพิ่มใน ${KEYWORD_IMPACT_DAYS} วัน`
              : `ถ้าเปิด จะเพิ่ม ${formatCountWithSeparators(preview.data.added)} โครงการใน ${KEYWORD_IMPACT_DAYS} วัน`)}
      </p>
    </div>
  )
}
