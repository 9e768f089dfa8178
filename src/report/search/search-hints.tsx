import { echoSearch } from '#contract/search/search-echo.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { OFFER_CLASSES, OpenProjectOffer } from './open-project-offer.tsx'
import { suggestOperatorSyntax } from './operator-offer.ts'
import { SearchEchoLine } from './search-echo-line.tsx'

type SearchHintsProps = {
  field: string
  note: string | undefined
  expression: string
  total: number | null
  draft: string
  projectId: string | undefined
  onOpenProject: (id: string) => void
  onTake: (expression: string) => void
  /** Typed operators that took effect; undefined without any. */
  signs: string | undefined
  onTakeSigns: () => void
}

export function SearchHints({
  field,
  note,
  expression,
  total,
  draft,
  projectId,
  onOpenProject,
  onTake,
  signs,
  onTakeSigns,
}: SearchHintsProps) {
  const offer = suggestOperatorSyntax(draft)
  const offered = offer === undefined ? undefined : parseSearchExpression(offer)
  return (
    <>
      {projectId !== undefined && <OpenProjectOffer id={projectId} onOpen={onOpenProject} />}
      <SearchEchoLine field={field} expression={expression} total={total} note={note} />
      {offer !== undefined && offered?.ok && (
        <p className="text-xs text-ink-muted">
          ต้องการค้นโครงการที่ <span className="font-medium text-ink">{echoSearch(offered.node)}</span> ใช่ไหม{' '}
          <button type="button" onClick={() => onTake(offer)} className={OFFER_CLASSES}>
            ค้นแบบนี้
          </button>
        </p>
      )}
      {signs !== undefined && (
        <p className="text-xs text-ink-muted">
          ## || &lt;&lt; อ่านเป็นตัวเชื่อม{' '}
          <button type="button" onClick={onTakeSigns} className={`${OFFER_CLASSES} wrap-anywhere`}>
            ค้นข้อความ “{signs}” ตรงตัวอักษร
          </button>
        </p>
      )}
    </>
  )
}
