import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { offerConversion, splitPastedIds } from '#contract/search/search-offers.ts'
import { findOperator } from '#contract/search/search-signs.ts'

/**
 * Returns true for a text with an operator, or one that is quoted as a whole. Brackets alone do not count, because many project names have them.
 */
export function holdsOperators(text: string): boolean {
  if (findOperator(text) !== -1) return true
  const parsed = parseSearchExpression(text)
  return parsed.ok && parsed.node.kind === 'term' && parsed.node.quoted
}

/**
 * The expression that a text in the manner of other search engines (AND, OR, -word) probably means, when it is valid;
 * undefined when there is nothing to offer.
 */
export function operatorOffer(text: string): string | undefined {
  const typed = text.trim()
  return holdsOperators(typed) ? undefined : offerConversion(typed)?.expression
}

/** Project numbers in a pasted text, whatever stands between them; undefined when something in it cannot be one. */
export function readProjectIds(text: string): string[] | undefined {
  const ids = splitPastedIds(text)
  return ids.every((id) => /^[0-9A-Za-z-]{1,32}$/.test(id)) ? ids : undefined
}
