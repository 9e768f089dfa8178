import { CODE_TEXTS } from './problem.ts'

/** Thai text of each code that an answer may carry. A test asserts that every code the server sends stands here. */
export const PROBLEM_TEXTS = {
  ...CODE_TEXTS,
  bad_input: 'ข้อมูลที่ส่งมาไม่ถูกต้อง ตรวจสอบแล้วลองอีกครั้ง',
  login_failed: 'อีเมลหรือรหัสผ่านไม่ถูกต้อง',
  refkey_unknown: 'ลิงก์เข้าใช้งานนี้ใช้ไม่ได้แล้ว',
  reset_link_unknown: 'ลิงก์นี้ไม่ถูกต้อง ตรวจสอบว่าคัดลอกมาครบ หรือขอลิงก์ใหม่',
  reset_link_expired: 'ลิงก์นี้หมดอายุหรือมีลิงก์ใหม่กว่าแล้ว ใช้ลิงก์ล่าสุดในอีเมล หรือขอลิงก์ใหม่',
  reset_link_used: 'ลิงก์นี้ใช้ตั้งรหัสผ่านไปแล้ว เข้าสู่ระบบด้วยรหัสผ่านใหม่ หรือขอลิงก์ใหม่ถ้าไม่ใช่คุณ',
  forbidden: 'บัญชีของคุณไม่มีสิทธิ์ใช้ส่วนนี้',
  lists_locked: 'ระบบกำลังจับคู่โครงการรอบกลางคืน แก้ไขรายการติดตามได้อีกครั้งหลังช่วงเวลานี้',
  demo_read_only: 'โหมดทดลองใช้งานดูและลองผลได้ แต่บันทึกรายการติดตามไม่ได้ ติดต่อเราเพื่อทดลองใช้เต็มรูปแบบ',
  payload_too_large: 'ข้อมูลที่ส่งมามีขนาดใหญ่เกินไป',
  address_too_long: 'ตัวกรองหรือที่อยู่นี้ยาวเกินไป ลดจำนวนคำหรือเงื่อนไขแล้วลองอีกครั้ง',
  request_too_slow: 'ส่งข้อมูลมาช้าเกินไป ตรวจสอบการเชื่อมต่อแล้วลองอีกครั้ง',
  unsupported_media_type: 'ต้องส่งข้อมูลเป็น JSON',
  too_many_requests: 'ทำรายการถี่เกินไป รอสักครู่แล้วลองใหม่',
  unavailable: 'ระบบยังไม่พร้อมใช้งาน ลองใหม่ในอีกสักครู่',
  query_too_slow: 'ค้นหานานเกินไป เพิ่มตัวกรองให้แคบลงแล้วลองใหม่',
} as const
export type ProblemCode = keyof typeof PROBLEM_TEXTS
