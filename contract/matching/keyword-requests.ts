import { z } from 'zod/mini'
import { keywordGroupNameSchema } from './group-name.ts'
import { MAX_KEYWORD_LENGTH, MAX_KEYWORDS_PER_REQUEST } from './keyword.ts'
import { newKeywordTrainingSchema } from './keyword-training.ts'

/** `GET /organisations/starter-words?types=401,404`: suggested words by business subtype (product 5.4, step 2). */
const starterGroupSchema = z.object({
  business_type_id: z.number(),
  name: z.string(),
  include: z.array(z.string()),
  /** Words matched by meaning; the client offers them but never preselects them. */
  ai_include: z.array(z.string()),
  exclude: z.array(z.string()),
})
export const starterKeywordsSchema = z.object({ groups: z.array(starterGroupSchema) })
export type StarterKeywordGroup = z.output<typeof starterGroupSchema>

/**
 * Request bodies for watch lists. Only the server imports them: number and length checks are a part of zod that the
 * first screen does not need (1 kB gzip).
 */

const wordSchema = z.string().check(z.maxLength(MAX_KEYWORD_LENGTH))
const groupIdSchema = z.optional(z.nullable(z.int()))
/** Name of the word's group, which is created if missing; takes precedence over `group_id`. */
const groupNameSchema = z.optional(keywordGroupNameSchema)

const entriesOf = <T extends z.core.$ZodType>(entry: T) =>
  z.optional(z.array(entry).check(z.maxLength(MAX_KEYWORDS_PER_REQUEST)))
const listsOf = <T extends z.core.$ZodType>(entry: T) => ({
  ai_include_keywords: entriesOf(entry),
  ai_exclude_keywords: entriesOf(entry),
  include_keywords: entriesOf(entry),
  exclude_keywords: entriesOf(entry),
  deptsub_include_keywords: entriesOf(entry),
})

/** `POST /organisations/me`: adds either all words or none. If none, the response lists the reasons by line. */
const newKeywordSchema = z.object({
  word: wordSchema,
  group_id: groupIdSchema,
  group: groupNameSchema,
  approve: z.optional(z.array(z.string()).check(z.maxLength(200))),
  reject: z.optional(z.array(z.string()).check(z.maxLength(200))),
  lesson: z.optional(newKeywordTrainingSchema),
})
export type NewKeyword = z.output<typeof newKeywordSchema>
export const addKeywordsRequestSchema = z.object(listsOf(newKeywordSchema))
export type AddKeywordsRequest = z.output<typeof addKeywordsRequestSchema>

/**
 * `DELETE /organisations/me` and `POST /organisations/me/keywords/remove`. Each keyword is given by id, or by word if
 * it has no id. An empty body is rejected (C7); a missing word is not an error.
 */
const removedKeywordSchema = z.object({
  id: z.optional(z.int()),
  word: z.optional(wordSchema),
  group_id: groupIdSchema,
})
export const removeKeywordsRequestSchema = z.object(listsOf(removedKeywordSchema))
export type RemoveKeywordsRequest = z.output<typeof removeKeywordsRequestSchema>

export const restoreKeywordsRequestSchema = z.object({
  ids: z.array(z.int()).check(z.minLength(1), z.maxLength(MAX_KEYWORDS_PER_REQUEST)),
})

/**
 * `PATCH /organisations/me`: changes word and group of the listed keywords (by id); others stay unchanged, so that
 * concurrent edits are not lost. `update_register_status` accepts only `is_watchlist_completed: true` (C25).
 */
const keywordPatchSchema = z.object({
  id: z.int(),
  word: z.optional(wordSchema),
  group_id: groupIdSchema,
  group: groupNameSchema,
  in_documents: z.optional(z.boolean()),
})
export const organisationPatchSchema = z.object({
  ...listsOf(keywordPatchSchema),
  search_by_name: z.optional(z.boolean()),
  search_by_ai: z.optional(z.boolean()),
  search_by_deptsub: z.optional(z.boolean()),
  update_register_status: z.optional(z.object({ is_watchlist_completed: z.literal(true) })),
  /** Renames groups. There is no deletion, because empty groups are removed automatically. */
  keyword_groups: z.optional(z.array(z.object({ id: z.int(), name: keywordGroupNameSchema }))),
})
export type OrganisationPatch = z.output<typeof organisationPatchSchema>

const previewWordSchema = z.string().check(z.maxLength(500))
const aiWordsSchema = z.optional(
  z
    .array(z.object({ word: previewWordSchema, terms: z.optional(z.array(previewWordSchema).check(z.maxLength(60))) }))
    .check(z.maxLength(20)),
)
const wordsSchema = z.optional(z.array(previewWordSchema).check(z.maxLength(200)))

/**
 * `POST /organisations/me/keywords/preview`: the report of the last 30 days with these words added and these keywords
 * removed. Stores nothing. `terms` of AI words are the selected ones, else the automatic ones.
 */
export const keywordPreviewRequestSchema = z.object({
  add: z.object({
    include: wordsSchema,
    exclude: wordsSchema,
    deptsub_include: wordsSchema,
    ai_include: aiWordsSchema,
    ai_exclude: aiWordsSchema,
  }),
  remove: z.optional(z.array(z.int()).check(z.maxLength(500))),
  in_documents: z.optional(z.array(z.int()).check(z.maxLength(20))),
  switches: z.optional(
    z.object({
      search_by_name: z.optional(z.boolean()),
      search_by_ai: z.optional(z.boolean()),
      search_by_deptsub: z.optional(z.boolean()),
    }),
  ),
})
export type KeywordPreviewRequest = z.output<typeof keywordPreviewRequestSchema>

/** `POST /organisations/me/hidden/rescue` shows projects despite exclusion words; `…/unrescue` reverts that. */
export const exclusionExemptionRequestSchema = z.object({
  project_ids: z.array(z.string()).check(z.minLength(1), z.maxLength(200)),
})
