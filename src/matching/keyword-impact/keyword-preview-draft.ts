import { useEffect, useState } from 'react'
import type { KeywordListCode } from '#contract/account/organisation.ts'
import { findKeywordProblem, type KeywordProblemCode } from '#contract/matching/keyword.ts'
import type { KeywordPreviewRequest } from '#contract/matching/keyword-requests.ts'
import { SEARCH_ERROR_TEXTS } from '#contract/search/search-errors.ts'
import { TEXT_DEBOUNCE_MS } from '#src/lib/use-debounced-text.ts'

export type KeywordPreviewDraft = {
  readonly list: KeywordListCode
  readonly word: string
  /** For AI lists: the terms to include; by default those that the engine accepts. */
  readonly terms?: readonly string[] | undefined
}

export function buildKeywordPreviewRequest(
  { list, word, terms }: KeywordPreviewDraft,
  excluded: readonly string[],
): KeywordPreviewRequest {
  const text = word.trim()
  const exclude = [...(list === 'exclude' ? [text] : []), ...excluded]
  const meaning = [{ word: text, ...(terms ? { terms: [...terms] } : {}) }]
  return {
    add: {
      ...(list === 'include' ? { include: [text] } : {}),
      ...(list === 'deptsub_include' ? { deptsub_include: [text] } : {}),
      ...(list === 'ai_include' ? { ai_include: meaning } : {}),
      ...(list === 'ai_exclude' ? { ai_exclude: meaning } : {}),
      ...(exclude.length > 0 ? { exclude } : {}),
    },
  }
}

const DRAFT_PROBLEM_TEXTS: Partial<Record<KeywordProblemCode, string>> = {
  operator: 'คำใกล้เคียงเป็นคำธรรมดา ใช้เครื่องหมาย ## || << ไม่ได้',
  too_long: 'คำยาวเกินไป',
}

export function findKeywordPreviewDraftProblem({ list, word }: KeywordPreviewDraft): string | undefined {
  const checked = findKeywordProblem(list, word)
  if (checked.ok) return undefined
  const texts: Readonly<Record<string, string>> = { ...SEARCH_ERROR_TEXTS, ...DRAFT_PROBLEM_TEXTS }
  return texts[checked.code] ?? 'คำนี้ยังอ่านไม่ได้'
}

export function useDebouncedKeywordPreviewDraft(draft: KeywordPreviewDraft): KeywordPreviewDraft {
  const [debounced, setDebounced] = useState(draft)
  const { list, word, terms } = draft
  const isSettled = debounced.list === list && debounced.word === word
  useEffect(() => {
    if (isSettled) return
    const timer = setTimeout(() => setDebounced({ list, word, terms }), TEXT_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [isSettled, list, word, terms])
  return isSettled ? draft : debounced
}
