import { SIGN_LIMITS } from '#contract/market/odd-signs.ts'
import {
  COVERAGE,
  type CompanyColumns,
  IS_AGAINST_BUDGET,
  IS_DECIDED,
  IS_WINNER,
  NO_DAY,
} from '#server/market/company/memory/fact-columns.ts'

/** Facts or projects looked at before others get their turn: about 5 ms. */
export const ROWS_A_TURN = 200_000

/** Methods in which several are asked to bid: a price enquiry, an invitation to all or to some. What is bought from one alone has no competition to speak of. */
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

/** Numbers of the methods by which signs tell projects apart. */
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

/** A company that bid in a decided project with competition whose bidders are known. */
export const isKnownBid = ({ flags, method }: Facts, { competitive }: SignMethods, fact: number): boolean =>
  (flags[fact]! & COVERAGE) > 0 && (flags[fact]! & IS_DECIDED) !== 0 && competitive.has(method[fact]!)

/** The one winner of a project with competition whose price and reference price are known: one fact a project. */
export const isCompared = ({ flags, base, method }: Facts, { competitive }: SignMethods, fact: number): boolean =>
  !Number.isNaN(base[fact]!) && (flags[fact]! & IS_AGAINST_BUDGET) === 0 && competitive.has(method[fact]!)

/** Whole satang times this stay exact. */
const NEAR_PARTS = Math.round(1 / SIGN_LIMITS.nearZero)
/** Below the reference price by nothing or by less than a hundredth. */
export const isNearZero = ({ base, value }: Facts, fact: number): boolean =>
  value[fact]! <= base[fact]! && (base[fact]! - value[fact]!) * NEAR_PARTS < base[fact]!

export const isAbove = ({ base, value }: Facts, fact: number): boolean => value[fact]! > base[fact]!

const BORDER = SIGN_LIMITS.border * 100
const WINDOW = SIGN_LIMITS.window * 100

/**
 * Window of what the one winner of a project got by the specific method: 1 just below the border, the border itself among it, 2 its neighbour below; 0 anywhere else,
 * by another method, or on an unknown day. Needs a project whose whole price is known (D20), so that two winners of one project are not two purchases.
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

/** A fact about a group of projects, in numbers of the columns; money in satang. Not all have all of it. */
export type CountedSign = {
  /** A unit of the department; undefined: the whole question. */
  readonly unit?: number | undefined
  /** Numbers of companies. */
  readonly companies: readonly number[]
  /** Fiscal years; 0: unknown. */
  readonly yearFrom: number
  readonly yearTo: number
  /** As `monthOf`. */
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

/** How many projects were looked at, in how many groups that are large enough, and what is past the threshold, the strongest first. */
export type CountedKind = { readonly projects: number; readonly groups: number; readonly signs: CountedSign[] }

/** First and last fiscal year by group; unknown years are none. */
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
