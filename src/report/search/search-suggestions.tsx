import { describeSearchNode } from '#contract/search/describe-search-node.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { OPEN_PROJECT_OFFER_CLASSES, OpenProjectOffer } from './open-project-offer.tsx'
import { SearchInterpretationLine } from './search-interpretation-line.tsx'
import { suggestSearchOperatorSyntax } from './search-operator-suggestions.ts'

type SearchHintsProps = {
  field: string
  note: string | undefined
  expression: string
  total: number | null
  draft: string
  projectId: string | undefined
  onOpenProject: (id: string) => void
  onTake: (expression: string) => void
  /** Operator characters in the typed text that were interpreted as operators; undefined if none were. */
  signs: string | undefined
  onTakeSigns: () => void
}

export function SearchSuggestions({
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
  const offer = suggestSearchOperatorSyntax(draft)
  const offered = offer === undefined ? undefined : parseSearchExpression(offer)
  return (
    <>
      {projectId !== undefined && <OpenProjectOffer id={projectId} onOpen={onOpenProject} />}
      <SearchInterpretationLine field={field} expression={expression} total={total} note={note} />
      {offer !== undefined && offered?.ok && (
        <p className="text-xs text-ink-muted">
          ต้องการค้นโครงการที่ <span className="font-medium text-ink">{describeSearchNode(offered.node)}</span> ใช่ไหม{' '}
          <button type="button" onClick={() => onTake(offer)} className={OPEN_PROJECT_OFFER_CLASSES}>
            ค้นแบบนี้
          </button>
        </p>
      )}
      {signs !== undefined && (
        <p className="text-xs text-ink-muted">
          ## || &lt;&lt; อ่านเป็นตัวเชื่อม{' '}
          <button type="button" onClick={onTakeSigns} className={`${OPEN_PROJECT_OFFER_CLASSES} wrap-anywhere`}>
            ค้นข้อความ “{signs}” ตรงตัวอักษร
          </button>
        </p>
      )}
    </>
  )
}
