import type { Certificate } from '#contract/account/qualification.ts'
import type { RequirementAnswer } from '#contract/documents/requirement.ts'
import { addDays, addMonths, daysBetween, thaiDay } from '#contract/thai/thai-date.ts'
import { fold } from '#server/documents/facts/folded-text.ts'
import { type Duration, findDurations } from '#server/documents/facts/values.ts'
import { ask, has, type Judged, no, yes } from './judged.ts'

/** Standard and number: "iso 9001", "iso/iec 27001:2013", "มอก. 2677". */
const STANDARD = /(iso|มอก)[^\d\n]{0,8}?(\d{3,5})/g
/** A certificate that expires within this many days after submission is reported as expiring. */
const SOON_DAYS = 60
const SHORTEST_NAME = 6

const nameOf = ({ name, number }: Certificate) => (number === '' ? name : `${name} เลขที่ ${number}`)
const longest = (held: readonly Certificate[]) =>
  held.toSorted((a, b) => (b.expires_on ?? '').localeCompare(a.expires_on ?? ''))[0]

/**
 * Returns how long after submission a certificate must remain valid ("หมดอายุหลังวันยื่นอย่างน้อย 3 เดือน"); `unsure`
 * for several periods.
 */
function marginOf(folded: string): Duration | 'none' | 'unsure' {
  if (!has(folded, 'หมดอายุ')) return 'none'
  const [first, ...more] = findDurations(folded)
  return first === undefined ? 'none' : more.length > 0 ? 'unsure' : first.value
}

const PERIODS = { day: 'วัน', month: 'เดือน', year: 'ปี' } as const
const after = (day: string, { count, unit }: Duration) =>
  unit === 'day' ? addDays(day, count) : addMonths(day, unit === 'year' ? count * 12 : count)

function judgeExpiry(certificate: Certificate, { folded, tender: { submission, today } }: Judged): RequirementAnswer {
  const name = nameOf(certificate)
  const last = certificate.expires_on
  if (last === null) return ask(`มี ${name} แต่ยังไม่ได้กรอกวันหมดอายุ`, 'certificates')
  if (last < (submission ?? today)) {
    const when = submission === null ? '' : ` ก่อนวันยื่น ${thaiDay(submission)}`
    return no(`${name} หมดอายุ ${thaiDay(last)}${when}`, 'certificates')
  }
  const margin = marginOf(folded)
  if (margin === 'unsure') return ask(`มี ${name} ใช้ได้ถึง ${thaiDay(last)} แต่อ่านอายุที่ข้อนี้ต้องการไม่ได้`)
  if (submission === null) return ask(`มี ${name} ใช้ได้ถึง ${thaiDay(last)} แต่ยังไม่รู้วันยื่นข้อเสนอ`)
  if (margin !== 'none' && last < after(submission, margin))
    return no(
      `${name} ใช้ได้ถึง ${thaiDay(last)} ไม่ถึง ${margin.count} ${PERIODS[margin.unit]}หลังวันยื่น ${thaiDay(submission)}`,
      'certificates',
    )
  const left = daysBetween(submission, last)
  const soon = left <= SOON_DAYS ? ` หลังวันยื่นเพียง ${left} วัน` : ''
  return yes(`${name} ใช้ได้ถึง ${thaiDay(last)}${soon} (วันยื่น ${thaiDay(submission)})`)
}

export function namedCertificate(judged: Judged): RequirementAnswer | undefined {
  const { folded, ours } = judged
  const named = ours.certificates.filter(({ name }) => {
    const word = fold(name)
    return word.length >= SHORTEST_NAME && folded.includes(word)
  })
  const held = longest(named)
  return held && judgeExpiry(held, judged)
}

const isOf = ({ name }: Certificate, body: string, number: string) => {
  const word = fold(name)
  return word.includes(body) && [...word.matchAll(/\d+/g)].some(([digits]) => digits === number)
}

export function judgeCertificates(judged: Judged): RequirementAnswer {
  const { folded, ours } = judged
  const standards = [
    ...new Map(
      [...folded.matchAll(STANDARD)].map(([, body, number]) => [`${body} ${number}`, { body: body!, number: number! }]),
    ),
  ]
  const names = standards.map(([name]) => name.toUpperCase())
  const wants = names.length > 0 ? `ต้องมี ${names.join(', ')}` : 'ต้องมีใบรับรองตามข้อนี้'
  if (ours.certificates.length === 0) return ask(`${wants} แต่ยังไม่ได้กรอกใบรับรองของเรา`, 'certificates')
  if (names.length === 0)
    return namedCertificate(judged) ?? ask('ระบบไม่รู้ว่าข้อนี้ต้องการใบรับรองใด เทียบกับใบรับรองของเราเอง', 'certificates')
  const answers = standards.map(([name, { body, number }]) => {
    const held = longest(ours.certificates.filter((one) => isOf(one, body, number)))
    return held ? judgeExpiry(held, judged) : no(`ไม่มี ${name.toUpperCase()} ในใบรับรองของเรา`, 'certificates')
  })
  const reason = `${wants}; ${answers.map((one) => one.reason).join('; ')}`
  const missing = answers.find((one) => one.missing !== null)?.missing ?? null
  // The requirement may apply to the goods or their manufacturer, so our certificates decide nothing.
  if (has(folded, 'ผู้ผลิต', 'ผลิตภัณฑ์', 'โรงงาน', 'สินค้า', 'อุปกรณ์'))
    return ask(`${reason}; ข้อนี้อาจหมายถึงผู้ผลิตหรือสินค้า`, missing)
  if (answers.every(({ can }) => can === 'yes')) return yes(reason)
  if (has(folded, 'หรือ', 'เทียบเท่า')) return ask(`${reason}; ข้อนี้มีทางเลือกอื่น`, missing)
  return answers.some(({ can }) => can === 'no') ? no(reason, missing) : ask(reason, missing)
}
