import { isSameDisplayName } from '#contract/account/label.ts'
import { MAX_QUESTION_NAME_LENGTH, type SavedQuestion } from '#contract/market/saved-question.ts'

/**
 * Validates a question name, with the same messages as the server. `exceptId`: the question being renamed, whose name
 * is not a duplicate.
 */
export function questionNameProblem(
  name: string,
  questions: readonly SavedQuestion[],
  exceptId?: string,
): string | undefined {
  const trimmed = name.trim()
  if (trimmed === '') return 'ตั้งชื่อคำถาม'
  if (trimmed.length > MAX_QUESTION_NAME_LENGTH) return `ชื่อคำถามยาวได้ไม่เกิน ${MAX_QUESTION_NAME_LENGTH} ตัวอักษร`
  return questions.some((question) => question.id !== exceptId && isSameDisplayName(question.name, trimmed))
    ? 'มีคำถามชื่อนี้แล้ว ตั้งชื่ออื่น'
    : undefined
}
