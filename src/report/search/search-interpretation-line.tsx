import { describeSearchResult, suggestSearchBrackets } from '#contract/search/describe-search-node.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'

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
