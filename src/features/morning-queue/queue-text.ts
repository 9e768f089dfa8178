import type { QueueKind } from '#contract/report/morning-queue.ts'
import { countText } from '#src/lib/money-text.ts'

export const QUEUE_TITLE = 'ไล่ดูรายการเช้านี้'

/** What a section is called, beside the others. */
export const QUEUE_KIND_LABELS: Readonly<Record<QueueKind, string>> = {
  new: 'ใหม่',
  updated: 'อัปเดต',
  closing: 'ใกล้ครบกำหนด',
}

export const KIND_DOTS: Readonly<Record<QueueKind, string>> = {
  new: 'bg-new',
  updated: 'bg-updated',
  closing: 'bg-urgent',
}

/** Time spent, and what the rest takes at this pace once there is one. */
export function timeSpentText(spentMs: number, done: number, left: number): string {
  const minutes = Math.floor(spentMs / 60_000)
  const spent = minutes === 0 ? 'ไม่ถึงนาที' : `ใช้ไป ${countText(minutes)} นาที`
  // Three projects make a pace; before that it is a guess.
  if (done < 3 || left === 0) return spent
  return `${spent} · เหลือราว ${countText(Math.max(1, Math.ceil((spentMs / done) * (left / 60_000))))} นาที`
}
