import type { PastWork } from '#contract/account/qualification.ts'
import type { RequirementAnswer } from '#contract/documents/requirement.ts'
import { formatBahtShort } from '#contract/thai/money-text.ts'
import { findDurationsInText } from '#server/documents/facts/find-values.ts'
import { foldThaiText } from '#server/documents/facts/folded-document.ts'
import {
  containsAnyFoldedWord,
  createMetRequirementAnswer,
  createUndecidedRequirementAnswer,
  createUnmetRequirementAnswer,
  findMinimumAmount,
  formatBahtAmount,
  type JudgedTender,
  type RequirementJudgementInput,
} from './requirement-judgement-input.ts'

const BUDDHIST_YEARS = 543
/** Matches a number of works: "๒ ผลงาน", "2 (สอง) สัญญา". */
const COUNT = /(\d{1,2})(?:\([ก-ฺเ-ๆ]{2,20}\))?(?:ผลงาน|สัญญา|โครงการ)/g
const MIN_KIND_LENGTH = 3
const GENERIC_WORDS = new Set(
  ['ซื้อ', 'จัดซื้อ', 'จ้าง', 'จัดจ้าง', 'เช่า', 'งาน', 'โครงการ', 'ก่อสร้าง', 'ปรับปรุง', 'ติดตั้ง', 'พร้อมติดตั้ง', 'ประกวดราคา'].map(
    foldThaiText,
  ),
)

type AgeWindow = { readonly years: number } | 'none' | 'unsure'

function windowOf(folded: string): AgeWindow {
  // Ignore periods in days, because those are delivery or validity periods in the same clause.
  const periods = findDurationsInText(folded).filter(({ value }) => value.unit !== 'day')
  const years = new Set(periods.map(({ value }) => (value.unit === 'year' ? value.count : Number.NaN)))
  const isBehindLeast = periods.some(({ from }) =>
    containsAnyFoldedWord(folded.slice(Math.max(0, from - 14), from), 'ไม่น้อยกว่า', 'ไม่ต่ำกว่า'),
  )
  if (periods.length === 0) return containsAnyFoldedWord(folded, 'ย้อนหลัง', 'ภายในระยะเวลา') ? 'unsure' : 'none'
  const [firstYears] = years
  return years.size > 1 || Number.isNaN(firstYears) || isBehindLeast ? 'unsure' : { years: firstYears! }
}

const workText = ({ name, agency, baht, year }: PastWork) =>
  `${name}${agency === '' ? '' : ` ${agency}`} ${formatBahtShort(baht)} บาท ปี ${year}`

function kindOf({ kinds }: PastWork, folded: string, { title }: JudgedTender): string | undefined {
  // The project title counts only if the clause asks for past work of the same kind as this project.
  const texts = containsAnyFoldedWord(folded, 'เดียวกัน') ? [folded, foldThaiText(title)] : [folded]
  return kinds
    .split(',')
    .map((word) => word.trim())
    .find(
      (word) =>
        foldThaiText(word).length >= MIN_KIND_LENGTH &&
        !GENERIC_WORDS.has(foldThaiText(word)) &&
        texts.some((text) => text.includes(foldThaiText(word))),
    )
}

/** Classifies the age of past work. `edge` means that the year alone cannot decide. */
function ageOf({ year }: PastWork, window: AgeWindow, { submission, today }: JudgedTender): 'young' | 'edge' | 'old' {
  if (window === 'none' || window === 'unsure') return window === 'none' ? 'young' : 'edge'
  const age = Number((submission ?? today).slice(0, 4)) + BUDDHIST_YEARS - year
  return age < window.years ? 'young' : age === window.years ? 'edge' : 'old'
}

export function judgePastWorkRequirement({
  folded,
  qualifications,
  tender,
}: RequirementJudgementInput): RequirementAnswer {
  const least = findMinimumAmount(folded)
  if (least.state === 'none')
    return createUndecidedRequirementAnswer('อ่านวงเงินผลงานขั้นต่ำจากข้อนี้ไม่ได้ อ่านข้อความแล้วเทียบเอง', 'past_works')
  const amountText = `ต้องมีผลงานไม่น้อยกว่า ${formatBahtAmount(least.baht)}`
  const works = qualifications.past_works.toSorted((a, b) => b.baht - a.baht)
  const [largest] = works
  if (!largest) return createUndecidedRequirementAnswer(`${amountText} แต่ยังไม่ได้กรอกผลงานของเรา`, 'past_works')
  const largestText = `ผลงานสูงสุดของเรา: ${workText(largest)}`
  if (least.state === 'unsure')
    return createUndecidedRequirementAnswer(
      `อ่านวงเงินได้ ${formatBahtAmount(least.baht)} แต่ไม่แน่ใจ ตรวจในเอกสารก่อน; ${largestText}`,
    )
  if (containsAnyFoldedWord(folded, 'รวมกัน', 'วงเงินรวม', 'มูลค่ารวม'))
    return createUndecidedRequirementAnswer(`${amountText} นับรวมกันหลายงาน เทียบเอง; ${largestText}`)
  const counts = [...folded.matchAll(COUNT)].filter(({ index }) => !/[\d.,]/.test(folded[index - 1] ?? ''))
  const count = Math.max(1, ...counts.map(([, digits]) => Number(digits)))
  const window = windowOf(folded)
  const within = window !== 'none' && window !== 'unsure' ? ` ภายใน ${window.years} ปี` : ''
  const requirementText = `${amountText}${count > 1 ? ` จำนวน ${count} งาน` : ''}${within}`
  const large = works.filter(({ baht }) => baht >= least.baht)
  if (large.length < count) return createUnmetRequirementAnswer(`${requirementText}; ${largestText}`, 'past_works')
  const young = large.filter((work) => ageOf(work, window, tender) !== 'old')
  if (young.length < count)
    return createUnmetRequirementAnswer(`${requirementText}; วงเงินถึงแต่เก่าเกิน: ${workText(large[0]!)}`, 'past_works')
  const recentWorks = young.filter((work) => ageOf(work, window, tender) === 'young')
  const matchingWorks = recentWorks.filter((work) => kindOf(work, folded, tender) !== undefined)
  if (matchingWorks.length >= count) {
    const workTexts = matchingWorks
      .slice(0, count)
      .map((work) => `${workText(work)} (ตรงกับ “${kindOf(work, folded, tender)}”)`)
    const partyNote = containsAnyFoldedWord(folded, 'คู่สัญญาโดยตรง') ? ' ตรวจเงื่อนไขคู่สัญญาโดยตรงด้วย' : ''
    return createMetRequirementAnswer(`${requirementText}; ผลงานของเรา: ${workTexts.join(', ')}${partyNote}`)
  }
  const undecidedText = `${requirementText}; วงเงินถึง: ${workText(young[0]!)}`
  if (window === 'unsure') return createUndecidedRequirementAnswer(`${undecidedText} แต่อ่านช่วงปีที่นับผลงานไม่ได้`)
  if (recentWorks.length < count)
    return createUndecidedRequirementAnswer(
      `${undecidedText} แต่ปีที่แล้วเสร็จอยู่ตรงขอบ ${within.trim()} ตรวจวันที่ในหนังสือรับรองผลงาน`,
    )
  return createUndecidedRequirementAnswer(
    `${undecidedText} แต่ระบบไม่รู้ว่าเป็นงานประเภทที่ข้อนี้นับ กรอกคำบอกประเภทของผลงาน`,
    'past_works',
  )
}
