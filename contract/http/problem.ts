import { z } from 'zod/mini'

/**
 * Error answers of the API. 400/403/409/413/415/429/503: `non_field_errors` and field lists in Thai; 401, 404 and 5xx: `code`.
 * One table for the whole product: `docs/architecture.md` says when each status is used.
 */
export const problemSchema = z.object({
  code: z.optional(z.string()),
  /** Beside `code`, where a call answers a code and its text (specification section 7, reset). */
  error: z.optional(z.string()),
  non_field_errors: z.optional(z.array(z.string())),
  /** A list, or what is wrong by watch list (contract/keyword/keyword.ts). */
  errors: z.optional(z.union([z.array(z.string()), z.record(z.string(), z.unknown())])),
  request_id: z.optional(z.string()),
})
export type Problem = z.output<typeof problemSchema>

/**
 * The Thai texts of answers that carry a code and no text: all that a browser must know itself. The others arrive with the answer; apart
 * from them, /login stays small (contract/http/problem-texts.ts).
 */
export const CODE_TEXTS = {
  session_invalid: 'หมดเวลาใช้งาน เข้าสู่ระบบอีกครั้ง',
  not_found: 'ไม่พบข้อมูลที่ต้องการ',
  method_not_allowed: 'เรียกใช้ไม่ถูกวิธี',
  internal: 'เกิดข้อผิดพลาดในระบบ ลองใหม่อีกครั้ง',
} as const
