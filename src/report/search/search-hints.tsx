import { echoSearch } from '#contract/search/search-echo.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { OFFER, OpenProjectOffer } from './open-project-offer.tsx'
import { operatorOffer } from './operator-offer.ts'
import { SearchEchoLine } from './search-echo-line.tsx'

type SearchHintsProps = {
  field: string
  note: string | undefined
  /** The words of the box and the one being typed, as an expression. */
  expression: string
  /** Projects found; null while the answer to this expression is on its way. */
  total: number | null
  /** What is being typed. */
  draft: string
  /** The project number in it; undefined when there is none. */
  projectId: string | undefined
  onOpenProject: (id: string) => void
  /** Searches for the expression that the typed text probably means. */
  onTake: (expression: string) => void
  /** Operators that were typed and are read as such; undefined when there are none. */
  signs: string | undefined
  /** Searches for these signs as they stand. */
  onTakeSigns: () => void
}

/** Under the words: how the search was read, and what else the typed text may have meant. */
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
  const offer = operatorOffer(draft)
  const offered = offer === undefined ? undefined : parseSearchExpression(offer)
  return (
    <>
      {projectId !== undefined && <OpenProjectOffer id={projectId} onOpen={onOpenProject} />}
      <SearchEchoLine field={field} expression={expression} total={total} note={note} />
      {offer !== undefined && offered?.ok && (
        <p className="text-xs text-ink-muted">
          ต้องการค้นโครงการที่ <span className="font-medium text-ink">{echoSearch(offered.node)}</span> ใช่ไหม{' '}
          <button type="button" onClick={() => onTake(offer)} className={OFFER}>
            ค้นแบบนี้
          </button>
        </p>
      )}
      {signs !== undefined && (
        <p className="text-xs text-ink-muted">
          ## || &lt;&lt; อ่านเป็นตัวเชื่อม{' '}
          <button type="button" onClick={onTakeSigns} className={`${OFFER} wrap-anywhere`}>
            ค้นข้อความ “{signs}” ตรงตัวอักษร
          </button>
        </p>
      )}
    </>
  )
}
