import { parseSearchExpression } from '#contract/search-grammar.ts'
import { offerConversion, splitPastedIds } from '#contract/search-offers.ts'

/** Signs of our grammar typed in a plain chip, where they would be looked for as text. */
const OUR_SIGNS = /##|\|\||<</

/**
 * The expression that a typed text probably means, when it holds operators (ours, or those of other search engines) and
 * reads as a valid expression; undefined when there is nothing to offer.
 */
export function operatorOffer(text: string): string | undefined {
  const typed = text.trim()
  const foreign = offerConversion(typed)
  if (foreign) return foreign.expression
  if (!OUR_SIGNS.test(typed)) return undefined
  const parsed = parseSearchExpression(typed)
  return parsed.ok && parsed.node.kind !== 'term' ? typed : undefined
}

/** Project numbers in a pasted text, whatever stands between them; undefined when something in it cannot be one. */
export function readProjectIds(text: string): string[] | undefined {
  const ids = splitPastedIds(text)
  return ids.every((id) => /^[0-9A-Za-z-]{1,32}$/.test(id)) ? ids : undefined
}
