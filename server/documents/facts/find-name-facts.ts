import { toArabicDigits } from '#contract/thai/thai-letters.ts'
import type { FactRuleMatch } from './find-value-facts.ts'
import { type FoldedDocument, foldThaiText } from './folded-document.ts'

const words = (...list: string[]) => list.map(foldThaiText)
const ABOUT = foldThaiText('เรื่อง')
const BY_METHOD = foldThaiText('ด้วยวิธี')
const ANNOUNCEMENT = foldThaiText('ประกาศ')
const WINNER_OF = foldThaiText('ประกาศผู้ชนะการเสนอราคา')
const FOLLOWING = foldThaiText('ตามประกาศ')
const DATED = foldThaiText('ลงวันที่')
const NUMBER = foldThaiText('เลขที่')
const HEADING_LENGTH = 1_400
const MAX_TITLE_LENGTH = 700
const MAX_AGENCY_LENGTH = 120

const METHODS = ['ประกวดราคาอิเล็กทรอนิกส์', 'คัดเลือก', 'เฉพาะเจาะจง', 'สอบราคา', 'ประกวดแบบ', 'ตลาดอิเล็กทรอนิกส์'].map(
  (name) => ({ name, word: foldThaiText(name) }),
)

/**
 * A name may be broken over two lines. If nothing shows whether the line end is a space, one is inserted before
 * these words.
 */
const AFTER_BLANK = words('ตำบล', 'อำเภอ', 'จังหวัด', 'จำนวน', 'โครงการ', 'แขวง', 'เขต', 'หมู่ที่', 'ประจำปี')

/**
 * Joins a name printed over several lines. Thai text breaks anywhere, so a line end may or may not stand for a space; a
 * second occurrence with different line ends decides.
 */
function joinLines(folded: FoldedDocument, from: number, to: number): string {
  const { text } = folded
  const secondOccurrence = text.indexOf(text.slice(from, to), to)
  let joined = ''
  let start = from
  for (let at = from + 1; at <= to; at++) {
    const gap = at < to ? folded.gapBefore(at) : ''
    if (at < to && !/[\n\f]/.test(gap)) continue
    joined += folded.original(start, at).trim()
    if (at < to) {
      const otherGap = secondOccurrence === -1 ? '\n' : folded.gapBefore(secondOccurrence + at - from)
      const isThai = /[\u0e01-\u0e4e]{2}/.test(text.slice(at - 1, at + 1))
      const isWord = !isThai || AFTER_BLANK.some((word) => text.startsWith(word, at))
      if (/[\n\f]/.test(otherGap) ? isWord : otherGap !== '') joined += ' '
    }
    start = at
  }
  return joined.replace(/ {2,}/g, ' ')
}

const text = (value: string) => ({ kind: 'text', text: value }) as const

/** Extracts title, agency and method from `ประกาศ<agency> เรื่อง <title> ด้วยวิธี<method>`. */
function findHeading(folded: FoldedDocument): FactRuleMatch[] {
  const findings: FactRuleMatch[] = []
  const head = folded.text.slice(0, HEADING_LENGTH)
  const about = head.indexOf(ABOUT)
  if (about === -1) return findings
  const announced = head.lastIndexOf(ANNOUNCEMENT, about - 1)
  const agency = announced + ANNOUNCEMENT.length
  if (announced !== -1 && about - agency > 2 && about - agency <= MAX_AGENCY_LENGTH)
    findings.push({ fact: 'agency', from: announced, to: about, value: text(joinLines(folded, agency, about)) })
  let title = about + ABOUT.length
  if (head.startsWith(WINNER_OF, title)) title += WINNER_OF.length
  const method = head.indexOf(BY_METHOD, title)
  if (method !== -1 && method - title <= MAX_TITLE_LENGTH && method - title >= 8)
    findings.push({ fact: 'title', from: about, to: method, value: text(joinLines(folded, title, method)) })
  return [...findings, ...findMethod(folded, method)]
}

function findMethod({ text: all }: FoldedDocument, at: number): FactRuleMatch[] {
  if (at === -1) return []
  const begin = at + BY_METHOD.length
  const method = METHODS.find(({ word }) => all.startsWith(word, begin))
  return method ? [{ fact: 'method', from: at, to: begin + method.word.length, value: text(method.name) }] : []
}

