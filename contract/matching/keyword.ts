import { z } from 'zod/mini'
import { type CustomerConfig, KEYWORD_LIST_CODES, type KeywordListCode } from '../account/organisation.ts'
import { findSearchOperator } from '../search/search-characters.ts'
import { parseSearchExpression, SEARCH_LIMITS } from '../search/search-grammar.ts'
import type { SearchErrorCode } from '../search/search-tokens.ts'
import { toNormalisedSearchText } from '../thai/thai-text.ts'

/**
 * Shared rules and responses of `POST`, `PATCH` and `DELETE /organisations/me` for watch lists (specification section
 * 7).
 */

type ListFacts = {
  /** Name of the list in request bodies and error responses (specification sections 7 and 8). */
  readonly payload: `${KeywordListCode}_keywords`
  readonly limit: Extract<keyof CustomerConfig, `limit_${string}`>
  readonly th: string
}
export const KEYWORD_LIST_RULES: Readonly<Record<KeywordListCode, ListFacts>> = {
  include: { payload: 'include_keywords', limit: 'limit_include_by_name', th: 'คำที่ต้องมีในชื่อโครงการ' },
  exclude: { payload: 'exclude_keywords', limit: 'limit_exclude_by_name', th: 'คำที่ไม่รวม' },
  ai_include: { payload: 'ai_include_keywords', limit: 'limit_include_by_ai', th: 'คำใกล้เคียง (AI)' },
  ai_exclude: { payload: 'ai_exclude_keywords', limit: 'limit_exclude_by_ai', th: 'คำใกล้เคียงที่ไม่รวม (AI)' },
  deptsub_include: { payload: 'deptsub_include_keywords', limit: 'limit_include_by_deptsub', th: 'หน่วยงานที่ติดตาม' },
}

export const MAX_KEYWORD_LENGTH = SEARCH_LIMITS.characters
/** Limit, in letters, of AI words and department names, which are not parsed as expressions. */
const MAX_PLAIN_KEYWORD_LENGTH = 200
export const MAX_KEYWORDS_PER_REQUEST = 500
export const MAX_KEYWORD_GROUP_NAME_LENGTH = 60

export function toKeywordKey(word: string): string {
  return toNormalisedSearchText(word)
}

type CheckedProblemCode = SearchErrorCode | 'operator' | 'too_long'
export type KeywordProblemCode =
  | CheckedProblemCode
  | 'duplicate'
  | 'repeated'
  | 'blacklisted'
  | 'limit'
  | 'unknown_department'

/**
 * Checks a word against the rules of its list and returns the problem with its offset. Server-side rules (limits, the
 * blacklist) are not included.
 */
export function findKeywordProblem(
  list: KeywordListCode,
  word: string,
): { ok: true } | { ok: false; code: CheckedProblemCode; position: number } {
  const refuse = (code: CheckedProblemCode, position = 0) => ({ ok: false, code, position }) as const
  if (word.trim() === '') return refuse('E_EMPTY')
  if (list === 'include' || list === 'exclude') {
    const parsed = parseSearchExpression(word)
    if (!parsed.ok) return refuse(parsed.error.code, parsed.error.position)
    // Normalisation can expand one letter to eighteen (U+FDFA), and an index entry is limited to 2,704 bytes.
    return toKeywordKey(word).length > MAX_KEYWORD_LENGTH ? refuse('too_long') : { ok: true }
  }
  if (word.length > MAX_PLAIN_KEYWORD_LENGTH || toKeywordKey(word).length > MAX_KEYWORD_LENGTH)
    return refuse('too_long', MAX_PLAIN_KEYWORD_LENGTH)
  if (list === 'deptsub_include') return { ok: true }
  // AI lists contain plain words (product 6.5), so an operator means that the user chose the wrong list.
  const operator = findSearchOperator(word)
  if (operator !== -1) return refuse('operator', operator)
  return toKeywordKey(word).length < SEARCH_LIMITS.termLength ? refuse('E_SHORT') : { ok: true }
}

const keywordProblemSchema = z.object({
  list: z.enum(KEYWORD_LIST_CODES),
  index: z.number(),
  word: z.string(),
  code: z.string(),
  position: z.number(),
  message: z.string(),
})
export type KeywordProblem = z.output<typeof keywordProblemSchema>

/**
 * 400 response (specification section 8): `errors` has a message per payload list name, `blacklisted_words` and
 * `invalid_brackets` the affected words; `lines` has the details per word.
 */
export const keywordErrorsSchema = z.object({
  errors: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  non_field_errors: z.array(z.string()),
  lines: z.array(keywordProblemSchema),
})
export type KeywordErrors = z.output<typeof keywordErrorsSchema>

/** `POST /organisations/me/keywords/check` (same body as adding): validates without storing. */
export const keywordCheckSchema = z.object({
  lines: z.array(keywordProblemSchema),
  /** Words that need the operator's approval (D11), by list and index, with the reason. */
  waiting: z.array(keywordProblemSchema),
  /** Include words that match no title of the last 30 days: they are rare, or titles spell them differently. */
  silent: z.optional(z.array(keywordProblemSchema)),
})
export type KeywordCheck = z.output<typeof keywordCheckSchema>
