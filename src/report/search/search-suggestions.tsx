import {
  describeSearchNode,
  describeSearchResult,
  suggestSearchBrackets,
} from '#contract/search/describe-search-node.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { TextButton } from '#src/ui/text-button.tsx'
import { suggestSearchOperatorSyntax } from './search-operator-suggestions.ts'

type SearchHintsProps = SearchEchoLineProps & {
  draft: string
  projectId: string | undefined
  onOpenProject: (id: string) => void
  onTake: (expression: string) => void
  /** Operator characters in the typed text that were interpreted as operators; undefined if none were. */
  signs: string | undefined
  onTakeSigns: () => void
}

export function SearchSuggestions({
  draft,
  projectId,
  onOpenProject,
  onTake,
  signs,
  onTakeSigns,
  ...line
}: SearchHintsProps) {
  const offer = suggestSearchOperatorSyntax(draft)
  const offered = offer === undefined ? undefined : parseSearchExpression(offer)
  return (
    <>
      {projectId !== undefined && <OpenProjectOffer id={projectId} onOpen={onOpenProject} />}
      <SearchInterpretationLine {...line} />
      {offer !== undefined && offered?.ok && (
        <p className="text-xs text-ink-muted">
          ต้องการค้นโครงการที่ <span className="font-medium text-ink">{describeSearchNode(offered.node)}</span> ใช่ไหม{' '}
          <TextButton onClick={() => onTake(offer)} className="font-medium">
            ค้นแบบนี้
          </TextButton>
        </p>
      )}
      {signs !== undefined && (
        <p className="text-xs text-ink-muted">
          ## || &lt;&lt; อ่านเป็นตัวเชื่อม{' '}
          <TextButton onClick={onTakeSigns} className="font-medium wrap-anywhere">
            ค้นข้อความ “{signs}” ตรงตัวอักษร
          </TextButton>
        </p>
      )}
    </>
  )
}

type SearchEchoLineProps = {
  field: string
  expression: string
  total: number | null
  note?: string | undefined
}

export function SearchInterpretationLine({ field, expression, total, note }: SearchEchoLineProps) {
  const parsed = expression === '' ? undefined : parseSearchExpression(expression)
  if (!parsed?.ok) return null
  const hint = suggestSearchBrackets(expression)
  return (
    <p className="text-xs text-ink-muted">
      {describeSearchResult(field, parsed.node, total)}
      {hint && (
        <span className="text-ink-faint">
          {' '}
          · อ่านว่า <span className="whitespace-nowrap">{hint}</span>
        </span>
      )}
      {note && <span className="block text-ink-faint">{note}</span>}
    </p>
  )
}

export function OpenProjectOffer({ id, onOpen }: { id: string; onOpen: (id: string) => void }) {
  return (
    <p className="text-sm">
      <TextButton onClick={() => onOpen(id)} className="font-medium">
        เปิดโครงการ {id}
      </TextButton>{' '}
      <kbd className="rounded-[4px] border border-line bg-surface-muted px-1 font-sans text-xs text-ink-muted max-md:hidden">
        Enter
      </kbd>
    </p>
  )
}
