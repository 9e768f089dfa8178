import type { PastWork } from '#contract/account/qualification.ts'
import type { RequirementAnswer } from '#contract/documents/requirement.ts'
import { shortMoneyText } from '#contract/thai/money-text.ts'
import { fold } from '#server/documents/facts/folded-text.ts'
import { findDurations } from '#server/documents/facts/values.ts'
import { ask, bahtText, has, type Judged, leastAmount, no, type Tender, yes } from './judged.ts'

const BUDDHIST_YEARS = 543
/** "๒ ผลงาน", "2 (สอง) สัญญา". */
const COUNT = /(\d{1,2})(?:\([ก-ฺเ-ๆ]{2,20}\))?(?:ผลงาน|สัญญา|โครงการ)/g
const SHORTEST_KIND = 3
/** Words of nearly every tender, which describe how it is bought rather than what. */
const SAY_NOTHING = new Set(
  ['ซื้อ', 'จัดซื้อ', 'จ้าง', 'จัดจ้าง', 'เช่า', 'งาน', 'โครงการ', 'ก่อสร้าง', 'ปรับปรุง', 'ติดตั้ง', 'พร้อมติดตั้ง', 'ประกวดราคา'].map(
    fold,
  ),
)

type Window = { readonly years: number } | 'none' | 'unsure'

/** Returns how old a past work may be. Years of experience, months and several periods are left to the user. */
function windowOf(folded: string): Window {
  // Ignore days: they belong to delivery and validity periods in the same clause.
  const periods = findDurations(folded).filter(({ value }) => value.unit !== 'day')
  const years = new Set(periods.map(({ value }) => (value.unit === 'year' ? value.count : Number.NaN)))
  const isBehindLeast = periods.some(({ from }) =>
    has(folded.slice(Math.max(0, from - 14), from), 'ไม่น้อยกว่า', 'ไม่ต่ำกว่า'),
  )
  if (periods.length === 0) return has(folded, 'ย้อนหลัง', 'ภายในระยะเวลา') ? 'unsure' : 'none'
  const [first] = years
  return years.size > 1 || Number.isNaN(first) || isBehindLeast ? 'unsure' : { years: first! }
}

const workText = ({ name, agency, baht, year }: PastWork) =>
  `${name}${agency === '' ? '' : ` ${agency}`} ${shortMoneyText(baht)} บาท ปี ${year}`

function kindOf({ kinds }: PastWork, folded: string, { title }: Tender): string | undefined {
  // The title determines the kind only if the clause requires the same kind of work.
  const texts = has(folded, 'เดียวกัน') ? [folded, fold(title)] : [folded]
  return kinds
    .split(',')
    .map((word) => word.trim())
    .find(
      (word) =>
        fold(word).length >= SHORTEST_KIND &&
        !SAY_NOTHING.has(fold(word)) &&
        texts.some((text) => text.includes(fold(word))),
    )
}

/** Checks the age of a past work; `edge` if the year alone does not decide. */
function ageOf({ year }: PastWork, window: Window, { submission, today }: Tender): 'young' | 'edge' | 'old' {
  if (window === 'none' || window === 'unsure') return window === 'none' ? 'young' : 'edge'
  const age = Number((submission ?? today).slice(0, 4)) + BUDDHIST_YEARS - year
  return age < window.years ? 'young' : age === window.years ? 'edge' : 'old'
}

export function judgePastWork({ folded, ours, tender }: Judged): RequirementAnswer {
  const least = leastAmount(folded)
  if (least.state === 'none') return ask('อ่านวงเงินผลงานขั้นต่ำจากข้อนี้ไม่ได้ อ่านข้อความแล้วเทียบเอง', 'past_works')
  const wants = `ต้องมีผลงานไม่น้อยกว่า ${bahtText(least.baht)}`
  const works = ours.past_works.toSorted((a, b) => b.baht - a.baht)
  const [largest] = works
  if (!largest) return ask(`${wants} แต่ยังไม่ได้กรอกผลงานของเรา`, 'past_works')
  const most = `ผลงานสูงสุดของเรา: ${workText(largest)}`
  if (least.state === 'unsure') return ask(`อ่านวงเงินได้ ${bahtText(least.baht)} แต่ไม่แน่ใจ ตรวจในเอกสารก่อน; ${most}`)
  if (has(folded, 'รวมกัน', 'วงเงินรวม', 'มูลค่ารวม')) return ask(`${wants} นับรวมกันหลายงาน เทียบเอง; ${most}`)
  const counts = [...folded.matchAll(COUNT)].filter(({ index }) => !/[\d.,]/.test(folded[index - 1] ?? ''))
  const count = Math.max(1, ...counts.map(([, digits]) => Number(digits)))
  const window = windowOf(folded)
  const within = window !== 'none' && window !== 'unsure' ? ` ภายใน ${window.years} ปี` : ''
  const wanted = `${wants}${count > 1 ? ` จำนวน ${count} งาน` : ''}${within}`
  const large = works.filter(({ baht }) => baht >= least.baht)
  if (large.length < count) return no(`${wanted}; ${most}`, 'past_works')
  const young = large.filter((work) => ageOf(work, window, tender) !== 'old')
  if (young.length < count) return no(`${wanted}; วงเงินถึงแต่เก่าเกิน: ${workText(large[0]!)}`, 'past_works')
  const sure = young.filter((work) => ageOf(work, window, tender) === 'young')
  const known = sure.filter((work) => kindOf(work, folded, tender) !== undefined)
  if (known.length >= count) {
    const told = known.slice(0, count).map((work) => `${workText(work)} (ตรงกับ “${kindOf(work, folded, tender)}”)`)
    const rest = has(folded, 'คู่สัญญาโดยตรง') ? ' ตรวจเงื่อนไขคู่สัญญาโดยตรงด้วย' : ''
    return yes(`${wanted}; ผลงานของเรา: ${told.join(', ')}${rest}`)
  }
  const told = `${wanted}; วงเงินถึง: ${workText(young[0]!)}`
  if (window === 'unsure') return ask(`${told} แต่อ่านช่วงปีที่นับผลงานไม่ได้`)
  if (sure.length < count) return ask(`${told} แต่ปีที่แล้วเสร็จอยู่ตรงขอบ ${within.trim()} ตรวจวันที่ในหนังสือรับรองผลงาน`)
  return ask(`${told} แต่ระบบไม่รู้ว่าเป็นงานประเภทที่ข้อนี้นับ กรอกคำบอกประเภทของผลงาน`, 'past_works')
}
