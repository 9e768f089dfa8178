import { sameName } from '#contract/account/label.ts'
import { MAX_QUESTION_NAME, type SavedQuestion } from '#contract/market/saved-question.ts'

/** Messages match the server's. `ownId`: the question being renamed. */
export function questionNameProblem(
  name: string,
  questions: readonly SavedQuestion[],
  ownId?: string,
): string | undefined {
  const trimmed = name.trim()
  if (trimmed === '') return 'ตั้งชื่อคำถาม'
  if (trimmed.length > MAX_QUESTION_NAME) return `ชื่อคำถามยาวได้ไม่เกิน ${MAX_QUESTION_NAME} ตัวอักษร`
  return questions.some((one) => one.id !== ownId && sameName(one.name, trimmed)) ? 'มีคำถามชื่อนี้แล้ว ตั้งชื่ออื่น' : undefined
}
