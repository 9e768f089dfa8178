import { z } from 'zod/mini'
import type { CustomerConfig, KeywordList } from '../account/organisation.ts'
import { parseSearchExpression, SEARCH_LIMITS } from '../search/search-grammar.ts'
import { findOperator } from '../search/search-signs.ts'
import type { SearchErrorCode } from '../search/search-tokens.ts'
import { searchForm } from '../thai/thai-text.ts'

/** What `POST`, `PATCH` and `DELETE /organisations/me` say about watch lists (specification section 7), and what both sides know of a word. */

type ListFacts = {
  /** Name of the list in those bodies and in their errors (specification sections 7 and 8). */
  readonly payload: `${KeywordList}_keywords`
  readonly limit: Extract<keyof CustomerConfig, `limit_${string}`>
  readonly th: string
}
export const KEYWORD_LIST_FACTS: Readonly<Record<KeywordList, ListFacts>> = {
  include: { payload: 'include_keywords', limit: 'limit_include_by_name', th: 'คำที่ต้องมีในชื่อโครงการ' },
  exclude: { payload: 'exclude_keywords', limit: 'limit_exclude_by_name', th: 'คำที่ไม่รวม' },
  ai_include: { payload: 'ai_include_keywords', limit: 'limit_include_by_ai', th: 'คำใกล้เคียง (AI)' },
  ai_exclude: { payload: 'ai_exclude_keywords', limit: 'limit_exclude_by_ai', th: 'คำใกล้เคียงที่ไม่รวม (AI)' },
  deptsub_include: { payload: 'deptsub_include_keywords', limit: 'limit_include_by_deptsub', th: 'หน่วยงานที่ติดตาม' },
}

/** Longest word as typed; the grammar allows expressions of this length. */
export const MAX_KEYWORD_LENGTH = SEARCH_LIMITS.characters
/** Words in one request: a whole list can be pasted at once. */
export const MAX_KEYWORDS_PER_REQUEST = 500
export const MAX_GROUP_NAME = 60

/** What two spellings of the same word share: one list holds a word once. */
export function keywordKey(word: string): string {
  return searchForm(word)
}

/** Why a word cannot be in a list: grammar codes with their position, or one of ours. */
export const KEYWORD_PROBLEMS = [
  'duplicate',
  'repeated',
  'blacklisted',
  'limit',
  'unknown_department',
  'operator',
  'too_long',
] as const
export type KeywordProblemCode = SearchErrorCode | (typeof KEYWORD_PROBLEMS)[number]
/** Those that the word alone shows. */
type CheckedProblemCode = SearchErrorCode | 'operator' | 'too_long'

/** A word that keeps the rules of its list, or what is wrong and where (offset in the word). What only the server knows (limits, the blacklist) is not asked here. */
export function checkKeyword(
  list: KeywordList,
  word: string,
): { ok: true } | { ok: false; code: CheckedProblemCode; position: number } {
  const refuse = (code: CheckedProblemCode, position = 0) => ({ ok: false, code, position }) as const
  if (word.trim() === '') return refuse('E_EMPTY')
  if (list === 'include' || list === 'exclude') {
    const parsed = parseSearchExpression(word)
    if (!parsed.ok) return refuse(parsed.error.code, parsed.error.position)
    // One letter can become eighteen when it is normalised (U+FDFA), and an index takes 2,704 bytes.
    return keywordKey(word).length > MAX_KEYWORD_LENGTH ? refuse('too_long', 0) : { ok: true }
  }
  if (word.length > 200 || keywordKey(word).length > MAX_KEYWORD_LENGTH) return refuse('too_long', 200)
  if (list === 'deptsub_include') return { ok: true }
  // Words of the AI lists are plain (product 6.5): an operator in one is somebody who took the wrong list.
  const operator = findOperator(word)
  if (operator !== -1) return refuse('operator', operator)
  return keywordKey(word).length < SEARCH_LIMITS.termLength ? refuse('E_SHORT') : { ok: true }
}

/** What is wrong with one word of a request. `list` and `index` say where it stood. */
export const keywordProblemSchema = z.object({
  list: z.enum(['ai_include', 'ai_exclude', 'include', 'exclude', 'deptsub_include']),
  index: z.number(),
  word: z.string(),
  code: z.string(),
  position: z.number(),
  message: z.string(),
})
export type KeywordProblem = z.output<typeof keywordProblemSchema>

/**
 * 400 of these calls (specification section 8): `errors` holds a message under each list's payload name, `blacklisted_words` and
 * `invalid_brackets` the words concerned; `lines` says it word by word.
 */
export const keywordErrorsSchema = z.object({
  errors: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  non_field_errors: z.array(z.string()),
  lines: z.array(keywordProblemSchema),
})
export type KeywordErrors = z.output<typeof keywordErrorsSchema>

/** `POST /organisations/me/keywords/check` (body as for adding): what adding would say, word by word; nothing is stored. */
export const keywordCheckSchema = z.object({
  lines: z.array(keywordProblemSchema),
  /** Words that would be kept but wait for the operator (D11), by list and index, with the reason. */
  waiting: z.array(keywordProblemSchema),
  /** Include words that stand in none of the titles of the last 30 days: rare, or not written as titles write them. */
  silent: z.optional(z.array(keywordProblemSchema)),
})
export type KeywordCheck = z.output<typeof keywordCheckSchema>
