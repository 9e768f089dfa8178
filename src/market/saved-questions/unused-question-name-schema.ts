import { z } from 'zod/mini'
import { isSameDisplayName } from '#contract/account/label.ts'
import { type SavedQuestion, savedQuestionNameSchema } from '#contract/market/saved-question.ts'

/** Schema for an unused name. `exceptId` is the question being renamed, whose own name is allowed. */
export const createUniqueSavedQuestionNameSchema = (questions: readonly SavedQuestion[], exceptId?: string) =>
  savedQuestionNameSchema.check(
    z.refine(
      (name) => !questions.some((question) => question.id !== exceptId && isSameDisplayName(question.name, name)),
      'มีคำถามชื่อนี้แล้ว ตั้งชื่ออื่น',
    ),
  )
