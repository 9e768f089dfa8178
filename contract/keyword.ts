import { z } from 'zod/mini'
import type { CustomerConfig, KeywordList } from './organisation.ts'
import { parseSearchExpression, SEARCH_LIMITS } from './search-grammar.ts'
import type { SearchErrorCode } from './search-tokens.ts'
import { searchForm } from './thai-text.ts'

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
  // Words of the AI lists are plain (product reference 6.5): an operator in one is somebody who took the wrong list.
  const operator = /##|\|\||<</.exec(word)
  if (operator) return refuse('operator', operator.index)
  return keywordKey(word).length < SEARCH_LIMITS.termLength ? refuse('E_SHORT') : { ok: true }
}

const wordSchema = z.string().check(z.maxLength(MAX_KEYWORD_LENGTH))
const groupIdSchema = z.optional(z.nullable(z.int()))
/** Name of the group to put the word into, made when it does not exist; wins over `group_id`. */
const groupNameSchema = z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_GROUP_NAME)))

const entriesOf = <T extends z.core.$ZodType>(entry: T) =>
  z.optional(z.array(entry).check(z.maxLength(MAX_KEYWORDS_PER_REQUEST)))
const listsOf = <T extends z.core.$ZodType>(entry: T) => ({
  ai_include_keywords: entriesOf(entry),
  ai_exclude_keywords: entriesOf(entry),
  include_keywords: entriesOf(entry),
  exclude_keywords: entriesOf(entry),
  deptsub_include_keywords: entriesOf(entry),
})

/** `POST /organisations/me`: adds words. All of them or, with the reasons by line, none. */
export const newKeywordSchema = z.object({
  word: wordSchema,
  group_id: groupIdSchema,
  group: groupNameSchema,
  /** AI lists: terms that were ticked or unticked before the word was saved. */
  approve: z.optional(z.array(z.string()).check(z.maxLength(200))),
  reject: z.optional(z.array(z.string()).check(z.maxLength(200))),
})
export type NewKeyword = z.output<typeof newKeywordSchema>
export const addKeywordsSchema = z.object(listsOf(newKeywordSchema))
export type AddKeywords = z.output<typeof addKeywordsSchema>

/** `DELETE /organisations/me` and `POST /organisations/me/keywords/remove`: by id, or by word where none is given. An empty body deletes nothing and is refused (C7); what is gone already is no error. */
export const oldKeywordSchema = z.object({
  id: z.optional(z.int()),
  word: z.optional(wordSchema),
  group_id: groupIdSchema,
})
export const removeKeywordsSchema = z.object(listsOf(oldKeywordSchema))
export type RemoveKeywords = z.output<typeof removeKeywordsSchema>

/** `POST /organisations/me/keywords/restore`: takes a deletion back, terms and all. */
export const restoreKeywordsSchema = z.object({
  ids: z.array(z.int()).check(z.minLength(1), z.maxLength(MAX_KEYWORDS_PER_REQUEST)),
})

/**
 * `PATCH /organisations/me`: the keywords named (by id) get this word and group; those that are not named stay as they are, so that two
 * people who edit at once lose nothing. Of `update_register_status` only `is_watchlist_completed: true` is taken (C25).
 */
export const changedKeywordSchema = z.object({
  id: z.int(),
  word: z.optional(wordSchema),
  group_id: groupIdSchema,
  group: groupNameSchema,
})
export const organisationPatchSchema = z.object({
  ...listsOf(changedKeywordSchema),
  search_by_name: z.optional(z.boolean()),
  search_by_ai: z.optional(z.boolean()),
  search_by_deptsub: z.optional(z.boolean()),
  update_register_status: z.optional(z.object({ is_watchlist_completed: z.literal(true) })),
  /** Names groups; a group without words disappears by itself. */
  keyword_groups: z.optional(
    z.array(z.object({ id: z.int(), name: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_GROUP_NAME)) })),
  ),
})
export type OrganisationPatch = z.output<typeof organisationPatchSchema>

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
})
export type KeywordCheck = z.output<typeof keywordCheckSchema>
