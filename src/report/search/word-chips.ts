import { compileSearchItems, parseSearchItems, type SearchItem } from '#contract/search/search-items.ts'

export type SearchWordOperator = 'and' | 'or' | 'not'
export const SEARCH_WORD_OPERATORS: readonly { readonly code: SearchWordOperator; readonly th: string }[] = [
  { code: 'and', th: 'และ' },
  { code: 'or', th: 'หรือ' },
  { code: 'not', th: 'ไม่เอา' },
]

export const getSearchChipWords = (item: SearchItem): readonly string[] =>
  typeof item.value === 'string' ? [item.value] : item.value

const withWords = (item: SearchItem, words: readonly string[]): SearchItem => ({
  ...item,
  value: words.length === 1 ? words[0]! : words,
})

const canJoin = (item: SearchItem | undefined, negation: boolean): item is SearchItem =>
  item !== undefined && item.negation === negation && !item.isIgnoreEncode

/**
 * Adds a word. `or` adds it as an alternative to the last positive chip, `not` to the excluded words; `and`, or nothing
 * to join it to, creates a new chip. Duplicates within a chip are ignored.
 */
export function addSearchWord(
  items: readonly SearchItem[],
  key: string,
  word: string,
  joiner: SearchWordOperator,
): SearchItem[] {
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
  const added: SearchItem = { key, value: text, negation }
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
  items: readonly SearchItem[],
  key: string,
  expression: string,
  joiner: SearchWordOperator,
): SearchItem[] {
  const expressionItem: SearchItem = { key, value: expression, negation: joiner === 'not', isIgnoreEncode: true }
  const at = joiner === 'or' ? items.findLastIndex((item) => !item.negation) : -1
  const target = items[at]
  const joined = target
    ? items.with(at, { ...expressionItem, value: [compileSearchItems([target]), expression] })
    : [...items, ...(expressionItem.negation ? [expressionItem] : parseSearchItems(key, expression))]
  return parseSearchItems(key, compileSearchItems(joined))
}

export function removeSearchWord(items: readonly SearchItem[], itemIndex: number, wordIndex: number): SearchItem[] {
  const item = items[itemIndex]
  if (!item) return [...items]
  const remainingWords = getSearchChipWords(item).toSpliced(wordIndex, 1)
  return remainingWords.length === 0
    ? items.toSpliced(itemIndex, 1)
    : items.with(itemIndex, withWords(item, remainingWords))
}

export function removeLastSearchWord(items: readonly SearchItem[]): SearchItem[] {
  const lastItem = items.at(-1)
  return lastItem ? removeSearchWord(items, items.length - 1, getSearchChipWords(lastItem).length - 1) : []
}
