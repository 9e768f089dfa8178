import type { DeadWebhookDeliveryReason, WebhookDeliveryAttempt } from '#contract/account/webhook.ts'

const FAULTS: Readonly<Record<string, string>> = {
  timeout: 'ไม่ตอบใน 15 วินาที',
  ECONNREFUSED: 'ปลายทางไม่เปิดรับ',
  ECONNRESET: 'ปลายทางตัดสาย',
  ENOTFOUND: 'ไม่พบชื่อปลายทาง',
  EAI_AGAIN: 'ถามชื่อปลายทางไม่ได้',
  CERT_HAS_EXPIRED: 'ใบรับรองของปลายทางหมดอายุ',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'ใบรับรองของปลายทางออกเอง',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'ตรวจใบรับรองของปลายทางไม่ได้',
  ERR_TLS_CERT_ALTNAME_INVALID: 'ใบรับรองเป็นของชื่ออื่น',
}

export function getWebhookDeliveryFaultText({
  status,
  fault,
}: Pick<WebhookDeliveryAttempt, 'status' | 'fault'>): string {
  if (status !== null) return `ตอบ ${status}`
  return fault === null ? '' : (FAULTS[fault] ?? fault)
}

export const DEAD_WEBHOOK_DELIVERY_TEXTS: Readonly<Record<DeadWebhookDeliveryReason, string>> = {
  expired: 'ลองครบสามวันแล้ว',
  gone: 'ปลายทางตอบว่าไม่รับอีก (410)',
  off: 'เว็บฮุกปิดอยู่ตอนที่จะส่ง',
  paused: 'เว็บฮุกพักอยู่',
  test: 'ส่งทดสอบไม่ถึง',
  view: 'มุมมองทีมที่เลือกไม่มีแล้ว',
  error: 'ตามงานส่งไม่ได้เอง แจ้งผู้ดูแลระบบ',
}