/**
 * Extracts from a bidding document its number, then the title on separate lines, then `ตามประกาศ <agency> ลงวันที่`.
 */
function findBiddingHeading(folded: FoldedDocument): FactRuleMatch[] {
  const head = folded.text.slice(0, HEADING_LENGTH)
  const findings = findMethod(folded, head.indexOf(BY_METHOD))
  const following = head.indexOf(FOLLOWING)
  const dated = following === -1 ? -1 : head.indexOf(DATED, following)
  if (dated === -1) return findings
  const agency = following + FOLLOWING.length
  if (dated - agency > 2 && dated - agency <= MAX_AGENCY_LENGTH)
    findings.push({ fact: 'agency', from: following, to: dated, value: text(joinLines(folded, agency, dated)) })
  const number = head.indexOf(NUMBER)
  if (number === -1 || number > following) return findings
  let title = number + NUMBER.length
  while (title < following && !folded.beginsLine(title)) title += 1
  if (following - title >= 8 && following - title <= MAX_TITLE_LENGTH)
    findings.push({ fact: 'title', from: title, to: following, value: text(joinLines(folded, title, following)) })
  return findings
}

const AGENCY_WORDS = words(
  'กรม',
  'กระทรวง',
  'สำนักงาน',
  'องค์การ',
  'มหาวิทยาลัย',
  'โรงพยาบาล',
  'เทศบาล',
  'จังหวัด',
  'กรุงเทพมหานคร',
  'สถาบัน',
  'วิทยาลัย',
  'โรงเรียน',
  'การไฟฟ้า',
  'การประปา',
  'ศูนย์',
)

/** Extracts the agency of a TOR: a heading line that starts with an agency word and occurs again in the text. */
function findTorAgency(folded: FoldedDocument): FactRuleMatch[] {
  const head = folded.text.slice(0, 500)
  for (let at = 0; at < head.length; at++) {
    if (!folded.beginsLine(at) || !AGENCY_WORDS.some((word) => head.startsWith(word, at))) continue
    let end = at + 1
    while (end < folded.text.length && !folded.beginsLine(end)) end += 1
    if (end - at > MAX_AGENCY_LENGTH || folded.text.indexOf(folded.text.slice(at, end), end) === -1) continue
    return [{ fact: 'agency', from: at, to: end, value: text(folded.original(at, end).trim()) }]
  }
  return []
}

/** Matches a document number such as `เลขที่ EB ซ.๓๒/๒๕๖๙`, on its own line or before `ลงวันที่`. */
const DOCUMENT_NUMBER = /เลขที([^/\n]{0,30}\/\d{4})(?=ลงวันที|[^\d])/g

function findDocumentNumbers(folded: FoldedDocument): FactRuleMatch[] {
  return [...folded.text.matchAll(DOCUMENT_NUMBER)].flatMap((match) => {
    const begin = match.index + NUMBER.length
    const end = begin + match[1]!.length
    const isOwnLine = folded.beginsLine(match.index) && folded.beginsLine(end)
    if (match[1]!.length > 30 || (!isOwnLine && !folded.text.startsWith(DATED, end))) return []
    const value = toArabicDigits(folded.original(begin, end).replace(/\s+/g, ' ').trim())
    return [{ fact: 'document_number', from: match.index, to: end, value: text(value) }]
  })
}

const CRITERION = foldThaiText('ตัดสินโดยใช้หลักเกณฑ์')
const CRITERIA = ['ราคาประกอบเกณฑ์อื่น', 'ราคา'].map((name) => ({ name, word: foldThaiText(name) }))

function findCriteria({ text: all }: FoldedDocument): FactRuleMatch[] {
  const findings: FactRuleMatch[] = []
  for (let at = all.indexOf(CRITERION); at !== -1; at = all.indexOf(CRITERION, at + 1)) {
    const begin = at + CRITERION.length
    const criterion = CRITERIA.find(({ word }) => all.startsWith(word, begin))
    if (criterion)
      findings.push({ fact: 'criterion', from: at, to: begin + criterion.word.length, value: text(criterion.name) })
  }
  return findings
}

