import { z } from 'zod/mini'
import { formatCount } from '../thai/thai-number.ts'
import { companyRefSchema } from './company.ts'

/**
 * ข้อสังเกต: unusual patterns in the awards of a query, stated as plain facts with n, threshold and alternative
 * explanations. Response of `GET /who-wins/signs`. A sign means that something is worth checking, never that it is
 * wrong. Decision 0088 documents each threshold and the source of each code.
 */
export const UNUSUAL_AWARD_PATTERN_CODES = [
  'buyer_share',
  'two_winners',
  'same_two',
  'one_bidder',
  'low_discount',
  'above_reference',
  'below_threshold',
] as const
export type UnusualAwardPatternCode = (typeof UNUSUAL_AWARD_PATTERN_CODES)[number]

/** Thresholds above which a sign is reported. Shares are fractions of 1, money is in baht. */
export const UNUSUAL_AWARD_PATTERN_THRESHOLDS = {
  projects: 10,
  buyerShare: 0.5,
  buyerWins: 5,
  pairShare: 0.8,
  /** Minimum share of the smaller of two winners. Below it, the larger winner alone is the unusual fact. */
  pairLeast: 0.25,
  meetings: 8,
  meetingsShare: 0.8,
  oneBidderShare: 0.5,
  nearZero: 0.01,
  nearZeroShare: 0.8,
  /** Minimum excess of a group's share of near-zero discounts over their share in the whole query. */
  nearZeroAbove: 0.2,
  above: 5,
  aboveShare: 0.03,
  /** Price limit (inclusive) of the specific method, in baht. */
  border: 500_000,
  /** Width in baht of the window just below the price limit, and of the comparison window below that. */
  window: 50_000,
  belowBorder: 5,
  belowTimes: 5,
  belowOne: 5,
} as const

const points = (share: number) => `${formatCount(Math.round(share * 100))}%`
const L = UNUSUAL_AWARD_PATTERN_THRESHOLDS
const WINDOW = `${formatCount(L.border - L.window)}–${formatCount(L.border)}`
const COMPARISON_WINDOW = `${formatCount(L.border - 2 * L.window)}–${formatCount(L.border - L.window)}`

type SignText = {
  readonly title: string
  readonly examined: string
  readonly threshold: string
  readonly explanations: readonly string[]
  /** Red-flag indicator code of the Open Contracting Partnership; null when there is no equivalent. */
  readonly indicator: string | null
}

