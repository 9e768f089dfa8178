/**
 * Thai messages for responses that contain only a code. Messages sent by the server itself are in
 * contract/http/problem-texts.ts, to keep the /login bundle small.
 */
export const ERROR_CODE_TEXTS = {
  session_invalid: 'หมดเวลาใช้งาน เข้าสู่ระบบอีกครั้ง',
  not_found: 'ไม่พบข้อมูลที่ต้องการ',
  method_not_allowed: 'เรียกใช้ไม่ถูกวิธี',
  internal: 'เกิดข้อผิดพลาดในระบบ ลองใหม่อีกครั้ง',
} as const
