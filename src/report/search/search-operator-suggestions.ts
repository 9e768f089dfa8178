import { findSearchOperator } from '#contract/search/search-characters.ts'
import { splitPastedProjectIds, suggestSearchConversion } from '#contract/search/search-conversion.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'

/** True also for a quoted text. Brackets alone do not count, because many project names contain them. */
export function hasSearchOperators(text: string): boolean {
  if (findSearchOperator(text) !== -1) return true
  const parsed = parseSearchExpression(text)
  return parsed.ok && parsed.node.kind === 'term' && parsed.node.quoted
}

/** Converts the syntax of other search engines (AND, OR, -word); undefined without a suggestion. */
export function suggestSearchOperatorSyntax(text: string): string | undefined {
  const typed = text.trim()
  return hasSearchOperators(typed) ? undefined : suggestSearchConversion(typed)?.expression
}

/** Parses a list of project numbers with any separators; undefined if a part cannot be a project number. */
export function parseProjectIds(text: string): string[] | undefined {
  const ids = splitPastedProjectIds(text)
  return ids.every((id) => /^[0-9A-Za-z-]{1,32}$/.test(id)) ? ids : undefined
}
