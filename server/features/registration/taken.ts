import { StatementError } from '#server/engine/db.ts'
import { ProblemError } from '#server/route/problem.ts'

/** Field of the step in which it is typed, and what is said when it is somebody's already. */
const TAKEN = {
  email: 'อีเมลนี้มีบัญชีอยู่แล้ว เข้าสู่ระบบหรือตั้งรหัสผ่านใหม่ได้เลย',
  phone: 'เบอร์โทรศัพท์นี้มีผู้ใช้อยู่แล้ว',
  organization_name: 'ชื่อองค์กรนี้สมัครไว้แล้ว ขอให้ผู้ดูแลขององค์กรเพิ่มคุณเข้าใช้งาน',
} as const
type TakenField = keyof typeof TAKEN

/** 400 with the messages at their fields and in `errors` (specification section 8). */
export function takenProblem(fields: readonly TakenField[]): ProblemError {
  const errors = fields.map((field) => TAKEN[field])
  return new ProblemError('bad_input', {
    text: errors[0] ?? '',
    fields: { errors, ...Object.fromEntries(fields.map((field) => [field, [TAKEN[field]]])) },
  })
}

const INDEXES: Readonly<Record<string, TakenField>> = {
  users_email_key_key: 'email',
  users_by_phone: 'phone',
  organisations_by_name: 'organization_name',
}

/** The refusal behind a unique index that another registration was quicker to (R18); any other error as it is. */
export function asTaken(error: unknown): unknown {
  const field = error instanceof StatementError && error.code === '23505' ? INDEXES[error.constraint ?? ''] : undefined
  return field ? takenProblem([field]) : error
}
