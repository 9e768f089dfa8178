import { ACADEMIC_DEGREES, type StaffGroup } from '#contract/account/qualification.ts'
import type { RequirementAnswer } from '#contract/documents/requirement.ts'
import { findDurationsInText } from '#server/documents/facts/find-values.ts'
import { foldThaiText } from '#server/documents/facts/folded-document.ts'
import {
  containsAnyFoldedWord,
  createMetRequirementAnswer,
  createUndecidedRequirementAnswer,
  createUnmetRequirementAnswer,
  type RequirementJudgementInput,
} from './requirement-judgement-input.ts'

/** Matches a number of people: "๒ คน", "2 (สอง) อัตรา". */
const COUNT = /(\d{1,4}) ?(?:\([ก-ฺเ-ๆ]{2,20}\) ?)?(?:คน|อัตรา)/g
const REACH = 24
/**
 * Words that may surround a position whose name must match exactly. Our "วิศวกร" satisfies neither วิศวกรโยธา nor
 * ผู้ช่วยวิศวกร.
 */
const WORDS_BEFORE = ['มี', 'เป็น', 'ตำแหน่ง', 'จัดหา', 'บุคลากร', 'ได้แก่', 'คือ'].map(foldThaiText)
const WORDS_AFTER = ['จำนวน', 'ไม่น้อยกว่า', 'ไม่ต่ำกว่า', 'อย่างน้อย'].map(foldThaiText)
const SIGN = /[\s\d:,.;()-]/
const UNSUPPORTED_CONDITIONS = [
  'ใบประกอบ',
  'ใบอนุญาต',
  'ประกาศนียบัตร',
  'ภาคีวิศวกร',
  'สามัญวิศวกร',
  'วุฒิวิศวกร',
  'สาขา',
  'บัณฑิต',
  'อบรม',
  'รับรอง',
  'อายุ',
  'สัญชาติ',
]
const DEGREE_WORDS = [
  ['vocational', 'ปวช'],
  ['high_vocational', 'ปวส'],
  ['bachelor', 'ปริญญาตรี'],
  ['master', 'ปริญญาโท'],
  ['doctor', 'ปริญญาเอก'],
] as const
const rank = (degree: StaffGroup['degree']) => ACADEMIC_DEGREES.findIndex(({ code }) => code === degree)

const peopleText = ({ position, count, degree, years }: StaffGroup) =>
  `${position} ${count} คน${degree === 'none' ? '' : ` ${ACADEMIC_DEGREES[rank(degree)]!.th}`}${years === 0 ? '' : ` ประสบการณ์ ${years} ปี`}`

function isExactPosition(position: string, folded: string, at: number): boolean {
  const from = folded.lastIndexOf(position, at)
  const to = from + position.length
  if (from === -1 || to > at || at - to > REACH) return false
  const before = folded.slice(Math.max(0, from - REACH), from)
  const after = folded.slice(to, at + 1)
  const isStandaloneWord =
    before === '' || SIGN.test(before.at(-1)!) || WORDS_BEFORE.some((word) => before.endsWith(word))
  return isStandaloneWord && (SIGN.test(after[0]!) || WORDS_AFTER.some((word) => after.startsWith(word)))
}

function yearsOf(folded: string): number | 'unsure' {
  const periods = findDurationsInText(folded)
  const [firstPeriod] = periods
  if (firstPeriod === undefined) return containsAnyFoldedWord(folded, 'ประสบการณ์') ? 'unsure' : 0
  const before = folded.slice(Math.max(0, firstPeriod.from - 40), firstPeriod.from)
  const isClear =
    periods.length === 1 && firstPeriod.value.unit === 'year' && containsAnyFoldedWord(before, 'ประสบการณ์')
  return isClear ? firstPeriod.value.count : 'unsure'
}

function degreeOf(folded: string): StaffGroup['degree'] | 'unsure' {
  const [firstDegree, ...otherDegrees] = DEGREE_WORDS.filter(([, word]) => containsAnyFoldedWord(folded, word))
  if (firstDegree === undefined) return containsAnyFoldedWord(folded, 'วุฒิ', 'การศึกษา', 'ปริญญา') ? 'unsure' : 'none'
  return otherDegrees.length > 0 ? 'unsure' : firstDegree[0]
}

/**
 * Judges a single position by count, degree and years. Leaves several positions, licences and fields of study to the
 * user.
 */
export function judgeStaffRequirement({
  folded,
  qualifications: { people },
}: RequirementJudgementInput): RequirementAnswer {
  if (people.length === 0)
    return createUndecidedRequirementAnswer('ต้องมีบุคลากรตามข้อนี้ แต่ยังไม่ได้กรอกบุคลากรของเรา', 'people')
  const mentioned = people.filter(({ position }) => folded.includes(foldThaiText(position)))
  const ourPeopleText = mentioned.length === 0 ? '' : `; ของเรา: ${mentioned.map(peopleText).join(', ')}`
  const [count, ...otherCounts] = folded.matchAll(COUNT)
  if (count === undefined || otherCounts.length > 0)
    return createUndecidedRequirementAnswer(`อ่านตำแหน่งและจำนวนคนจากข้อนี้ไม่ได้แน่ชัด เทียบเอง${ourPeopleText}`)
  const exactMatches = mentioned.filter(({ position }) => isExactPosition(foldThaiText(position), folded, count.index))
  if (exactMatches.length === 0)
    return createUndecidedRequirementAnswer(`ตำแหน่งในข้อนี้ไม่ตรงกับที่กรอกไว้${ourPeopleText}`, 'people')
  const [degree, years] = [degreeOf(folded), yearsOf(folded)]
  const unknown = UNSUPPORTED_CONDITIONS.find((word) => containsAnyFoldedWord(folded, word))
  if (
    degree === 'unsure' ||
    years === 'unsure' ||
    unknown !== undefined ||
    containsAnyFoldedWord(folded, 'หรือ', 'ไม่เกิน', 'และ')
  )
    return createUndecidedRequirementAnswer(
      `ต้องการ ${count[1]} คน แต่มีเงื่อนไขอื่นที่ต้องอ่านเอง เช่น วุฒิ สาขา ใบอนุญาต หรือประสบการณ์${ourPeopleText}`,
    )
  const fit = exactMatches.filter((candidate) => rank(candidate.degree) >= rank(degree) && candidate.years >= years)
  const sum = fit.reduce((total, candidate) => total + candidate.count, 0)
  const requirementText = `ต้องการ${exactMatches[0]!.position} ${count[1]} คน${degree === 'none' ? '' : ` ${ACADEMIC_DEGREES[rank(degree)]!.th}`}${years === 0 ? '' : ` ประสบการณ์ ${years} ปี`}`
  return sum >= Number(count[1])
    ? createMetRequirementAnswer(`${requirementText}${ourPeopleText}`)
    : createUnmetRequirementAnswer(`${requirementText}; ที่ตรงเงื่อนไขมี ${sum} คน${ourPeopleText}`, 'people')
}
