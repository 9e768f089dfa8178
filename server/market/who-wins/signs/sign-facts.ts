import { UNUSUAL_AWARD_PATTERN_THRESHOLDS } from '#contract/market/unusual-award-patterns.ts'
import {
  BIDDER_COVERAGE_MASK,
  COMPANY_FACT_AGAINST_BUDGET_FLAG,
  COMPANY_FACT_DECIDED_FLAG,
  COMPANY_FACT_WINNER_FLAG,
  type CompanyFactColumns,
  MISSING_DAY_NUMBER,
} from '#server/market/company/memory/company-fact-columns.ts'

/** Rows scanned before yielding to the event loop: about 5 ms. */
export const UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE = 200_000

/**
 * Methods that invite several bidders: price enquiry, open or selective invitation. Direct purchases have no
 * competition.
 */
const COMPETITIVE_METHODS: ReadonlySet<string> = new Set([
  'e_bidding',
  'e_market',
  'selective',
  'price_enquiry',
  'consultant_open',
  'consultant_selective',
  'design_open',
  'design_selective',
  'design_contest',
])

export type UnusualAwardPatternMethods = {
  readonly competitive: ReadonlySet<number>
  readonly specific: number | undefined
}

export function toUnusualAwardPatternMethods(texts: ReadonlyMap<number, string>): UnusualAwardPatternMethods {
  const competitive = new Set<number>()
  let specific: number | undefined
  for (const [number, text] of texts) {
    if (COMPETITIVE_METHODS.has(text)) competitive.add(number)
    if (text === 'specific') specific = number
  }
  return { competitive, specific }
}

type FactPriceColumns = Pick<CompanyFactColumns, 'flags' | 'base' | 'value' | 'method' | 'decidedOn'>

export const isWinningCompanyFact = ({ flags }: FactPriceColumns, fact: number): boolean =>
  (flags[fact]! & COMPANY_FACT_WINNER_FLAG) !== 0

export const isKnownBidCompanyFact = (
  { flags, method }: FactPriceColumns,
  { competitive }: UnusualAwardPatternMethods,
  fact: number,
): boolean =>
  (flags[fact]! & BIDDER_COVERAGE_MASK) > 0 &&
  (flags[fact]! & COMPANY_FACT_DECIDED_FLAG) !== 0 &&
  competitive.has(method[fact]!)

/**
 * True if the company is the only winner of a competitive project with a price and a reference price. So at most one
 * fact of a project is counted.
 */
export const isPriceComparable = (
  { flags, base, method }: FactPriceColumns,
  { competitive }: UnusualAwardPatternMethods,
  fact: number,
): boolean =>
  !Number.isNaN(base[fact]!) &&
  (flags[fact]! & COMPANY_FACT_AGAINST_BUDGET_FLAG) === 0 &&
  competitive.has(method[fact]!)

/** Reciprocal of the threshold, rounded to an integer, because multiplying whole satang by an integer is exact. */
const NEAR_ZERO_FACTOR = Math.round(1 / UNUSUAL_AWARD_PATTERN_THRESHOLDS.nearZero)
/** True for a price at, or less than 1 % below, the reference price. */
export const isNearReferencePrice = ({ base, value }: FactPriceColumns, fact: number): boolean =>
  value[fact]! <= base[fact]! && (base[fact]! - value[fact]!) * NEAR_ZERO_FACTOR < base[fact]!

export const isAboveReferencePrice = ({ base, value }: FactPriceColumns, fact: number): boolean =>
  value[fact]! > base[fact]!

const BORDER_SATANG = UNUSUAL_AWARD_PATTERN_THRESHOLDS.border * 100
const WINDOW_SATANG = UNUSUAL_AWARD_PATTERN_THRESHOLDS.window * 100

/**
 * Returns the price window of a purchase by the specific method with a single winner: 1 for prices just below the
 * threshold or equal to it, 2 for the window below that; 0 for other prices, other methods and unknown days. Requires
 * the whole price (D20), so that two winners of one project do not count as two purchases.
 */
export function getThresholdPriceWindow(
  { base, value, method, decidedOn }: FactPriceColumns,
  { specific }: UnusualAwardPatternMethods,
  fact: number,
): 0 | 1 | 2 {
  const satang = value[fact]!
  if (!(satang > BORDER_SATANG - 2 * WINDOW_SATANG && satang <= BORDER_SATANG)) return 0
  if (method[fact] !== specific || Number.isNaN(base[fact]!) || decidedOn[fact] === MISSING_DAY_NUMBER) return 0
  return satang > BORDER_SATANG - WINDOW_SATANG ? 1 : 2
}

/**
 * A finding about a group of projects. Ids are column numbers, money is in satang; which optional fields are set
 * depends on the kind.
 */
export type UnusualAwardPatternFinding = {
  /** Any unit of the department, which identifies the department; undefined if the sign covers the whole query. */
  readonly unit?: number | undefined
  readonly companies: readonly number[]
  /** Fiscal years of the finding; 0 means unknown. */
  readonly yearFrom: number
  readonly yearTo: number
  readonly month?: number
  readonly count: number
  readonly n: number
  readonly share: number
  readonly value?: number
  readonly totalValue?: number
  readonly usual?: number
  readonly comparison?: number
  readonly winners?: number
  readonly ofOne?: number
}

/**
 * `projects` counts the projects examined, `groups` the groups large enough; `signs` are the findings above the
 * threshold, strongest first.
 */
export type UnusualAwardPatternKindResult = {
  readonly projects: number
  readonly groups: number
  readonly signs: UnusualAwardPatternFinding[]
}

export class YearRangesByGroup {
  readonly #from: Int16Array
  readonly #to: Int16Array

  constructor(groups: number) {
    this.#from = new Int16Array(groups).fill(0x7fff)
    this.#to = new Int16Array(groups)
  }

  add(group: number, year: number): void {
    if (year <= 0) return
    if (year < this.#from[group]!) this.#from[group] = year
    if (year > this.#to[group]!) this.#to[group] = year
  }

  of(group: number): { readonly yearFrom: number; readonly yearTo: number } {
    const yearTo = this.#to[group]!
    return { yearFrom: yearTo === 0 ? 0 : this.#from[group]!, yearTo }
  }
}
