import { THAI_MONTHS } from '../thai/thai-date.ts'
import { formatBahtCompact, formatCount } from '../thai/thai-number.ts'
import {
  UNUSUAL_AWARD_PATTERN_THRESHOLDS,
  type UnusualAwardPattern,
  type UnusualAwardPatternCode,
} from './unusual-award-patterns.ts'

const percent = (share: number | null) => (share === null ? '–' : `${(share * 100).toFixed(1)}%`)
const baht = (amount: number | null) => `${formatBahtCompact(amount)} บาท`

export function formatUnusualAwardPatternPeriod({ month, year_from: from, year_to: to }: UnusualAwardPattern): string {
  if (month !== null) {
    const [year, number] = month.split('-').map(Number)
    return `${THAI_MONTHS[number! - 1]!.short} ${year! + 543}`
  }
  if (from === null) return 'ไม่ทราบปีงบประมาณ'
  return `ปีงบประมาณ ${from === to ? from : `${from}–${to}`}`
}

/**
 * Returns the predicate of a sentence about the agency, period or companies. It states only numbers and the totals they
 * refer to.
 */
export function formatUnusualAwardPatternFact(sign: UnusualAwardPatternCode, fact: UnusualAwardPattern): string {
  const { count, n, share } = fact
  const of = `${formatCount(count)} จาก ${formatCount(n)} งาน`
  switch (sign) {
    case 'buyer_share':
      return `ได้ ${percent(share)} ของมูลค่าที่รู้ (${baht(fact.value)} จาก ${baht(fact.whole)}) ชนะ ${of}`
    case 'two_winners':
      return `สองรายชนะรวมกัน ${of}ที่บริษัทชนะ (${percent(share)})`
    case 'same_two':
      return `ยื่นงานเดียวกัน ${formatCount(n)} งาน รายแรกชนะ ${formatCount(count)} งาน (${percent(share)})`
    case 'one_bidder':
      return `มีบริษัทเดียวยื่น ${of}แข่งขันที่รู้รายชื่อผู้ยื่น (${percent(share)})`
    case 'low_discount':
      return `ลดจากราคากลางไม่ถึง ${Math.round(UNUSUAL_AWARD_PATTERN_THRESHOLDS.nearZero * 100)}% ${of}ที่เทียบได้ (${percent(share)}) ทั้งตัวกรองเป็น ${percent(fact.usual)}`
    case 'above_reference':
      return `ราคาที่ชนะสูงกว่าราคากลาง ${of}ที่เทียบได้ (${percent(share)})`
    case 'below_threshold':
      return `${formatCount(count)} งานในช่วง ${formatCount(UNUSUAL_AWARD_PATTERN_THRESHOLDS.border - UNUSUAL_AWARD_PATTERN_THRESHOLDS.window)}–${formatCount(UNUSUAL_AWARD_PATTERN_THRESHOLDS.border)} บาท เทียบกับ ${formatCount(fact.beside ?? 0)} งานในช่วงถัดลงไปที่กว้างเท่ากัน รวม ${baht(fact.value)} ผู้ชนะ ${formatCount(fact.winners ?? 0)} ราย รายนี้ได้ ${formatCount(fact.of_one ?? 0)} งาน`
  }
}
