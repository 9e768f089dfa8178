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
