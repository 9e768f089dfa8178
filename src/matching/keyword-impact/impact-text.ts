import { type KeywordPreview, NOISE_THRESHOLDS, type NoiseLevel } from '#contract/matching/keyword-impact.ts'
import { groupDigits } from '#contract/thai/thai-number.ts'
import { countText } from '#src/lib/figure-text.ts'

export const NOISE_LABELS: Readonly<Record<NoiseLevel, string>> = {
  too_few: 'น้อยเกินไป',
  good: 'กำลังดี',
  many: 'ค่อนข้างมาก',
  too_many: 'มากเกินไป',
}

export const NOISE_ADVICE: Readonly<Record<NoiseLevel, string>> = {
  too_few: 'อาจพลาดงาน ลองเพิ่มคำ คำใกล้เคียง หรือหน่วยงาน',
  good: 'อ่านครบได้ทุกวัน',
  many: 'ลองเพิ่มคำที่ไม่รวม หรือใช้คำที่แคบลง',
  too_many: 'มากจนอ่านไม่ทัน เพิ่มคำที่ไม่รวม หรือใช้คำที่แคบลง',
}

export const NOISE_BAND_TEXT = `${NOISE_THRESHOLDS.least}–${NOISE_THRESHOLDS.most}`

/** Formats projects per working day: `2.4`; rounded to a whole number from ten on. */
export function perDayText(perWorkingDay: number): string {
  return perWorkingDay < 10 ? groupDigits(perWorkingDay, 0, 1) : countText(Math.round(perWorkingDay))
}

export function signedCountText(count: number): string {
  if (count === 0) return '0'
  return `${count > 0 ? '+' : '−'}${countText(Math.abs(count))}`
}

export function impactAnnouncement({ days, added, removed, after, per_working_day, level }: KeywordPreview): string {
  const changes = [
    added > 0 && `จะเพิ่ม ${countText(added)} โครงการ`,
    removed > 0 && `จะเอาออก ${countText(removed)} โครงการ`,
  ].filter((text) => text !== false)
  return [
    `${days} วันที่ผ่านมา`,
    changes.length === 0 ? 'รายงานไม่เปลี่ยน' : changes.join(' และ'),
    `รวมเป็น ${countText(after)} โครงการ`,
    `เฉลี่ยวันทำการละ ${perDayText(per_working_day)} ${NOISE_LABELS[level]}`,
  ].join(' ')
}
