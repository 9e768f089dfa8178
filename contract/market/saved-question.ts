import { z } from 'zod/mini'
import { clientGeneratedIdSchema } from '../account/label.ts'

/**
 * Limits, requests and responses of a user's saved ใครชนะ queries: filters, market and company ranking, with a name.
 * Results are emailed on the first of each month, and when a first-time winner appears or the top three change.
 */

export const MAX_SAVED_QUESTIONS = 20
const MAX_SAVED_QUESTION_NAME_LENGTH = 60
export const MAX_TRACKED_WINNERS = 10_000
export const SAVED_QUESTION_TOP_COMPANY_COUNT = 3

export const SAVED_QUESTION_PROBLEMS = [
  { code: 'refused', th: 'ตัวกรองของคำถามนี้ใช้ไม่ได้แล้ว เปิดคำถามเพื่อดูว่าตัวไหน แล้วบันทึกใหม่' },
  { code: 'heavy', th: 'คิดคำตอบไม่เสร็จในเวลาที่กำหนด ลองใหม่ หรือเพิ่มตัวกรองให้แคบลงแล้วบันทึกใหม่' },
] as const

const address = z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(20_000)))
const notifySettings = { monthly: z.boolean(), on_change: z.boolean() }

const savedQuestionSchema = z.object({
  id: z.string(),
  name: z.string(),
  address: z.record(z.string(), z.string()),
  ...notifySettings,
  problem: z.nullable(z.enum(SAVED_QUESTION_PROBLEMS.map(({ code }) => code))),
  /** True if there are too many winners to track individually; then only changes of the top three are reported. */
  is_wide: z.boolean(),
})
export type SavedQuestion = z.output<typeof savedQuestionSchema>

export const savedQuestionsSchema = z.object({
  questions: z.array(savedQuestionSchema),
  bell: z.boolean(),
  mail: z.boolean(),
})
export type SavedQuestions = z.output<typeof savedQuestionsSchema>

export const savedQuestionNameSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'ตั้งชื่อคำถาม'),
    z.maxLength(MAX_SAVED_QUESTION_NAME_LENGTH, `ชื่อคำถามยาวได้ไม่เกิน ${MAX_SAVED_QUESTION_NAME_LENGTH} ตัวอักษร`),
  )

/** `PATCH /users/me/questions` sets an end state; absent fields stay unchanged. Adding an existing id is a no-op. */
export const savedQuestionsPatchSchema = z.object({
  add: z.optional(z.object({ id: clientGeneratedIdSchema, name: savedQuestionNameSchema, address, ...notifySettings })),
  remove: z.optional(z.object({ id: clientGeneratedIdSchema })),
  /** Changes of a saved query; `again` retries a suspended one. */
  change: z.optional(
    z.object({
      id: clientGeneratedIdSchema,
      name: z.optional(savedQuestionNameSchema),
      monthly: z.optional(z.boolean()),
      on_change: z.optional(z.boolean()),
      again: z.optional(z.literal(true)),
    }),
  ),
  bell: z.optional(z.boolean()),
  mail: z.optional(z.boolean()),
})
export type SavedQuestionsPatch = z.output<typeof savedQuestionsPatchSchema>

export function applySavedQuestionsPatch(before: SavedQuestions, patch: SavedQuestionsPatch): SavedQuestions {
  const { add, remove, change } = patch
  let { questions } = before
  if (remove) questions = questions.filter(({ id }) => id !== remove.id)
  if (add && !questions.some(({ id }) => id === add.id))
    questions = [...questions, { ...add, problem: null, is_wide: false }]
  if (change)
    questions = questions.map((question) => {
      if (question.id !== change.id) return question
      const { name = question.name, monthly = question.monthly, on_change = question.on_change, again } = change
      return { ...question, name, monthly, on_change, problem: again ? null : question.problem }
    })
  return { questions, bell: patch.bell ?? before.bell, mail: patch.mail ?? before.mail }
}

export function invertSavedQuestionsPatch(
  before: SavedQuestions,
  patch: SavedQuestionsPatch,
): SavedQuestionsPatch | undefined {
  const { add, remove, change } = patch
  const findQuestion = (id: string) => before.questions.find((question) => question.id === id)
  if (add) return findQuestion(add.id) ? undefined : { remove: { id: add.id } }
  const original = findQuestion(remove?.id ?? change?.id ?? '')
  if (!original) return undefined
  const { id, name, monthly, on_change } = original
  return remove
    ? { add: { id, name, address: original.address, monthly, on_change } }
    : { change: { id, name, monthly, on_change } }
}
