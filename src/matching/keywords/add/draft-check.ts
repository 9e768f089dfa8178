import type { Keyword, KeywordList } from '#contract/account/organisation.ts'
import { checkKeyword, type KeywordProblemCode, keywordKey } from '#contract/matching/keyword.ts'
import { tidyWord } from '#contract/matching/pasted-words.ts'
import { suggestConversion } from '#contract/search/search-conversion.ts'
import { bracketHint, echoSearch } from '#contract/search/search-echo.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { problemText } from '#src/matching/keywords/problem-text.ts'

export type DraftCheck =
  | { readonly state: 'empty' }
  | {
      readonly state: 'good'
      readonly form: string | undefined
      readonly echo: string | undefined
      /** The expression with its implied brackets, where operators are mixed. */
      readonly hint: string | undefined
      /** Suggested correction: the word without list markers, or an expression for operators of other search boxes. */
      readonly offer: string | undefined
    }
  | {
      readonly state: 'wrong'
      readonly code: KeywordProblemCode
      readonly position: number | undefined
      readonly text: string
      /** True while the word is only too short so far. */
      readonly isBeginning: boolean
    }

const CODES_WITH_POSITION: readonly KeywordProblemCode[] = [
  'E_BRACKET',
  'E_OPERAND',
  'E_OPERATOR',
  'E_QUOTE',
  'E_DEPTH',
  'operator',
]

function suggestCorrection(list: KeywordList, word: string): string | undefined {
  const tidy = tidyWord(list, word)
  if (tidy !== word && checkKeyword(list, tidy).ok) return tidy
  return list === 'include' || list === 'exclude' ? (suggestConversion(word)?.expression ?? undefined) : undefined
}

export function checkDraft(list: KeywordList, typed: string, existing: readonly Keyword[]): DraftCheck {
  const word = typed.trim()
  if (word === '') return { state: 'empty' }
  const checked = checkKeyword(list, word)
  if (!checked.ok) {
    const { code, position } = checked
    return {
      state: 'wrong',
      code,
      position: CODES_WITH_POSITION.includes(code) ? position : undefined,
      text: problemText(code),
      isBeginning: code === 'E_SHORT',
    }
  }
  const key = keywordKey(word)
  const duplicate = existing.find((keyword) => keywordKey(keyword.word) === key)
  if (duplicate) {
    const text =
      duplicate.word === word ? problemText('duplicate') : `${problemText('duplicate')} เขียนว่า “${duplicate.word}”`
    return { state: 'wrong', code: 'duplicate', position: undefined, text, isBeginning: false }
  }
  const isExpression = list === 'include' || list === 'exclude'
  const parsed = isExpression ? parseSearchExpression(word) : undefined
  const isPlain = !parsed?.ok || parsed.node.kind === 'term'
  const form = searchForm(word)
  return {
    state: 'good',
    form: isPlain && !word.includes('"') && form !== word ? form : undefined,
    echo: parsed?.ok && !isPlain ? echoSearch(parsed.node) : undefined,
    hint: isExpression ? (bracketHint(word) ?? undefined) : undefined,
    offer: suggestCorrection(list, word),
  }
}
