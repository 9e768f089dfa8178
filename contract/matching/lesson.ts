import { z } from 'zod/mini'
import { MAX_TERMS } from './keyword-term.ts'

/**
 * Teaching an AI keyword by examples: a person says of about twenty titles whether they are about the keyword, and which terms act
 * follows from the answers (decision 0123).
 */

/** Answers after which the screen says that it is enough. One may go on, or stop before. */
export const LESSON_LENGTH = 20
/** Starred and hidden projects offered as answers at a time. */
export const MAX_MARKS = 50
/** Answers kept for a keyword. */
export const MAX_ANSWERS = 500

const lessonTitleSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  /** Terms of the keyword that stand in it. */
  terms: z.array(z.string()),
})
export type LessonTitle = z.output<typeof lessonTitleSchema>

const lessonAnswerSchema = z.object({ project_id: z.string(), name: z.string(), is_wanted: z.boolean() })
export type LessonAnswer = z.output<typeof lessonAnswerSchema>

const lessonFiguresSchema = z.object({
  /** Titles of a year that the terms find. */
  finds: z.number(),
  /** Of those, the share that is likely about the keyword, 0 to 1: what the answers and the engine's own closeness make of it. */
  right: z.number(),
})
export type LessonFigures = z.output<typeof lessonFiguresSchema>

/** A term that the answers turn: on, or off. */
const turnedTermSchema = z.object({
  term: z.string(),
  facet: z.number(),
  acts: z.boolean(),
  /** Titles of a year that it decides. */
  titles: z.number(),
})
export type TurnedTerm = z.output<typeof turnedTermSchema>

/** `GET /organisations/me/keywords/:id/lesson`. */
export const lessonSchema = z.object({
  /** 0 for a word that is not saved yet. */
  keyword_id: z.number(),
  word: z.string(),
  /** Newest first. */
  answers: z.array(lessonAnswerSchema),
  /** The title from which the most is learned; null when none is left to ask. */
  next: z.nullable(lessonTitleSchema),
  /** What will be asked after a yes and after a no to it, so that it stands there at once. */
  after_yes: z.nullable(lessonTitleSchema),
  after_no: z.nullable(lessonTitleSchema),
  /**
   * What the asker starred (wanted) or hid (not wanted) among the projects that this keyword alone brought into the report and nothing was said of yet, newest
   * marks first: answers, as soon as the person takes them over.
   */
  marks: z.array(lessonAnswerSchema),
  /** By the terms in force. */
  now: lessonFiguresSchema,
  /** By the terms that follow from the answers. */
  taught: lessonFiguresSchema,
  /** What would change in the terms in force. */
  turned: z.array(turnedTermSchema),
  /** Terms in force because of answers. */
  in_force: z.number(),
  /** Which part of a year's titles was read: below 1 counts are what those make likely. */
  share: z.number(),
})
export type Lesson = z.output<typeof lessonSchema>

/**
 * `POST /organisations/me/keywords/:id/lesson`: answers, of which the last one about a project counts; null takes one back. Answers the
 * lesson after them. Terms stay as they are until they are taken over.
 */
export const answerLessonSchema = z.object({
  answers: z
    .array(
      z.object({
        project_id: z.string().check(z.minLength(1), z.maxLength(40)),
        is_wanted: z.nullable(z.boolean()),
      }),
    )
    .check(z.minLength(1), z.maxLength(MAX_ANSWERS)),
})
export type AnswerLesson = z.output<typeof answerLessonSchema>

/** `PUT /organisations/me/keywords/:id/lesson/terms`: takes over the terms that follow from the answers, or forgets those that were. */
export const takeLessonSchema = z.object({ in_force: z.boolean() })

const projectIdSchema = z.string().check(z.minLength(1), z.maxLength(40))
const saidSchema = z
  .array(z.object({ project_id: projectIdSchema, is_wanted: z.boolean() }))
  .check(z.maxLength(MAX_ANSWERS))
const wordsSchema = z.optional(z.array(z.string()).check(z.maxLength(200)))

/**
 * `POST /organisations/me/keywords/lesson`: the lesson of a word that is not saved yet, with what was ticked and said of titles so far, oldest
 * first. Nothing is stored.
 */
export const draftLessonSchema = z.object({
  word: z.string().check(z.minLength(1), z.maxLength(200)),
  approve: wordsSchema,
  reject: wordsSchema,
  answers: saidSchema,
})
export type DraftLesson = z.output<typeof draftLessonSchema>

/** What an AI word that lets projects in brings along when it is saved: answers, and terms that were turned by them. */
export const lessonOfNewWordSchema = z.object({
  answers: saidSchema,
  turned: z
    .array(z.object({ term: z.string().check(z.maxLength(200)), facet: z.int(), acts: z.boolean() }))
    .check(z.maxLength(4 * MAX_TERMS)),
})
export type LessonOfNewWord = z.output<typeof lessonOfNewWordSchema>
