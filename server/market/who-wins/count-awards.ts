import {
  COVERAGE,
  IS_AGAINST_BUDGET,
  IS_DECIDED,
  IS_WINNER,
  NO_DAY,
} from '#server/market/company/memory/fact-columns.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { Awarded } from './awards.ts'
import { binOf } from './discounts.ts'
import { monthOf } from './month-number.ts'
import { Sums } from './sums.ts'

/** Rows scanned before yielding to the event loop: about 5 ms. */
const ROWS_A_TURN = 200_000

/** Exclusive upper bound of month numbers, fiscal years and kinds. */
const NUMBERS = 0x8000
const PROVINCES = 128
const ALL = 0

export type CountedCompanies = {
  readonly wins: Int32Array
  /** Satang; NaN: every value is unknown. */
  readonly value: Float64Array
  readonly bids: Int32Array
  readonly decided: Int32Array
  readonly bidsWon: Int32Array
  readonly first: Int32Array
  readonly last: Int32Array
  /** The discounts of company `c` are `rates[rateStarts[c]]` up to `rateStarts[c] + rated[c]`. */
  readonly rateStarts: Int32Array
  readonly rated: Int32Array
}

export type CountedAwards = {
  readonly companies: CountedCompanies
  /** Discounts against the reference price (D20), grouped by company, and the reference prices in satang. */
  readonly rates: Float64Array
  readonly bases: Float64Array
  readonly bins: Uint8Array
  readonly againstBudget: number
  /** Projects with a company by coverage (winner only, names, all prices), and the number won by companies. */
  readonly coverage: readonly [number, number, number]
  readonly won: number
  readonly bidders: number
  readonly yearFrom: number | null
  readonly yearTo: number | null
  /** By month number (`monthOf`): projects won by companies, and their value. */
  readonly months: Sums
  /** Won projects of agency `a` by calendar month: twelve entries from `a * 12`. */
  readonly agencyMonths: Int32Array
  readonly total: Sums
  readonly agencies: Sums
  /** One unit of each agency, by agency number. */
  readonly unitOf: Int32Array
  readonly years: Sums
  readonly methods: Sums
  readonly provinces: Sums
}

export async function countAwards(awards: Awarded): Promise<CountedAwards> {
  return { ...(await countFacts(awards)), ...(await countSpending(awards)) }
}

async function countFacts({ columns, facts, projectCount, agencyOf, agencyCount }: Awarded) {
  const { company, project, department, year, flags, value, base, decidedOn } = columns
  const count = columns.companyIds.length
  const companies: CountedCompanies = {
    wins: new Int32Array(count),
    value: new Float64Array(count).fill(Number.NaN),
    bids: new Int32Array(count),
    decided: new Int32Array(count),
    bidsWon: new Int32Array(count),
    first: new Int32Array(count).fill(NO_DAY),
    last: new Int32Array(count).fill(NO_DAY),
    rateStarts: new Int32Array(count),
    rated: new Int32Array(count),
  }
  const [rates, bases, bins] = [
    new Float64Array(facts.length),
    new Float64Array(facts.length),
    new Uint8Array(facts.length),
  ]
  let [rated, againstBudget, won, bidders] = [0, 0, 0, 0]
  const coverage: [number, number, number] = [0, 0, 0]
  let [yearFrom, yearTo] = [0x7fff, 0]
  // Bit 0: the project has a fact; bit 1: it has a winner.
  const met = new Uint8Array(projectCount)
  const months = new Sums(NUMBERS)
  const agencyMonths = new Int32Array(agencyCount * 12)
  for (let at = 0; at < facts.length; at += 1) {
    if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToEventLoop()
    const fact = facts[at]!
    const flag = flags[fact]!
    const known = flag & COVERAGE
    const isWinner = (flag & IS_WINNER) !== 0
    const one = company[fact]!
    const of = project[fact]!
    if (met[of] === 0) {
      coverage[known as 0 | 1 | 2] += 1
      const fiscal = year[fact]!
      if (fiscal > 0 && fiscal < yearFrom) yearFrom = fiscal
      if (fiscal > yearTo) yearTo = fiscal
    }
    met[of] = met[of]! | 1
    if (known > 0) {
      bidders += 1
      companies.bids[one] = companies.bids[one]! + 1
      if ((flag & IS_DECIDED) !== 0) companies.decided[one] = companies.decided[one]! + 1
      if (isWinner) companies.bidsWon[one] = companies.bidsWon[one]! + 1
    }
    if (!isWinner) continue
    const satang = value[fact]!
    const day = decidedOn[fact]!
    companies.wins[one] = companies.wins[one]! + 1
    if (!Number.isNaN(satang)) {
      const before = companies.value[one]!
      companies.value[one] = (Number.isNaN(before) ? 0 : before) + satang
    }
    const isFirst = (met[of]! & 2) === 0
    met[of] = met[of]! | 2
    if (isFirst) won += 1
    if (day !== NO_DAY) {
      const first = companies.first[one]!
      if (first === NO_DAY || day < first) companies.first[one] = day
      if (day > companies.last[one]!) companies.last[one] = day
      const month = monthOf(day)
      months.addValue(month, satang)
      if (isFirst) {
        months.count(month)
        const place = agencyOf[department[fact]!]! * 12 + (month % 12)
        agencyMonths[place] = agencyMonths[place]! + 1
      }
    }
    const held = base[fact]!
    if (Number.isNaN(held)) continue
    if ((flag & IS_AGAINST_BUDGET) !== 0) {
      againstBudget += 1
      continue
    }
    if (companies.rated[one] === 0) companies.rateStarts[one] = rated
    companies.rated[one] = companies.rated[one]! + 1
    rates[rated] = (held - satang) / held
    bases[rated] = held
    bins[rated] = binOf(held, satang)
    rated += 1
  }
  return {
    companies,
    rates: rates.subarray(0, rated),
    bases: bases.subarray(0, rated),
    bins: bins.subarray(0, rated),
    againstBudget,
    coverage,
    won,
    bidders,
    yearFrom: yearTo === 0 ? null : yearFrom,
    yearTo: yearTo === 0 ? null : yearTo,
    months,
    agencyMonths,
  }
}

async function countSpending({ spending, decided, agencyOf, agencyCount }: Awarded) {
  const { department, year, province, method, spent } = spending
  const [total, agencies, unitOf] = [new Sums(1), new Sums(agencyCount), new Int32Array(agencyCount)]
  const [years, methods, provinces] = [new Sums(NUMBERS), new Sums(NUMBERS), new Sums(PROVINCES)]
  for (let at = 0; at < decided.length; at += 1) {
    if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToEventLoop()
    const place = decided[at]!
    const satang = spent[place]!
    const unit = department[place]!
    const agency = agencyOf[unit]!
    unitOf[agency] = unit
    total.add(ALL, satang)
    agencies.add(agency, satang)
    years.add(year[place]!, satang)
    methods.add(method[place]!, satang)
    provinces.add(province[place]!, satang)
  }
  return { total, agencies, unitOf, years, methods, provinces }
}