export const UNUSUAL_AWARD_PATTERN_TEXTS: Readonly<Record<UnusualAwardPatternCode, SignText>> = {
  buyer_share: {
    title: 'บริษัทเดียวได้งานส่วนใหญ่ของหน่วยงานในปีเดียว',
    examined: 'งานที่รู้ผลและรู้มูลค่า ตามหน่วยงานและปีงบประมาณ',
    threshold: `ตั้งแต่ ${points(L.buyerShare)} ของมูลค่าที่รู้ และชนะตั้งแต่ ${L.buyerWins} งาน ในหน่วยงานที่รู้ผลตั้งแต่ ${L.projects} งานในปีนั้น`,
    explanations: [
      'ตัวกรองแคบจนเหลืองานเฉพาะทางที่มีผู้ทำได้น้อยราย',
      'งานใหญ่งานเดียวดึงส่วนแบ่งทั้งปี ดูจำนวนงานประกอบ',
      'สินค้าหรือระบบเดิมที่ต้องใช้ผู้ผลิตรายเดิม เช่น อะไหล่ ลิขสิทธิ์ การบำรุงรักษา',
      'ผู้ขายเป็นรัฐวิสาหกิจหรือหน่วยงานที่กฎหมายให้ซื้อจากรายนั้น',
      'พื้นที่ห่างไกลที่มีผู้รับจ้างในระยะขนส่งไม่กี่ราย',
    ],
    indicator: 'R040',
  },
  two_winners: {
    title: 'สองบริษัทได้งานเกือบทั้งหมดของหน่วยงาน',
    examined: 'งานที่บริษัทชนะ ตามหน่วยงาน และรวมทั้งตัวกรอง',
    threshold: `สองรายรวมกันตั้งแต่ ${points(L.pairShare)} ของงานที่บริษัทชนะ รายที่น้อยกว่าไม่ต่ำกว่า ${points(L.pairLeast)} จากตั้งแต่ ${L.projects} งาน`,
    explanations: [
      'งานประเภทเดียวกันที่ในพื้นที่มีผู้รับจ้างสองราย',
      'ทั้งสองรายถือมาตรฐานหรือใบอนุญาตที่รายอื่นไม่มี',
      'สัญญารายปีหรือกรอบข้อตกลงที่สั่งหลายครั้ง แต่ละครั้งนับเป็นหนึ่งงาน',
      'งานที่บุคคลธรรมดาชนะไม่อยู่ในจำนวนนี้ ส่วนแบ่งจริงจึงต่ำกว่าได้',
    ],
    indicator: null,
  },
  same_two: {
    title: 'สองบริษัทยื่นงานเดียวกันซ้ำ และผู้ชนะมักเป็นรายเดิม',
    examined: 'งานแข่งขันที่รู้ผลและรู้รายชื่อผู้ยื่น ทุกคู่บริษัท',
    threshold: `พบกันตั้งแต่ ${L.meetings} งาน และรายเดียวกันชนะตั้งแต่ ${points(L.meetingsShare)}`,
    explanations: [
      'ตลาดเฉพาะทางที่ผู้ยื่นเป็นรายเดิมเสมอ',
      'รายหนึ่งมีต้นทุนต่ำกว่าจริง เช่น เป็นผู้ผลิตหรืออยู่ใกล้หน้างาน',
      'ผู้ประกอบการ SME ได้แต้มต่อด้านราคา',
      'มีผู้ยื่นรายอื่นด้วยในงานเดียวกัน คู่นี้ไม่ได้แข่งกันเพียงสองราย',
    ],
    indicator: 'R053',
  },
  one_bidder: {
    title: 'งานแข่งขันที่มีบริษัทเดียวยื่น',
    examined: 'งานแข่งขันที่รู้ผลและรู้รายชื่อผู้ยื่น ตามหน่วยงาน',
    threshold: `ตั้งแต่ ${points(L.oneBidderShare)} ของงานที่รู้รายชื่อผู้ยื่น ตั้งแต่ ${L.projects} งาน`,
    explanations: [
      'รายชื่อผู้ยื่นที่เผยแพร่ไม่ครบ หรือแสดงเฉพาะผู้ผ่านการพิจารณา',
      'บุคคลธรรมดาที่ยื่นด้วยไม่ถูกนับ',
      'งานขนาดเล็กหรือห่างไกลที่ไม่คุ้มค่ายื่นสำหรับรายอื่น',
      'งานเฉพาะทางที่มีผู้ทำได้รายเดียวในช่วงนั้น',
    ],
    indicator: 'R018',
  },
  low_discount: {
    title: 'ราคาที่ชนะชิดราคากลางเกือบทุกงาน',
    examined: 'งานแข่งขันที่มีผู้ชนะรายเดียว รู้ราคากลางและราคาที่ชนะ ตามหน่วยงาน',
    threshold: `ลดไม่ถึง ${points(L.nearZero)} ตั้งแต่ ${points(L.nearZeroShare)} ของงาน และมากกว่าสัดส่วนของทั้งตัวกรองตั้งแต่ ${Math.round(L.nearZeroAbove * 100)} จุด จากตั้งแต่ ${L.projects} งาน`,
    explanations: [
      'ราคากลางตั้งจากราคาตลาดล่าสุดหรือจากใบเสนอราคา จึงไม่เหลือส่วนลด',
      'สินค้าที่ราคาถูกกำหนดไว้ เช่น น้ำมัน ยา นมโรงเรียน ไฟฟ้า',
      'ต้นทุนขึ้นหลังประกาศราคากลาง ผู้ยื่นจึงลดไม่ได้',
      'วงเงินงบประมาณต่ำกว่าราคาตลาด ผู้ยื่นเสนอเต็มวงเงิน',
    ],
    indicator: 'R031',
  },
  above_reference: {
    title: 'ราคาที่ชนะสูงกว่าราคากลาง',
    examined: 'งานแข่งขันที่มีผู้ชนะรายเดียว รู้ราคากลางและราคาที่ชนะ ตามหน่วยงาน',
    threshold: `ตั้งแต่ ${L.above} งาน และตั้งแต่ ${points(L.aboveShare)} ของงาน จากตั้งแต่ ${L.projects} งาน`,
    explanations: [
      'ครุภัณฑ์ที่ราคากลางเป็นราคามาตรฐานซึ่งต่ำกว่าราคาตลาด เช่น รถยนต์',
      'ราคากลางในข้อมูลเป็นของบางรายการ แต่ราคาที่ชนะเป็นของทั้งสัญญา',
      'ราคากลางพิมพ์ผิดหลัก หรือไม่ได้ปรับตามประกาศฉบับแก้ไข',
      'ราคาที่ชนะรวมภาษีหรือค่าบริการหลายปี ส่วนราคากลางไม่รวม',
      'ต่อรองแล้วราคายังสูงกว่า และหน่วยงานรับไว้ด้วยเหตุผลของงาน',
    ],
    indicator: 'R031',
  },
  below_threshold: {
    title: `ราคากระจุกใต้ ${formatCount(L.border)} บาทในเดือนเดียว`,
    examined: `งานวิธีเฉพาะเจาะจงที่บริษัทเดียวชนะ ราคา ${COMPARISON_WINDOW} และ ${WINDOW} บาท ตามหน่วยซื้อและเดือนที่ประกาศผล`,
    threshold: `ตั้งแต่ ${L.belowBorder} งานในช่วง ${WINDOW} บาท ตั้งแต่ ${L.belowTimes} เท่าของช่วง ${COMPARISON_WINDOW} บาท และบริษัทเดียวได้ตั้งแต่ ${L.belowOne} งาน`,
    explanations: [
      'งบประมาณจัดสรรเป็นก้อนขนาดเท่ากัน เช่น ถนนหมู่บ้านละ 500,000 บาท',
      'โรงเรียนหรือสถานีหลายแห่งซื้อของแบบเดียวกัน แต่ลงข้อมูลในหน่วยเดียว',
      'ปลายปีงบประมาณที่เซ็นสัญญาพร้อมกันหลายงาน',
      'งานคนละประเภท คนละพื้นที่ ที่บังเอิญมีราคาใกล้กัน ดูชื่องานประกอบ',
    ],
    indicator: 'R049',
  },
}

