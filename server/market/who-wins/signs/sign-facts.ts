import { SIGN_LIMITS } from '#contract/market/odd-signs.ts'
import {
  COVERAGE,
  type CompanyColumns,
  IS_AGAINST_BUDGET,
  IS_DECIDED,
  IS_WINNER,
  NO_DAY,
} from '#server/market/company/memory/fact-columns.ts'

/** Rows scanned before yielding to the event loop: about 5 ms. */
export const ROWS_A_TURN = 200_000

/**
 * Methods that invite several bidders: price enquiry, open or selective invitation. Direct purchases have no
 * competition.
 */
const COMPETITIVE: ReadonlySet<string> = new Set([
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

export type SignMethods = { readonly competitive: ReadonlySet<number>; readonly specific: number | undefined }

export function signMethodsOf(texts: ReadonlyMap<number, string>): SignMethods {
  const competitive = new Set<number>()
  let specific: number | undefined
  for (const [number, text] of texts) {
    if (COMPETITIVE.has(text)) competitive.add(number)
    if (text === 'specific') specific = number
  }
  return { competitive, specific }
}

type Facts = Pick<CompanyColumns, 'flags' | 'base' | 'value' | 'method' | 'decidedOn'>

export const isWin = ({ flags }: Facts, fact: number): boolean => (flags[fact]! & IS_WINNER) !== 0

/** A bid in a decided competitive project with a bidder list. */
export const isKnownBid = ({ flags, method }: Facts, { competitive }: SignMethods, fact: number): boolean =>
  (flags[fact]! & COVERAGE) > 0 && (flags[fact]! & IS_DECIDED) !== 0 && competitive.has(method[fact]!)

/** The only winner of a competitive project that has a price and a reference price: one fact per project. */
export const isCompared = ({ flags, base, method }: Facts, { competitive }: SignMethods, fact: number): boolean =>
  !Number.isNaN(base[fact]!) && (flags[fact]! & IS_AGAINST_BUDGET) === 0 && competitive.has(method[fact]!)

/** Multiplying whole satang by this is exact. */
const NEAR_PARTS = Math.round(1 / SIGN_LIMITS.nearZero)
/** At or less than 1 % below the reference price. */
export const isNearZero = ({ base, value }: Facts, fact: number): boolean =>
  value[fact]! <= base[fact]! && (base[fact]! - value[fact]!) * NEAR_PARTS < base[fact]!

export const isAbove = ({ base, value }: Facts, fact: number): boolean => value[fact]! > base[fact]!

const BORDER = SIGN_LIMITS.border * 100
const WINDOW = SIGN_LIMITS.window * 100

/**
 * Price window of a purchase by the specific method with a single winner: 1 just below the threshold (inclusive), 2 the
 * window below it, 0 elsewhere, by another method or on an unknown day. Requires the whole price (D20), so that two
 * winners of one project do not count as two purchases.
 */
export function windowOf(
  { base, value, method, decidedOn }: Facts,
  { specific }: SignMethods,
  fact: number,
): 0 | 1 | 2 {
  const satang = value[fact]!
  if (!(satang > BORDER - 2 * WINDOW && satang <= BORDER)) return 0
  if (method[fact] !== specific || Number.isNaN(base[fact]!) || decidedOn[fact] === NO_DAY) return 0
  return satang > BORDER - WINDOW ? 1 : 2
}

/**
 * A finding about a group of projects; ids are column numbers, money is in satang. Optional fields depend on the kind.
 */
export type CountedSign = {
  /** A unit of the department; undefined: the whole query. */
  readonly unit?: number | undefined
  readonly companies: readonly number[]
  /** Fiscal years; 0: unknown. */
  readonly yearFrom: number
  readonly yearTo: number
  readonly month?: number
  readonly count: number
  readonly n: number
  readonly share: number
  readonly value?: number
  readonly whole?: number
  readonly usual?: number
  readonly beside?: number
  readonly winners?: number
  readonly ofOne?: number
}

/**
 * Number of projects examined, number of groups large enough, and the findings above the threshold, strongest first.
 */
export type CountedKind = { readonly projects: number; readonly groups: number; readonly signs: CountedSign[] }

/** First and last fiscal year per group, ignoring unknown years. */
export class Years {
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
