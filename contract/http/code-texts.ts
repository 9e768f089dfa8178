/**
 * Thai texts of the responses that contain only a code. All others include their text and live in
 * contract/http/problem-texts.ts, so that /login stays small.
 */
export const CODE_TEXTS = {
  session_invalid: 'หมดเวลาใช้งาน เข้าสู่ระบบอีกครั้ง',
  not_found: 'ไม่พบข้อมูลที่ต้องการ',
  method_not_allowed: 'เรียกใช้ไม่ถูกวิธี',
  internal: 'เกิดข้อผิดพลาดในระบบ ลองใหม่อีกครั้ง',
} as const