const money = z.nullable(z.number())

/**
 * One fact: `count` of `n`. `rows`, `n_rows`, `beside_rows` and `one_rows` are values of the `rows` parameter of `GET
 * /who-wins/projects`. Money is baht, unknown is null.
 */
const unusualAwardPatternSchema = z.object({
  agency: z.nullable(z.string()),
  unit: z.nullable(z.string()),
  province: z.nullable(z.string()),
  /** The companies involved; for two, the one with more wins first. Never natural persons. */
  companies: z.array(companyRefSchema),
  year_from: z.nullable(z.number()),
  year_to: z.nullable(z.number()),
  /** Year and month, such as `2025-03`. */
  month: z.nullable(z.string()),
  count: z.number(),
  n: z.number(),
  /** Value compared with the threshold: share of the value for `buyer_share`, of the count otherwise. */
  share: money,
  /**
   * For `buyer_share`: value won by the company, with the total value of the agency in `whole`. For `below_threshold`:
   * total value of the awards in the window.
   */
  value: money,
  whole: money,
  /** For `low_discount`: the same share over the whole query. */
  usual: money,
  /**
   * For `below_threshold`: awards in the comparison window, companies in the window (`winners`), and awards of the
   * company with the most (`of_one`).
   */
  beside: money,
  winners: money,
  of_one: money,
  rows: z.string(),
  n_rows: z.string(),
  beside_rows: z.nullable(z.string()),
  one_rows: z.nullable(z.string()),
})
export type UnusualAwardPattern = z.output<typeof unusualAwardPatternSchema>

export const MAX_UNUSUAL_AWARD_PATTERNS_PER_KIND = 10

export const unusualAwardPatternsSchema = z.object({
  decided: z.number(),
  won: z.number(),
  computed_at: z.nullable(z.string()),
  total: z.number(),
  /**
   * Kinds in the order of `UNUSUAL_AWARD_PATTERN_CODES`. `projects` and `groups` count what was evaluated; groups that are too small are
   * skipped.
   */
  kinds: z.array(
    z.object({
      sign: z.enum(UNUSUAL_AWARD_PATTERN_CODES),
      projects: z.number(),
      groups: z.number(),
      total: z.number(),
      results: z.array(unusualAwardPatternSchema),
    }),
  ),
  ignored_parameters: z.array(z.string()),
})
export type UnusualAwardPatterns = z.output<typeof unusualAwardPatternsSchema>

const FIGURE_TEXTS: Readonly<Record<string, string>> = {
  agency_year: 'งานที่รู้ผลของหน่วยงานในปีงบประมาณ',
  buyer_share: 'งานที่บริษัทชนะในหน่วยงานและปีงบประมาณนี้',
  won_at: 'งานที่บริษัทชนะ',
  two_winners: 'งานที่สองบริษัทนี้ชนะ',
  met: 'งานที่สองบริษัทนี้ยื่นด้วยกัน',
  met_won: 'งานที่ยื่นด้วยกันและรายนี้ชนะ',
  known_bids: 'งานแข่งขันที่รู้รายชื่อผู้ยื่น',
  one_bidder: 'งานแข่งขันที่มีบริษัทเดียวยื่น',
  compared: 'งานแข่งขันที่เทียบราคากลางได้',
  low_discount: `งานที่ลดไม่ถึง ${points(L.nearZero)}`,
  above_reference: 'งานที่ราคาสูงกว่าราคากลาง',
  around_border: `งานวิธีเฉพาะเจาะจง ${formatCount(L.border - 2 * L.window)}–${formatCount(L.border)} บาท`,
  below_threshold: `งานวิธีเฉพาะเจาะจง ${WINDOW} บาท`,
  beside_border: `งานวิธีเฉพาะเจาะจง ${COMPARISON_WINDOW} บาท`,
  below_by_one: `งานของบริษัทนี้ ${WINDOW} บาท`,
}

export function formatUnusualAwardPatternRows(rows: string): string | undefined {
  const kind = rows.slice(0, Math.max(rows.indexOf(':'), 0))
  return Object.hasOwn(FIGURE_TEXTS, kind) ? FIGURE_TEXTS[kind] : undefined
}
