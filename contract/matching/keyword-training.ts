import { z } from 'zod/mini'
import { MAX_TERMS_PER_KEYWORD } from './keyword-term.ts'

/**
 * Training an AI keyword by examples: a user classifies about twenty titles, and the answers decide which terms are
 * active (decision 0123).
 */

/** Number of answers after which the screen suggests stopping; the user can stop earlier or continue. */
export const SUGGESTED_KEYWORD_TRAINING_ANSWERS = 20
export const MAX_KEYWORD_TRAINING_MARKS = 50
export const MAX_KEYWORD_TRAINING_ANSWERS = 500

const lessonTitleSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  terms: z.array(z.string()),
})
export type KeywordTrainingTitle = z.output<typeof lessonTitleSchema>

const lessonAnswerSchema = z.object({ project_id: z.string(), name: z.string(), is_wanted: z.boolean() })
export type KeywordTrainingAnswerValue = z.output<typeof lessonAnswerSchema>

const lessonFiguresSchema = z.object({
  finds: z.number(),
  /**
   * Estimated share of relevant titles among the titles counted here, 0 to 1, from the answers and the engine's
   * similarity.
   */
  right: z.number(),
})

const changedTermSchema = z.object({
  term: z.string(),
  facet: z.number(),
  acts: z.boolean(),
  /** Number of titles in a year whose match depends on the term. */
  titles: z.number(),
})

export const keywordTrainingSchema = z.object({
  /** Id of the keyword; 0 for an unsaved word. */
  keyword_id: z.number(),
  word: z.string(),
  answers: z.array(lessonAnswerSchema),
  next: z.nullable(lessonTitleSchema),
  after_yes: z.nullable(lessonTitleSchema),
  after_no: z.nullable(lessonTitleSchema),
  /**
   * The user's starred (relevant) and hidden (irrelevant) projects that only this keyword matched and that have no
   * answer yet, newest first. They become answers once the user accepts them.
   */
  marks: z.array(lessonAnswerSchema),
  now: lessonFiguresSchema,
  taught: lessonFiguresSchema,
  turned: z.array(changedTermSchema),
  in_force: z.number(),
  /** Share of the year's titles that was evaluated; below 1 the counts are extrapolated. */
  share: z.number(),
})
export type KeywordTraining = z.output<typeof keywordTrainingSchema>

/**
 * `POST /organisations/me/keywords/:id/lesson`. The last answer per project counts; null removes it. Returns the
 * updated lesson. Terms do not change until the lesson is applied.
 */
export const keywordTrainingAnswersRequestSchema = z.object({
  answers: z
    .array(
      z.object({
        project_id: z.string().check(z.minLength(1), z.maxLength(40)),
        is_wanted: z.nullable(z.boolean()),
      }),
    )
    .check(z.minLength(1), z.maxLength(MAX_KEYWORD_TRAINING_ANSWERS)),
})
export type KeywordTrainingAnswersRequest = z.output<typeof keywordTrainingAnswersRequestSchema>

/**
 * `PUT /organisations/me/keywords/:id/lesson/terms`: applies the terms that result from the answers, or discards them.
 */
export const keywordTrainingActivationSchema = z.object({ in_force: z.boolean() })

const projectIdSchema = z.string().check(z.minLength(1), z.maxLength(40))
const saidSchema = z
  .array(z.object({ project_id: projectIdSchema, is_wanted: z.boolean() }))
  .check(z.maxLength(MAX_KEYWORD_TRAINING_ANSWERS))
const wordsSchema = z.optional(z.array(z.string()).check(z.maxLength(200)))

/**
 * `POST /organisations/me/keywords/lesson`: lesson of an unsaved word, given the term selections and answers so far,
 * oldest first. Stores nothing.
 */
export const draftKeywordTrainingRequestSchema = z.object({
  word: z.string().check(z.minLength(1), z.maxLength(200)),
  approve: wordsSchema,
  reject: wordsSchema,
  answers: saidSchema,
})
export type DraftKeywordTrainingRequest = z.output<typeof draftKeywordTrainingRequestSchema>

export const newKeywordTrainingSchema = z.object({
  answers: saidSchema,
  turned: z
    .array(z.object({ term: z.string().check(z.maxLength(200)), facet: z.int(), acts: z.boolean() }))
    .check(z.maxLength(4 * MAX_TERMS_PER_KEYWORD)),
})
export type NewKeywordTraining = z.output<typeof newKeywordTrainingSchema>
