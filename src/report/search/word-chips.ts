import { compileSearchChips, parseSearchChips, type SearchChip } from '#contract/search/search-chips.ts'

export type SearchWordOperator = 'and' | 'or' | 'not'
export const SEARCH_WORD_OPERATORS: readonly { readonly code: SearchWordOperator; readonly th: string }[] = [
  { code: 'and', th: 'และ' },
  { code: 'or', th: 'หรือ' },
  { code: 'not', th: 'ไม่เอา' },
]

export const getSearchChipWords = (item: SearchChip): readonly string[] =>
  typeof item.value === 'string' ? [item.value] : item.value

const withWords = (item: SearchChip, words: readonly string[]): SearchChip => ({
  ...item,
  value: words.length === 1 ? words[0]! : words,
})

const canJoin = (item: SearchChip | undefined, negation: boolean): item is SearchChip =>
  item !== undefined && item.negation === negation && !item.isIgnoreEncode

/**
 * Adds a word. `or` adds it as an alternative to the last positive chip, `not` to the excluded words; `and`, or nothing
 * to join it to, creates a new chip. Duplicates within a chip are ignored.
 */
export function addSearchWord(
  items: readonly SearchChip[],
  key: string,
  word: string,
  joiner: SearchWordOperator,
): SearchChip[] {
  const text = word.trim()
  if (text === '') return [...items]
  const negation = joiner === 'not'
  const at = joiner === 'and' ? -1 : items.findLastIndex((item) => item.negation === negation)
  const target = items[at]
  if (canJoin(target, negation)) {
    const words = getSearchChipWords(target)
    return words.includes(text) ? [...items] : items.with(at, withWords(target, [...words, text]))
  }
  const isThere = items.some(
    (item) => canJoin(item, negation) && getSearchChipWords(item).length === 1 && item.value === text,
  )
  if (isThere) return [...items]
  const added: SearchChip = { key, value: text, negation }
  // Positive chips precede excluded words, as in the expression.
  const firstNegated = negation ? -1 : items.findIndex((item) => item.negation)
  return firstNegated === -1 ? [...items, added] : items.toSpliced(firstNegated, 0, added)
}

/**
 * Adds a valid expression. `or` makes it an alternative to the last positive chip, `not` excludes its matches; `and`,
 * or nothing to join, adds its words as chips. An expression that chips cannot represent (an `or` over more than words)
 * becomes one expression chip.
 */
export function addSearchExpression(
  items: readonly SearchChip[],
  key: string,
  expression: string,
  joiner: SearchWordOperator,
): SearchChip[] {
  const expressionItem: SearchChip = { key, value: expression, negation: joiner === 'not', isIgnoreEncode: true }
  const at = joiner === 'or' ? items.findLastIndex((item) => !item.negation) : -1
  const target = items[at]
  const joined = target
    ? items.with(at, { ...expressionItem, value: [compileSearchChips([target]), expression] })
    : [...items, ...(expressionItem.negation ? [expressionItem] : parseSearchChips(key, expression))]
  return parseSearchChips(key, compileSearchChips(joined))
}

export function removeSearchWord(items: readonly SearchChip[], itemIndex: number, wordIndex: number): SearchChip[] {
  const item = items[itemIndex]
  if (!item) return [...items]
  const remainingWords = getSearchChipWords(item).toSpliced(wordIndex, 1)
  return remainingWords.length === 0
    ? items.toSpliced(itemIndex, 1)
    : items.with(itemIndex, withWords(item, remainingWords))
}

export function removeLastSearchWord(items: readonly SearchChip[]): SearchChip[] {
  const lastItem = items.at(-1)
  return lastItem ? removeSearchWord(items, items.length - 1, getSearchChipWords(lastItem).length - 1) : []
}
