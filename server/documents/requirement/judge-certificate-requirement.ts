import type { QualificationCertificate } from '#contract/account/qualification.ts'
import type { RequirementAnswer } from '#contract/documents/requirement.ts'
import { addDays, addMonths, countDaysBetween, formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { findDurationsInText, type MatchedDuration } from '#server/documents/facts/find-values.ts'
import { foldThaiText } from '#server/documents/facts/folded-document.ts'
import {
  containsAnyFoldedWord,
  createMetRequirementAnswer,
  createUndecidedRequirementAnswer,
  createUnmetRequirementAnswer,
  type RequirementJudgementInput,
} from './requirement-judgement-input.ts'

/** Matches a standard and its number: "iso 9001", "iso/iec 27001:2013", "มอก. 2677". */
const STANDARD = /(iso|มอก)[^\d\n]{0,8}?(\d{3,5})/g
const EXPIRING_SOON_DAYS = 60
const MIN_NAME_LENGTH = 6

const nameOf = ({ name, number }: QualificationCertificate) => (number === '' ? name : `${name} เลขที่ ${number}`)
const longest = (certificates: readonly QualificationCertificate[]) =>
  certificates.toSorted((a, b) => (b.expires_on ?? '').localeCompare(a.expires_on ?? ''))[0]

/**
 * Returns how long after submission a certificate must remain valid ("หมดอายุหลังวันยื่นอย่างน้อย 3 เดือน"); `unsure`
 * if the clause names several periods.
 */
function marginOf(folded: string): MatchedDuration | 'none' | 'unsure' {
  if (!containsAnyFoldedWord(folded, 'หมดอายุ')) return 'none'
  const [firstDuration, ...otherDurations] = findDurationsInText(folded)
  return firstDuration === undefined ? 'none' : otherDurations.length > 0 ? 'unsure' : firstDuration.value
}

const PERIODS = { day: 'วัน', month: 'เดือน', year: 'ปี' } as const
const after = (day: string, { count, unit }: MatchedDuration) =>
  unit === 'day' ? addDays(day, count) : addMonths(day, unit === 'year' ? count * 12 : count)

function judgeExpiry(
  certificate: QualificationCertificate,
  { folded, tender: { submission, today } }: RequirementJudgementInput,
): RequirementAnswer {
  const name = nameOf(certificate)
  const expiryDay = certificate.expires_on
  if (expiryDay === null) return createUndecidedRequirementAnswer(`มี ${name} แต่ยังไม่ได้กรอกวันหมดอายุ`, 'certificates')
  if (expiryDay < (submission ?? today)) {
    const beforeText = submission === null ? '' : ` ก่อนวันยื่น ${formatThaiDateShortOrOriginal(submission)}`
    return createUnmetRequirementAnswer(
      `${name} หมดอายุ ${formatThaiDateShortOrOriginal(expiryDay)}${beforeText}`,
      'certificates',
    )
  }
  const margin = marginOf(folded)
  if (margin === 'unsure')
    return createUndecidedRequirementAnswer(
      `มี ${name} ใช้ได้ถึง ${formatThaiDateShortOrOriginal(expiryDay)} แต่อ่านอายุที่ข้อนี้ต้องการไม่ได้`,
    )
  if (submission === null)
    return createUndecidedRequirementAnswer(
      `มี ${name} ใช้ได้ถึง ${formatThaiDateShortOrOriginal(expiryDay)} แต่ยังไม่รู้วันยื่นข้อเสนอ`,
    )
  if (margin !== 'none' && expiryDay < after(submission, margin))
    return createUnmetRequirementAnswer(
      `${name} ใช้ได้ถึง ${formatThaiDateShortOrOriginal(expiryDay)} ไม่ถึง ${margin.count} ${PERIODS[margin.unit]}หลังวันยื่น ${formatThaiDateShortOrOriginal(submission)}`,
      'certificates',
    )
  const daysLeft = countDaysBetween(submission, expiryDay)
  const soonText = daysLeft <= EXPIRING_SOON_DAYS ? ` หลังวันยื่นเพียง ${daysLeft} วัน` : ''
  return createMetRequirementAnswer(
    `${name} ใช้ได้ถึง ${formatThaiDateShortOrOriginal(expiryDay)}${soonText} (วันยื่น ${formatThaiDateShortOrOriginal(submission)})`,
  )
}

export function judgeNamedCertificateRequirement(judged: RequirementJudgementInput): RequirementAnswer | undefined {
  const { folded, qualifications } = judged
  const namedCertificates = qualifications.certificates.filter(({ name }) => {
    const word = foldThaiText(name)
    return word.length >= MIN_NAME_LENGTH && folded.includes(word)
  })
  const certificate = longest(namedCertificates)
  return certificate && judgeExpiry(certificate, judged)
}

const matchesStandard = ({ name }: QualificationCertificate, body: string, number: string) => {
  const word = foldThaiText(name)
  return word.includes(body) && [...word.matchAll(/\d+/g)].some(([digits]) => digits === number)
}

export function judgeCertificateRequirement(judged: RequirementJudgementInput): RequirementAnswer {
  const { folded, qualifications } = judged
  const standards = [
    ...new Map(
      [...folded.matchAll(STANDARD)].map(([, body, number]) => [`${body} ${number}`, { body: body!, number: number! }]),
    ),
  ]
  const names = standards.map(([name]) => name.toUpperCase())
  const requirementText = names.length > 0 ? `ต้องมี ${names.join(', ')}` : 'ต้องมีใบรับรองตามข้อนี้'
  if (qualifications.certificates.length === 0)
    return createUndecidedRequirementAnswer(`${requirementText} แต่ยังไม่ได้กรอกใบรับรองของเรา`, 'certificates')
  if (names.length === 0)
    return (
      judgeNamedCertificateRequirement(judged) ??
      createUndecidedRequirementAnswer('ระบบไม่รู้ว่าข้อนี้ต้องการใบรับรองใด เทียบกับใบรับรองของเราเอง', 'certificates')
    )
  const answers = standards.map(([name, { body, number }]) => {
    const certificate = longest(
      qualifications.certificates.filter((candidate) => matchesStandard(candidate, body, number)),
    )
    return certificate
      ? judgeExpiry(certificate, judged)
      : createUnmetRequirementAnswer(`ไม่มี ${name.toUpperCase()} ในใบรับรองของเรา`, 'certificates')
  })
  const reason = `${requirementText}; ${answers.map((answer) => answer.reason).join('; ')}`
  const missing = answers.find((answer) => answer.missing !== null)?.missing ?? null
  // The requirement may concern the goods or their manufacturer, so our certificates cannot answer it.
  if (containsAnyFoldedWord(folded, 'ผู้ผลิต', 'ผลิตภัณฑ์', 'โรงงาน', 'สินค้า', 'อุปกรณ์'))
    return createUndecidedRequirementAnswer(`${reason}; ข้อนี้อาจหมายถึงผู้ผลิตหรือสินค้า`, missing)
  if (answers.every(({ can }) => can === 'yes')) return createMetRequirementAnswer(reason)
  if (containsAnyFoldedWord(folded, 'หรือ', 'เทียบเท่า'))
    return createUndecidedRequirementAnswer(`${reason}; ข้อนี้มีทางเลือกอื่น`, missing)
  return answers.some(({ can }) => can === 'no')
    ? createUnmetRequirementAnswer(reason, missing)
    : createUndecidedRequirementAnswer(reason, missing)
}
