import type { DocumentFactName, FactValue } from '#contract/documents/document.ts'
import {
  findAmountsInText,
  findAnchorWordBefore,
  findDatesInText,
  findDurationsInText,
  findPercentagesInText,
} from './find-values.ts'
import { type FoldedDocument, foldThaiText } from './folded-document.ts'

/**
 * Match of a rule. `value` is missing if validation failed. The range is in the folded text, from the first word of the
 * rule to the end of the value.
 */
export interface FactRuleMatch {
  readonly fact: DocumentFactName
  readonly value?: FactValue
  readonly from: number
  readonly to: number
}

const words = (...list: string[]) => list.map(foldThaiText)
const includesAny = (text: string, list: readonly string[]) => list.some((word) => text.includes(word))
const endsWithAny = (text: string, list: readonly string[]) => list.some((word) => text.endsWith(word))

/**
 * Required context of a value: one of `anchors` at most `reach` characters before it, none of `not` in between, one of
 * `end` directly before it.
 */
interface Rule {
  readonly fact: DocumentFactName
  readonly anchors: readonly string[]
  readonly reach: number
  readonly not?: readonly string[]
  readonly end?: readonly string[]
  /** Allows digits between anchor and value, because names and phone numbers may be in between. */
  readonly overDigits?: true
}

const AT_LEAST = words('ไม่น้อยกว่า', 'ไม่ต่ำกว่า')
const LIMITS = [...AT_LEAST, ...words('เกิน', 'ร้อยละ', 'หลักประกัน', 'ผลงาน', 'ค่าปรับ', 'ทุนจดทะเบียน')]

const AMOUNT_RULES: readonly Rule[] = [
  { fact: 'reference_price', anchors: words('ราคากลาง'), reach: 160, not: [...LIMITS, ...words('งบประมาณ')] },
  {
    fact: 'budget',
    anchors: words('วงเงินงบประมาณ', 'งบประมาณโครงการ', 'วงเงินในการจัดซื้อ', 'วงเงินในการจัดจ้าง', 'วงเงินในการจัดหา'),
    reach: 120,
    not: [...LIMITS, ...words('ราคากลาง')],
  },
  {
    fact: 'bid_bond',
    anchors: words('หลักประกันการเสนอราคา'),
    reach: 260,
    not: words('ไม่น้อยกว่า', 'เกิน', 'ร้อยละ'),
    end: words('จำนวน', 'จำนวนเงิน', 'เป็นเงิน'),
  },
  { fact: 'document_fee', anchors: words('ราคาชุดละ'), reach: 30 },
  // Clauses about past work also write "วงเงินงบประมาณไม่น้อยกว่า", so the words directly before the amount decide.
  { fact: 'past_work', anchors: words('ผลงาน'), reach: 300, end: AT_LEAST, overDigits: true },
  { fact: 'award_price', anchors: words('โดยเสนอราคา'), reach: 40 },
]

const PERCENT_RULES: readonly Rule[] = [
  { fact: 'penalty', anchors: words('รายวัน'), reach: 80 },
  { fact: 'contract_guarantee', anchors: words('หลักประกันสัญญา'), reach: 90 },
  {
    fact: 'pass_mark',
    anchors: words('ข้อเสนอทางด้านเทคนิค', 'ข้อเสนอด้านเทคนิค'),
    reach: 80,
    end: AT_LEAST,
  },
]

const DURATION_RULES: readonly Rule[] = [
  {
    fact: 'delivery',
    anchors: words(
      'กำหนดเวลาส่งมอบ',
      'กำหนดส่งมอบ',
      'กำหนดเวลาดำเนินการแล้วเสร็จ',
      'กำหนดเวลาทำงานแล้วเสร็จ',
      'กำหนดเวลาแล้วเสร็จ',
      'ระยะเวลาดำเนินงาน',
      'ระยะเวลาการดำเนินงาน',
      'ระยะเวลาดำเนินการ',
      'ระยะเวลาการดำเนินการ',
      'ระยะเวลาส่งมอบ',
    ),
    reach: 60,
    not: words('งวด', 'ยืนราคา', 'รับประกัน'),
  },
  { fact: 'warranty', anchors: words('รับประกันความชำรุดบกพร่อง'), reach: 160, end: AT_LEAST },
]

