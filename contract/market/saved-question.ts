import { z } from 'zod/mini'
import { markIdSchema } from '../account/label.ts'

/**
 * Questions of the view ใครชนะ that a user keeps: filters, whose projects and the order of the companies, under a name. They come by mail on the first of each
 * month, and when a company won that never had before or the first three changed.
 */

/** Most that one user keeps: each is asked after every load. */
export const MOST_QUESTIONS = 20
export const MAX_QUESTION_NAME = 60
/** Up to so many companies a question knows who is new among its winners. */
export const MOST_KNOWN_WINNERS = 10_000
/** First companies whose change is told. */
export const LEADERS = 3

/** Why a question is not asked any more: a filter of it is refused, or it takes longer than a question may. */
export const QUESTION_PROBLEMS = [
  { code: 'refused', th: 'ตัวกรองของคำถามนี้ใช้ไม่ได้แล้ว เปิดคำถามเพื่อดูว่าตัวไหน แล้วบันทึกใหม่' },
  { code: 'heavy', th: 'คิดคำตอบไม่เสร็จในเวลาที่กำหนด ลองใหม่ หรือเพิ่มตัวกรองให้แคบลงแล้วบันทึกใหม่' },
] as const
export type QuestionProblem = (typeof QUESTION_PROBLEMS)[number]['code']

/** Parameters of the report's address (`questionAddress`). */
const address = z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(20_000)))
const told = { monthly: z.boolean(), on_change: z.boolean() }

export const savedQuestionSchema = z.object({
  id: z.string(),
  name: z.string(),
  address: z.record(z.string(), z.string()),
  ...told,
  problem: z.nullable(z.enum(QUESTION_PROBLEMS.map(({ code }) => code))),
  /** More companies won than are known one by one: only changes of the first three are told. */
  is_wide: z.boolean(),
})
export type SavedQuestion = z.output<typeof savedQuestionSchema>

/** `GET` and `PATCH /users/me/questions`. */
export const savedQuestionsSchema = z.object({
  /** The newest last. */
  questions: z.array(savedQuestionSchema),
  /** Whether news of them reach the bell, and the mail. */
  bell: z.boolean(),
  mail: z.boolean(),
})
export type SavedQuestions = z.output<typeof savedQuestionsSchema>

const name = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'ตั้งชื่อคำถาม'),
    z.maxLength(MAX_QUESTION_NAME, `ชื่อคำถามยาวได้ไม่เกิน ${MAX_QUESTION_NAME} ตัวอักษร`),
  )

/** `PATCH /users/me/questions`: says the wanted end state; what is not sent stays. `add` of what is there by this id is harmless. */
export const questionsPatchSchema = z.object({
  add: z.optional(z.object({ id: markIdSchema, name, address, ...told })),
  remove: z.optional(z.object({ id: markIdSchema })),
  /** `again`: asked again although it had a problem. */
  change: z.optional(
    z.object({
      id: markIdSchema,
      name: z.optional(name),
      monthly: z.optional(z.boolean()),
      on_change: z.optional(z.boolean()),
      again: z.optional(z.literal(true)),
    }),
  ),
  bell: z.optional(z.boolean()),
  mail: z.optional(z.boolean()),
})
export type QuestionsPatch = z.output<typeof questionsPatchSchema>

/** What a patch makes of it: the browser shows this before the server has answered. */
export function applyQuestionsPatch(before: SavedQuestions, patch: QuestionsPatch): SavedQuestions {
  const { add, remove, change } = patch
  let { questions } = before
  if (remove) questions = questions.filter(({ id }) => id !== remove.id)
  if (add && !questions.some(({ id }) => id === add.id))
    questions = [...questions, { ...add, problem: null, is_wide: false }]
  if (change)
    questions = questions.map((one) => {
      if (one.id !== change.id) return one
      const { name: named = one.name, monthly = one.monthly, on_change = one.on_change, again } = change
      return { ...one, name: named, monthly, on_change, problem: again ? null : one.problem }
    })
  return { questions, bell: patch.bell ?? before.bell, mail: patch.mail ?? before.mail }
}

/** The patch that takes `patch` back, given what was before it; undefined when it changed nothing that can be taken back. */
export function undoOfQuestionsPatch(before: SavedQuestions, patch: QuestionsPatch): QuestionsPatch | undefined {
  const { add, remove, change } = patch
  const of = (id: string) => before.questions.find((one) => one.id === id)
  if (add) return of(add.id) ? undefined : { remove: { id: add.id } }
  const was = of(remove?.id ?? change?.id ?? '')
  if (!was) return undefined
  const { id, name: named, address: asked, monthly, on_change } = was
  return remove
    ? { add: { id, name: named, address: asked, monthly, on_change } }
    : { change: { id, name: named, monthly, on_change } }
}
