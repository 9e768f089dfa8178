import { bracketHint, echoLine } from '#contract/search/search-echo.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'

type SearchEchoLineProps = {
  field: string
  /** What stands in the box now, typed or chosen. */
  expression: string
  /** Projects found; null while the answer to this expression is on its way. */
  total: number | null
  /** What the search does not reach. */
  note?: string | undefined
}

/** The search in words, so that nobody has to guess how it was read; with brackets when operators were mixed without. */
export function SearchEchoLine({ field, expression, total, note }: SearchEchoLineProps) {
  const parsed = expression === '' ? undefined : parseSearchExpression(expression)
  if (!parsed?.ok) return null
  const hint = bracketHint(expression)
  return (
    <p className="text-xs text-ink-muted">
      {echoLine(field, parsed.node, total)}
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