const DATE_RULES: readonly Rule[] = [
  { fact: 'announced', anchors: words('ประกาศ ณ วันที่'), reach: 16 },
  {
    fact: 'question_deadline',
    anchors: words('สอบถาม'),
    reach: 320,
    not: words('วิจารณ์'),
    end: words('ภายในวันที่'),
    overDigits: true,
  },
  {
    fact: 'hearing_end',
    anchors: words('วิจารณ์', 'เสนอแนะ'),
    reach: 320,
    not: words('สอบถาม'),
    end: words('ภายในวันที่'),
    overDigits: true,
  },
]

function ruleStart(text: string, at: number, rule: Rule): number {
  let start: number
  if (rule.overDigits) {
    const from = Math.max(0, at - rule.reach)
    const before = text.slice(from, at)
    const lastAnchor = Math.max(...rule.anchors.map((anchor) => before.lastIndexOf(anchor)))
    start = lastAnchor === -1 ? -1 : from + lastAnchor
  } else start = findAnchorWordBefore(text, at, rule.anchors, rule.reach)
  if (start === -1) return -1
  // Skip the anchor, which may itself contain a forbidden word.
  const anchor = rule.anchors.find((word) => text.startsWith(word, start))!
  const between = text.slice(start + anchor.length, at)
  if (rule.not && includesAny(between, rule.not)) return -1
  return rule.end && !endsWithAny(between, rule.end) ? -1 : start
}

const finding = (fact: DocumentFactName, from: number, to: number, value: FactValue | undefined): FactRuleMatch => ({
  fact,
  from,
  to,
  ...(value && { value }),
})

const PENALTY = foldThaiText('ปรับ')
const COUNTED_FROM = foldThaiText('นับ')
/**
 * Maximum daily penalty and guarantee under state rules, in percent. A higher rate is not a penalty or guarantee, so it
 * is rejected.
 */
const MAX_PENALTY = 0.25
const MAX_GUARANTEE = 10

export function findValueFacts(folded: FoldedDocument): FactRuleMatch[] {
  const { text } = folded
  const findings: FactRuleMatch[] = []
  for (const { value, from, to } of findAmountsInText(text)) {
    for (const rule of AMOUNT_RULES) {
      const start = ruleStart(text, from, rule)
      if (start === -1) continue
      findings.push(finding(rule.fact, start, to, value.agrees ? { kind: 'amount', baht: value.baht } : undefined))
    }
  }
  for (const { value, from, to } of findPercentagesInText(text)) {
    for (const rule of PERCENT_RULES) {
      const start = ruleStart(text, from, rule)
      if (start === -1) continue
      if (rule.fact === 'penalty' && !text.slice(Math.max(0, start - 120), start).includes(PENALTY)) continue
      const highest = rule.fact === 'penalty' ? MAX_PENALTY : rule.fact === 'contract_guarantee' ? MAX_GUARANTEE : 100
      const isOne = value > 0 && value <= highest
      findings.push(finding(rule.fact, start, to, isOne ? { kind: 'percent', percent: value } : undefined))
    }
  }
  for (const { value, from, to } of findDurationsInText(text)) {
    for (const rule of DURATION_RULES) {
      const start = ruleStart(text, from, rule)
      if (start === -1) continue
      const isCounted = text.startsWith(COUNTED_FROM, to)
      findings.push(finding(rule.fact, start, to, isCounted ? { kind: 'duration', ...value } : undefined))
    }
  }
  for (const { value, from, to } of findDatesInText(text)) {
    for (const rule of DATE_RULES) {
      const start = ruleStart(text, from, rule)
      if (start !== -1) findings.push(finding(rule.fact, start, to, value ? { kind: 'date', date: value } : undefined))
    }
  }
  return [...findings, ...findBidWindows(folded), ...findWeights(folded), ...findPayments(folded)]
}

const BID_ANCHOR = foldThaiText('เสนอราคาทางระบบ')
const ON_DAY = foldThaiText('ในวันที่')
const BLANK_FORM = foldThaiText('ระหว่างเวลา น.')
/**
 * Maximum characters between the anchor and the day; long because "จัดซื้อจัดจ้างภาครัฐด้วยอิเล็กทรอนิกส์" may be in
 * between.
 */
const BID_REACH = 90
const HOURS = /(?:ระหวาง)?เวลา(\d{1,2})[.:](\d{2})(?:น\.?)?(?:ถึง|-|–)(?:เวลา)?(\d{1,2})[.:](\d{2})น/y

function formatClockTime(hour: string, minute: string): string | undefined {
  return Number(hour) < 24 && Number(minute) < 60 ? `${hour.padStart(2, '0')}:${minute}` : undefined
}

