import { compileSearchItems, readSearchItems, type SearchItem } from '#contract/search/search-items.ts'

/** How the next word joins the ones before: all of them, either of them, or none of these. */
export type Joiner = 'and' | 'or' | 'not'
export const JOINERS: readonly { readonly code: Joiner; readonly th: string }[] = [
  { code: 'and', th: 'และ' },
  { code: 'or', th: 'หรือ' },
  { code: 'not', th: 'ไม่เอา' },
]

/** Words of one chip. */
export const wordsOf = (item: SearchItem): readonly string[] =>
  typeof item.value === 'string' ? [item.value] : item.value

const withWords = (item: SearchItem, words: readonly string[]): SearchItem => ({
  ...item,
  value: words.length === 1 ? words[0]! : words,
})

const canJoin = (item: SearchItem | undefined, negation: boolean): item is SearchItem =>
  item !== undefined && item.negation === negation && !item.isIgnoreEncode

/**
 * The chips with one more word. "Or" joins the last positive chip as an alternative, "not" joins the excluded words;
 * "and", and what finds nothing to join, becomes a chip of its own. A word that the chip has already is not added twice.
 */
export function addWord(items: readonly SearchItem[], key: string, word: string, joiner: Joiner): SearchItem[] {
  const text = word.trim()
  if (text === '') return [...items]
  const negation = joiner === 'not'
  const at = joiner === 'and' ? -1 : items.findLastIndex((item) => item.negation === negation)
  const target = items[at]
  if (canJoin(target, negation)) {
    const words = wordsOf(target)
    return words.includes(text) ? [...items] : items.with(at, withWords(target, [...words, text]))
  }
  const isThere = items.some((item) => canJoin(item, negation) && wordsOf(item).length === 1 && item.value === text)
  if (isThere) return [...items]
  const added: SearchItem = { key, value: text, negation }
  // Positive chips stand before the excluded words, which is also the order of the expression.
  const firstNegated = negation ? -1 : items.findIndex((item) => item.negation)
  return firstNegated === -1 ? [...items, added] : items.toSpliced(firstNegated, 0, added)
}

/**
 * The chips joined with a whole expression, which must be valid. "Or" makes it an alternative to the last positive chip, "not" excludes
 * what it finds; "and", and what finds nothing to join, puts its words beside the chips. What no chips can say (an `or`
 * of more than words) becomes one chip that holds the expression.
 */
export function addExpression(
  items: readonly SearchItem[],
  key: string,
  expression: string,
  joiner: Joiner,
): SearchItem[] {
  const own: SearchItem = { key, value: expression, negation: joiner === 'not', isIgnoreEncode: true }
  const at = joiner === 'or' ? items.findLastIndex((item) => !item.negation) : -1
  const target = items[at]
  const joined = target
    ? items.with(at, { ...own, value: [compileSearchItems([target]), expression] })
    : [...items, ...(own.negation ? [own] : readSearchItems(key, expression))]
  return readSearchItems(key, compileSearchItems(joined))
}

/** The chips without one word; a chip that loses its last word goes. */
export function removeWord(items: readonly SearchItem[], itemIndex: number, wordIndex: number): SearchItem[] {
  const item = items[itemIndex]
  if (!item) return [...items]
  const left = wordsOf(item).toSpliced(wordIndex, 1)
  return left.length === 0 ? items.toSpliced(itemIndex, 1) : items.with(itemIndex, withWords(item, left))
}

/** The chips without their last word, for Backspace in an empty box. */
export function removeLastWord(items: readonly SearchItem[]): SearchItem[] {
  const last = items.at(-1)
  return last ? removeWord(items, items.length - 1, wordsOf(last).length - 1) : []
}