const CONTRACTOR_CLASS = /สาขา(งาน[ก-ฺเ-ๆ]{2,40}?)ไมนอยกวาชัน(\d{1,2})/g
const WINNER = /ผูไดรับการคัดเลือกไดแก([^()]{3,160}?)(?:\(|โดยเสนอราคา)/g
const PHONE = /โทรศัพท(?:หมายเลข|เลขที)?[:.]?(0[\d -]{7,14}\d)(?:ตอ(\d{1,5}))?/g
const MAX_CONTACTS = 5

function findOtherFacts(folded: FoldedDocument): FactRuleMatch[] {
  const { text: all } = folded
  const findings: FactRuleMatch[] = []
  for (const match of all.matchAll(CONTRACTOR_CLASS)) {
    const begin = match.index + foldThaiText('สาขา').length
    const name = joinLines(folded, begin, begin + match[1]!.length)
    const to = match.index + match[0].length
    findings.push({ fact: 'contractor_class', from: match.index, to, value: text(`${name} ชั้น ${match[2]}`) })
  }
  for (const match of all.matchAll(WINNER)) {
    const begin = match.index + foldThaiText('ผู้ได้รับการคัดเลือก ได้แก่').length
    const end = begin + match[1]!.length
    findings.push({ fact: 'winner', from: match.index, to: end, value: text(joinLines(folded, begin, end)) })
  }
  for (const match of [...all.matchAll(PHONE)].slice(0, MAX_CONTACTS)) {
    const digits = match[1]!.replace(/\D/g, '')
    if (digits.length < 9 || digits.length > 10) continue
    const number = match[2] ? `${digits} ต่อ ${match[2]}` : digits
    findings.push({ fact: 'phone', from: match.index, to: match.index + match[0].length, value: text(number) })
  }
  return [...findings, ...findEmails(all), ...findCertificates(all)]
}

const IN_EMAIL = /[a-z0-9._+-]/

function findEmails(all: string): FactRuleMatch[] {
  const findings: FactRuleMatch[] = []
  for (let at = all.indexOf('@'); at !== -1 && findings.length < MAX_CONTACTS; at = all.indexOf('@', at + 1)) {
    let from = at
    while (from > 0 && at - from < 64 && IN_EMAIL.test(all[from - 1]!)) from -= 1
    let to = at + 1
    while (to < all.length && to - at < 100 && IN_EMAIL.test(all[to]!)) to += 1
    while (all[to - 1] === '.' || all[to - 1] === '-') to -= 1
    const domain = all.slice(at + 1, to)
    if (from === at || !/^[a-z0-9-]+\.[a-z0-9.-]+$/.test(domain)) continue
    findings.push({ fact: 'email', from, to, value: text(all.slice(from, to)) })
  }
  return findings
}

const MUST_HAVE = words('ต้องได้รับมาตรฐาน', 'ต้องได้รับการรับรองมาตรฐาน', 'ต้องมีใบรับรองมาตรฐาน', 'ต้องผ่านการรับรองมาตรฐาน')
const BIDDER_WORDS = words('ผู้รับจ้าง', 'ผู้ยื่นข้อเสนอ', 'ผู้เสนอราคา', 'ผู้ขาย')
const ISO = /iso ?(?:\/iec ?)?(\d{4,5})/g

function findCertificates(all: string): FactRuleMatch[] {
  return [...all.matchAll(ISO)].flatMap((match) => {
    const start = Math.max(0, match.index - 90)
    const before = all.slice(start, match.index)
    const must = Math.max(...MUST_HAVE.map((word) => before.lastIndexOf(word)))
    const context = must === -1 ? '' : all.slice(Math.max(0, start + must - 40), start + must)
    if (!BIDDER_WORDS.some((word) => context.includes(word))) return []
    const to = match.index + match[0].length
    return [{ fact: 'certificate', from: start + must, to, value: text(`ISO ${match[1]}`) } as const]
  })
}

export function findNameFacts(
  folded: FoldedDocument,
  kind: 'bidding-document' | 'tor' | 'announcement',
): FactRuleMatch[] {
  const heading =
    kind === 'tor'
      ? findTorAgency(folded)
      : kind === 'bidding-document'
        ? findBiddingHeading(folded)
        : findHeading(folded)
  return [...heading, ...findDocumentNumbers(folded), ...findCriteria(folded), ...findOtherFacts(folded)]
}
