import {
  KEYWORD_NOISE_THRESHOLDS,
  type KeywordNoiseLevel,
  type KeywordPreview,
} from '#contract/matching/keyword-impact.ts'
import { formatCount, groupDigits } from '#contract/thai/thai-number.ts'

export const KEYWORD_NOISE_LEVELS = {
  too_few: {
    name: 'น้อยเกินไป',
    advice: 'อาจพลาดงาน ลองเพิ่มคำ คำใกล้เคียง หรือหน่วยงาน',
    text: 'text-updated',
    background: 'bg-updated-soft',
  },
  good: { name: 'กำลังดี', advice: '', text: 'text-new', background: 'bg-new-soft' },
  many: {
    name: 'ค่อนข้างมาก',
    advice: 'ลองเพิ่มคำที่ไม่รวม หรือใช้คำที่แคบลง',
    text: 'text-updated',
    background: 'bg-updated-soft',
  },
  too_many: {
    name: 'มากเกินไป',
    advice: 'มากจนอ่านไม่ทัน เพิ่มคำที่ไม่รวม หรือใช้คำที่แคบลง',
    text: 'text-urgent',
    background: 'bg-urgent-soft',
  },
} as const satisfies Record<KeywordNoiseLevel, object>

export const KEYWORD_NOISE_THRESHOLD_RANGE_TEXT = `${KEYWORD_NOISE_THRESHOLDS.least}–${KEYWORD_NOISE_THRESHOLDS.most}`

export function formatProjectsPerDay(perWorkingDay: number): string {
  return perWorkingDay < 10 ? groupDigits(perWorkingDay, 0, 1) : formatCount(Math.round(perWorkingDay))
}

export function formatSignedCount(count: number): string {
  if (count === 0) return '0'
  return `${count > 0 ? '+' : '−'}${formatCount(Math.abs(count))}`
}

export function buildKeywordImpactAnnouncement({
  days,
  added,
  removed,
  after,
  per_working_day,
  level,
}: KeywordPreview): string {
  const changes = [
    added > 0 && `จะเพิ่ม ${formatCount(added)} โครงการ`,
    removed > 0 && `จะเอาออก ${formatCount(removed)} โครงการ`,
  ].filter((text) => text !== false)
  return [
    `${days} วันที่ผ่านมา`,
    changes.length === 0 ? 'รายงานไม่เปลี่ยน' : changes.join(' และ'),
    `รวมเป็น ${formatCount(after)} โครงการ`,
    `เฉลี่ยวันทำการละ ${formatProjectsPerDay(per_working_day)} ${KEYWORD_NOISE_LEVELS[level].name}`,
  ].join(' ')
}
