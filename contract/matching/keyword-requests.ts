import { z } from 'zod/mini'
import { MAX_GROUP_NAME, MAX_KEYWORD_LENGTH, MAX_KEYWORDS_PER_REQUEST } from './keyword.ts'
import { lessonOfNewWordSchema } from './lesson.ts'

/** `GET /organisations/starter-words?types=401,404`: words to begin with, by subtype (product 5.4, step 2). */
const starterGroupSchema = z.object({
  business_type_id: z.number(),
  /** Name of the group that the words go into. */
  name: z.string(),
  include: z.array(z.string()),
  /** Words by meaning; offered, never ticked ahead. */
  ai_include: z.array(z.string()),
  /** Frequent false friends of these words. */
  exclude: z.array(z.string()),
})
export const starterWordsSchema = z.object({ groups: z.array(starterGroupSchema) })
export type StarterGroup = z.output<typeof starterGroupSchema>

/**
 * Bodies of the calls about watch lists, which the server alone reads: checked numbers and lengths are the part of zod that no
 * first screen needs (1 kB gzip in the shell).
 */

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
  /** `ai_include`: what was taught before the word was saved. */
  lesson: z.optional(lessonOfNewWordSchema),
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
  /** Whether the word looks into public documents too; of `include_keywords` alone. */
  in_documents: z.optional(z.boolean()),
})
export const organisationPatchSchema = z.object({
  ...listsOf(changedKeywordSchema),
  search_by_name: z.optional(z.boolean()),
  search_by_ai: z.optional(z.boolean()),
  search_by_deptsub: z.optional(z.boolean()),
  update_register_status: z.optional(z.object({ is_watchlist_completed: z.literal(true) })),
  /** Renames groups. None needs to be deleted: a group goes with its last word. */
  keyword_groups: z.optional(
    z.array(z.object({ id: z.int(), name: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_GROUP_NAME)) })),
  ),
})
export type OrganisationPatch = z.output<typeof organisationPatchSchema>

const longestWord = z.string().check(z.maxLength(500))
const aiWordsSchema = z.optional(
  z
    .array(z.object({ word: longestWord, terms: z.optional(z.array(longestWord).check(z.maxLength(60))) }))
    .check(z.maxLength(20)),
)
const wordsSchema = z.optional(z.array(longestWord).check(z.maxLength(200)))

/**
 * `POST /organisations/me/keywords/preview`: what the report of the last 30 days would be with these words added and these keywords
 * removed. Nothing is stored. `terms`: for AI words the accepted terms, where the person has ticked some; else the automatic ones.
 */
export const previewRequestSchema = z.object({
  add: z.object({
    include: wordsSchema,
    exclude: wordsSchema,
    deptsub_include: wordsSchema,
    ai_include: aiWordsSchema,
    ai_exclude: aiWordsSchema,
  }),
  remove: z.optional(z.array(z.int()).check(z.maxLength(500))),
  /** Stored words of `include` that would look into public documents too. */
  in_documents: z.optional(z.array(z.int()).check(z.maxLength(20))),
  switches: z.optional(
    z.object({
      search_by_name: z.optional(z.boolean()),
      search_by_ai: z.optional(z.boolean()),
      search_by_deptsub: z.optional(z.boolean()),
    }),
  ),
})
export type PreviewRequest = z.output<typeof previewRequestSchema>

/** `POST /organisations/me/hidden/rescue` and `…/unrescue`: lets projects into the report although an exclusion word keeps them out, and takes that back. */
export const rescueSchema = z.object({ project_ids: z.array(z.string()).check(z.minLength(1), z.maxLength(200)) })