/**
 * Extracts the submission window: day, start and end in one sentence. An unfilled form yields nothing, because the
 * window is not fixed yet; a day without hours, reversed hours or an impossible date is unsure. Ignores dates
 * elsewhere.
 */
function findBidWindows(folded: FoldedDocument): FactRuleMatch[] {
  const { text } = folded
  const days = new Map(findDatesInText(text).map((date) => [date.from, date]))
  const findings: FactRuleMatch[] = []
  for (let at = text.indexOf(BID_ANCHOR); at !== -1; at = text.indexOf(BID_ANCHOR, at + 1)) {
    // Search only within reach: scanning to the end from every match would be quadratic.
    const clause = text.slice(at, at + BID_REACH + ON_DAY.length)
    const on = clause.indexOf(ON_DAY)
    if (on === -1 || /\d/.test(clause.slice(0, on))) continue
    const begin = at + on + ON_DAY.length
    if (text.startsWith(BLANK_FORM, begin)) continue
    const day = days.get(begin)
    HOURS.lastIndex = day?.to ?? begin
    const hours = day?.value === undefined ? null : HOURS.exec(text)
    const from = hours && formatClockTime(hours[1]!, hours[2]!)
    const to = hours && formatClockTime(hours[3]!, hours[4]!)
    const isWindow = from && to && from < to
    findings.push(
      finding(
        'bid_window',
        at,
        isWindow ? HOURS.lastIndex : (day?.to ?? begin),
        isWindow
          ? { kind: 'window', from: `${day!.value}T${from}:00+07:00`, to: `${day!.value}T${to}:00+07:00` }
          : undefined,
      ),
    )
  }
  return findings
}

const WEIGHT = foldThaiText('น้ำหนัก')
const PRICE_PART = words('ราคาที่ยื่นข้อเสนอ', 'ราคาที่เสนอ')
const OTHER_PART = words('ข้อเสนอด้านเทคนิค', 'ข้อเสนอทางด้านเทคนิค', 'ข้อเสนออื่น')

function findWeights({ text }: FoldedDocument): FactRuleMatch[] {
  const parts = findPercentagesInText(text).flatMap(({ value, from, to }) => {
    if (!text.slice(Math.max(0, from - 30), from).includes(WEIGHT)) return []
    const price = findAnchorWordBefore(text, from, PRICE_PART, 90)
    const otherStart = findAnchorWordBefore(text, from, OTHER_PART, 110)
    if (price === -1 && otherStart === -1) return []
    return [{ isPrice: price > otherStart, start: Math.max(price, otherStart), value, to }]
  })
  return parts.flatMap((price, index) => {
    if (!price.isPrice) return []
    const otherPart = parts[index + 1]
    if (!otherPart || otherPart.isPrice) return [finding('weights', price.start, price.to, undefined)]
    const isWhole = price.value + otherPart.value === 100
    const value: FactValue | undefined = isWhole
      ? { kind: 'shares', percents: [price.value, otherPart.value] }
      : undefined
    return [finding('weights', price.start, otherPart.to, value)]
  })
}

const INSTALMENT = /งวดที(\d{1,2})/g
const SHARE_REACH = 220

function findPayments({ text }: FoldedDocument): FactRuleMatch[] {
  const percents = findPercentagesInText(text)
  const instalments = [...text.matchAll(INSTALMENT)]
  const steps: { number: number; share: number; from: number; to: number }[] = []
  let next = 0
  instalments.forEach((instalment, index) => {
    const end = Math.min(instalments[index + 1]?.index ?? text.length, instalment.index + SHARE_REACH)
    while (next < percents.length && percents[next]!.from < instalment.index) next += 1
    const share = percents[next]
    if (share && share.to <= end)
      steps.push({ number: Number(instalment[1]), share: share.value, from: instalment.index, to: share.to })
  })
  const findings: FactRuleMatch[] = []
  for (let at = 0; at < steps.length; ) {
    let end = at + 1
    while (end < steps.length && steps[end]!.number === steps[end - 1]!.number + 1) end += 1
    const run = steps.slice(at, end)
    const sum = run.reduce((all, { share }) => all + Math.round(share * 1000), 0)
    const isWhole = run[0]!.number === 1 && sum === 100_000
    const value: FactValue | undefined = isWhole
      ? { kind: 'shares', percents: run.map(({ share }) => share) }
      : undefined
    findings.push(finding('payments', run[0]!.from, run[0]!.to, value))
    at = end
  }
  return findings
}
