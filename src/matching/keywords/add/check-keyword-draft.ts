import type { Keyword, KeywordListCode } from '#contract/account/organisation.ts'
import { findKeywordProblem, type KeywordProblemCode, toKeywordKey } from '#contract/matching/keyword.ts'
import { cleanPastedKeyword } from '#contract/matching/pasted-keywords.ts'
import { describeSearchNode, suggestSearchBrackets } from '#contract/search/describe-search-node.ts'
import { suggestSearchConversion } from '#contract/search/search-conversion.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { getKeywordProblemText } from '#src/matching/keywords/keyword-problem-text.ts'

export type KeywordDraftCheck =
  | { readonly state: 'empty' }
  | {
      readonly state: 'good'
      readonly form: string | undefined
      readonly echo: string | undefined
      /** For mixed operators, the expression with its implied brackets. */
      readonly hint: string | undefined
      /** Suggested correction: the word without list markers, or an expression for operators of other search boxes. */
      readonly offer: string | undefined
    }
  | {
      readonly state: 'wrong'
      readonly code: KeywordProblemCode
      readonly position: number | undefined
      readonly text: string
      /** True while the only problem of the word is that it is still too short. */
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

function suggestCorrection(list: KeywordListCode, word: string): string | undefined {
  const tidy = cleanPastedKeyword(list, word)
  if (tidy !== word && findKeywordProblem(list, tidy).ok) return tidy
  return list === 'include' || list === 'exclude' ? (suggestSearchConversion(word)?.expression ?? undefined) : undefined
}

export function checkKeywordDraft(
  list: KeywordListCode,
  typed: string,
  existing: readonly Keyword[],
): KeywordDraftCheck {
  const word = typed.trim()
  if (word === '') return { state: 'empty' }
  const checked = findKeywordProblem(list, word)
  if (!checked.ok) {
    const { code, position } = checked
    return {
      state: 'wrong',
      code,
      position: CODES_WITH_POSITION.includes(code) ? position : undefined,
      text: getKeywordProblemText(code),
      isBeginning: code === 'E_SHORT',
    }
  }
  const key = toKeywordKey(word)
  const duplicate = existing.find((keyword) => toKeywordKey(keyword.word) === key)
  if (duplicate) {
    const text =
      duplicate.word === word
        ? getKeywordProblemText('duplicate')
        : `${getKeywordProblemText('duplicate')} เขียนว่า “${duplicate.word}”`
    return { state: 'wrong', code: 'duplicate', position: undefined, text, isBeginning: false }
  }
  const isExpression = list === 'include' || list === 'exclude'
  const parsed = isExpression ? parseSearchExpression(word) : undefined
  const isPlain = !parsed?.ok || parsed.node.kind === 'term'
  const form = toNormalisedSearchText(word)
  return {
    state: 'good',
    form: isPlain && !word.includes('"') && form !== word ? form : undefined,
    echo: parsed?.ok && !isPlain ? describeSearchNode(parsed.node) : undefined,
    hint: isExpression ? (suggestSearchBrackets(word) ?? undefined) : undefined,
    offer: suggestCorrection(list, word),
  }
}
