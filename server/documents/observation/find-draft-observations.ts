import { formatLawClause, getCurrentProcurementRule } from '#contract/catalogue/procurement-rules.ts'
import type { DraftObservation } from '#contract/documents/draft-observation.ts'
import { formatBaht, groupDigits } from '#contract/thai/thai-number.ts'
import type { EventLoopYielder } from '#server/documents/comparison/clauses.ts'
import { findValueFacts } from '#server/documents/facts/find-value-facts.ts'
import { FoldedDocument, foldThaiText } from '#server/documents/facts/folded-document.ts'

export type FoundObservation = Omit<DraftObservation, 'document'>

/** The project that a draft belongs to; unknown values leave out the observations that need them. */
export type ObservedProject = { readonly budget: number | null; readonly method_type: string }

type Match = Pick<FoundObservation, 'kind' | 'text'> & { readonly from: number; readonly to: number }

const words = (...list: string[]) => list.map(foldThaiText)
const includesAny = (text: string, list: readonly string[]) => list.some((word) => text.includes(word))

/** Characters of folded text around a clause that may state an exception: about two printed lines. */
const BEFORE = 80
const AFTER = 120
const surroundings = (text: string, from: number, to: number) => text.slice(Math.max(0, from - BEFORE), to + AFTER)

const NAMED_BRAND = /(?:ยีหอ|เครืองหมายการคา|ตราสินคา)[:"“‘'(]{0,2}([a-z][a-z0-9&.+-]{1,30})/g
const BRAND_EXCEPTIONS = words('เทียบเท่า', 'หรือดีกว่า', 'อะไหล่', 'ของเดิม', 'เดิม', 'ที่มีอยู่', 'เช่น', 'ตัวอย่าง')
const BRAND_LAW = getCurrentProcurementRule('specificationNamesNoBrand').source

function findBrands({ text, original }: TextView): Match[] {
  return [...text.matchAll(NAMED_BRAND)].flatMap((match) => {
    const to = match.index + match[0].length
    if (includesAny(surroundings(text, match.index, to), BRAND_EXCEPTIONS)) return []
    const name = original(to - match[1]!.length, to).trim()
    return [
      {
        kind: 'brand',
        from: match.index,
        to,
        text: `ข้อนี้ระบุยี่ห้อ “${name}” และไม่พบคำว่า “หรือเทียบเท่า” ขอให้พิจารณากำหนดเป็นคุณลักษณะของงาน หรือรับของที่เทียบเท่าด้วย (${formatLawClause(BRAND_LAW)})`,
      },
    ]
  })
}

const ONLY = foldThaiText('เท่านั้น')
const MEASURES = words(
  'ขนาด',
  'ความจุ',
  'ความเร็ว',
  'ความละเอียด',
  'กำลังไฟ',
  'กำลังส่ง',
  'น้ำหนัก',
  'แรงดัน',
  'ความกว้าง',
  'ความยาว',
  'ความสูง',
  'รุ่น',
)
const RANGES = words('ไม่น้อยกว่า', 'ไม่ต่ำกว่า', 'ไม่เกิน', 'ไม่มากกว่า', 'หรือดีกว่า', 'เทียบเท่า', 'ถึง', '±', 'ระหว่าง')
const COUNTRIES = words(
  'ญี่ปุ่น',
  'เยอรมัน',
  'เยอรมนี',
  'สหรัฐ',
  'อเมริกา',
  'อังกฤษ',
  'ฝรั่งเศส',
  'อิตาลี',
  'สวิต',
  'สวีเดน',
  'เกาหลี',
  'ไต้หวัน',
  'จีน',
  'ยุโรป',
)
const MADE_IN = /(?:ผลิต|ผลิตภัณฑ|แหลงกำเนิด)(?:จาก|ใน|ของ)(?:ประเทศ|ทวีป)/g
/** Maximum folded characters between a measure and the word for "only". */
const MEASURE_REACH = 70

function findFixedSpecifications({ text }: TextView): Match[] {
  const matches: Match[] = []
  const add = (from: number, to: number, what: string) =>
    matches.push({
      kind: 'fixed_specification',
      from,
      to,
      text: `ข้อนี้${what} ขอให้พิจารณากำหนดเป็นช่วงหรือค่าขั้นต่ำที่ใช้งานได้ เพื่อให้มีผู้ยื่นข้อเสนอได้หลายราย`,
    })
  for (let at = text.indexOf(ONLY); at !== -1; at = text.indexOf(ONLY, at + 1)) {
    const start = Math.max(0, at - MEASURE_REACH)
    const before = text.slice(start, at)
    const measure = Math.max(...MEASURES.map((word) => before.lastIndexOf(word)))
    const stated = measure === -1 ? '' : before.slice(measure)
    if (/\d/.test(stated) && !includesAny(stated, RANGES)) add(start + measure, at + ONLY.length, 'กำหนดค่าเดียว “เท่านั้น”')
  }
  for (const match of text.matchAll(MADE_IN)) {
    const to = match.index + match[0].length
    if (!COUNTRIES.some((country) => text.startsWith(country, to))) continue
    if (includesAny(surroundings(text, match.index, to), BRAND_EXCEPTIONS)) continue
    add(match.index, to + 4, 'กำหนดประเทศที่ผลิต')
  }
  return matches
}

/**
 * Share of the budget above which a minimum of past work is an observation. Guides for bidders call 30 to 50 % usual; no
 * law that was read states a limit, so the observation names none.
 */
const LARGE_PAST_WORK_SHARE = 0.5
/**
 * Days of delivery up to which time is an observation, for amounts that have to be announced to all bidders. No law
 * states a number.
 */
const SHORT_DELIVERY_DAYS = { construct: 30, goods: 15 }
const SMALL_BUDGET_BAHT = getCurrentProcurementRule('specificMethodBaht').value

function findShortTerms({ facts }: TextView, { budget, method_type }: ObservedProject): Match[] {
  if (budget === null) return []
  return facts.flatMap(({ fact, value, from, to }): Match[] => {
    if (fact === 'past_work' && value?.kind === 'amount' && value.baht > budget * LARGE_PAST_WORK_SHARE)
      return [
        {
          kind: 'past_work',
          from,
          to,
          text: `ข้อนี้ต้องการผลงานไม่น้อยกว่า ${formatBaht(value.baht)} บาท คิดเป็น ${groupDigits((value.baht / budget) * 100, 0, 0)} % ของวงเงิน ${formatBaht(budget)} บาท ขอให้พิจารณาปรับให้เหมาะกับวงเงิน`,
        },
      ]
    const days = method_type === 'construct' ? SHORT_DELIVERY_DAYS.construct : SHORT_DELIVERY_DAYS.goods
    if (fact !== 'delivery' || value?.kind !== 'duration' || value.unit !== 'day' || value.count > days) return []
    if (budget <= SMALL_BUDGET_BAHT) return []
    return [
      {
        kind: 'delivery',
        from,
        to,
        text: `ข้อนี้ให้เวลาส่งมอบ ${value.count} วัน ขอให้พิจารณาขยายให้พอสำหรับการสั่งผลิตและขนส่ง เพื่อให้ผู้ที่ไม่มีของพร้อมส่งยื่นข้อเสนอได้`,
      },
    ]
  })
}

type TextView = {
  readonly text: string
  readonly original: (from: number, to: number) => string
  readonly facts: ReturnType<typeof findValueFacts>
}

/** Limits the length of the letter. No draft that we have read contains more. */
const MAX_OBSERVATIONS = 20

/**
 * Finds clauses that may narrow competition, in document order. Read page by page, so that a long draft blocks no other
 * request; a clause over two pages is missed. Equal lines are listed once.
 */
export async function findDraftObservations(
  pages: readonly string[],
  project: ObservedProject,
  yieldIfDue: EventLoopYielder,
): Promise<FoundObservation[]> {
  const observations: FoundObservation[] = []
  const seen = new Set<string>()
  for (const [index, page] of pages.entries()) {
    await yieldIfDue()
    const folded = new FoldedDocument([page])
    const view = {
      text: folded.text,
      original: (from: number, to: number) => folded.original(from, to),
      facts: findValueFacts(folded),
    }
    const matches = [...findBrands(view), ...findFixedSpecifications(view), ...findShortTerms(view, project)]
    for (const { kind, text, from, to } of matches.toSorted((a, b) => a.from - b.from)) {
      const { sentence } = folded.quote(from, to)
      const key = `${kind} ${foldThaiText(sentence)}`
      if (seen.has(key)) continue
      seen.add(key)
      observations.push({ kind, text, sentence, page: index + 1 })
      if (observations.length === MAX_OBSERVATIONS) return observations
    }
  }
  return observations
}
