import { DEGREES, type People } from '#contract/account/qualification.ts'
import type { RequirementAnswer } from '#contract/documents/requirement.ts'
import { fold } from '#server/documents/facts/folded-text.ts'
import { findDurations } from '#server/documents/facts/values.ts'
import { ask, has, type Judged, no, yes } from './judged.ts'

/** "๒ คน", "2 (สอง) อัตรา". */
const COUNT = /(\d{1,4}) ?(?:\([ก-ฺเ-ๆ]{2,20}\) ?)?(?:คน|อัตรา)/g
const REACH = 24
/** Words that may surround an exact position: our "วิศวกร" satisfies neither วิศวกรโยธา nor ผู้ช่วยวิศวกร. */
const BEFORE = ['มี', 'เป็น', 'ตำแหน่ง', 'จัดหา', 'บุคลากร', 'ได้แก่', 'คือ'].map(fold)
const BEHIND = ['จำนวน', 'ไม่น้อยกว่า', 'ไม่ต่ำกว่า', 'อย่างน้อย'].map(fold)
const SIGN = /[\s\d:,.;()-]/
const UNKNOWN = [
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
const rank = (degree: People['degree']) => DEGREES.findIndex(({ code }) => code === degree)

const peopleText = ({ position, count, degree, years }: People) =>
  `${position} ${count} คน${degree === 'none' ? '' : ` ${DEGREES[rank(degree)]!.th}`}${years === 0 ? '' : ` ประสบการณ์ ${years} ปี`}`

function isWanted(position: string, folded: string, at: number): boolean {
  const from = folded.lastIndexOf(position, at)
  const to = from + position.length
  if (from === -1 || to > at || at - to > REACH) return false
  const before = folded.slice(Math.max(0, from - REACH), from)
  const behind = folded.slice(to, at + 1)
  const isAlone = before === '' || SIGN.test(before.at(-1)!) || BEFORE.some((word) => before.endsWith(word))
  return isAlone && (SIGN.test(behind[0]!) || BEHIND.some((word) => behind.startsWith(word)))
}

/** Returns the required years of experience; `unsure` if there are other periods too. */
function yearsOf(folded: string): number | 'unsure' {
  const periods = findDurations(folded)
  const [first] = periods
  if (first === undefined) return has(folded, 'ประสบการณ์') ? 'unsure' : 0
  const before = folded.slice(Math.max(0, first.from - 40), first.from)
  const isClear = periods.length === 1 && first.value.unit === 'year' && has(before, 'ประสบการณ์')
  return isClear ? first.value.count : 'unsure'
}

/** Returns the required degree; `unsure` if there are several or an unrecognised one. */
function degreeOf(folded: string): People['degree'] | 'unsure' {
  const [first, ...more] = DEGREE_WORDS.filter(([, word]) => has(folded, word))
  if (first === undefined) return has(folded, 'วุฒิ', 'การศึกษา', 'ปริญญา') ? 'unsure' : 'none'
  return more.length > 0 ? 'unsure' : first[0]
}

/**
 * Judges a single position by count, degree and years. Several positions, licences and fields of study are left to the
 * user.
 */
export function judgePeople({ folded, ours: { people } }: Judged): RequirementAnswer {
  if (people.length === 0) return ask('ต้องมีบุคลากรตามข้อนี้ แต่ยังไม่ได้กรอกบุคลากรของเรา', 'people')
  const named = people.filter(({ position }) => folded.includes(fold(position)))
  const told = named.length === 0 ? '' : `; ของเรา: ${named.map(peopleText).join(', ')}`
  const [count, ...more] = folded.matchAll(COUNT)
  if (count === undefined || more.length > 0) return ask(`อ่านตำแหน่งและจำนวนคนจากข้อนี้ไม่ได้แน่ชัด เทียบเอง${told}`)
  const held = named.filter(({ position }) => isWanted(fold(position), folded, count.index))
  if (held.length === 0) return ask(`ตำแหน่งในข้อนี้ไม่ตรงกับที่กรอกไว้${told}`, 'people')
  const [degree, years] = [degreeOf(folded), yearsOf(folded)]
  const unknown = UNKNOWN.find((word) => has(folded, word))
  if (degree === 'unsure' || years === 'unsure' || unknown !== undefined || has(folded, 'หรือ', 'ไม่เกิน', 'และ'))
    return ask(`ต้องการ ${count[1]} คน แต่มีเงื่อนไขอื่นที่ต้องอ่านเอง เช่น วุฒิ สาขา ใบอนุญาต หรือประสบการณ์${told}`)
  const fit = held.filter((one) => rank(one.degree) >= rank(degree) && one.years >= years)
  const sum = fit.reduce((total, one) => total + one.count, 0)
  const wants = `ต้องการ${held[0]!.position} ${count[1]} คน${degree === 'none' ? '' : ` ${DEGREES[rank(degree)]!.th}`}${years === 0 ? '' : ` ประสบการณ์ ${years} ปี`}`
  return sum >= Number(count[1]) ? yes(`${wants}${told}`) : no(`${wants}; ที่ตรงเงื่อนไขมี ${sum} คน${told}`, 'people')
}
