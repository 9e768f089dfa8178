import {
  BIDDER_COVERAGE_MASK,
  COMPANY_FACT_AGAINST_BUDGET_FLAG,
  COMPANY_FACT_DECIDED_FLAG,
  COMPANY_FACT_WINNER_FLAG,
  MISSING_DAY_NUMBER,
} from '#server/market/company/memory/company-fact-columns.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { AwardSet } from './award-set.ts'
import { getReferencePriceBin } from './discount-bins.ts'
import { KeyedTotals } from './keyed-totals.ts'
import { dayToMonthNumber } from './month-number.ts'

/** Rows scanned before yielding to the event loop: about 5 ms. */
const ROWS_PER_SLICE = 200_000

const MAX_KEYS = 0x8000
const MAX_PROVINCE_CODES = 128
const TOTAL_KEY = 0

export type CompanyAwardCounts = {
  readonly wins: Int32Array
  /** Value of the wins in satang; NaN if every value is unknown. */
  readonly value: Float64Array
  readonly bids: Int32Array
  readonly decided: Int32Array
  readonly bidsWon: Int32Array
  readonly firstWin: Int32Array
  readonly lastWin: Int32Array
  /** The discounts of company `c` are `rates[rateStarts[c]]` up to `rateStarts[c] + rated[c]`. */
  readonly rateStarts: Int32Array
  readonly rated: Int32Array
}

export type AwardCounts = {
  readonly companies: CompanyAwardCounts
  /** Discounts against the reference price (D20), grouped by company; `bases` are the reference prices in satang. */
  readonly rates: Float64Array
  readonly bases: Float64Array
  readonly bins: Uint8Array
  readonly againstBudget: number
  /**
   * `coverage` counts the projects with a company by what is known of their bidders: only the winner, names, or all
   * prices. `won` counts the projects that companies won.
   */
  readonly coverage: readonly [number, number, number]
  readonly won: number
  readonly bidders: number
  readonly yearFrom: number | null
  readonly yearTo: number | null
  readonly months: KeyedTotals
  /** Won projects of agency `a` by calendar month: twelve entries from `a * 12`. */
  readonly agencyMonths: Int32Array
  readonly total: KeyedTotals
  readonly agencies: KeyedTotals
  /** For each agency number, any one of the agency's units. */
  readonly unitOf: Int32Array
  readonly years: KeyedTotals
  readonly methods: KeyedTotals
  readonly provinces: KeyedTotals
  readonly amountsInDoubt: number
}

export async function countAwards(awards: AwardSet): Promise<AwardCounts> {
  return { ...(await countFacts(awards)), ...(await countSpending(awards)) }
}

async function countFacts({ columns, facts, projectCount, agencyOf, agencyCount }: AwardSet) {
  const { company, project, department, year, flags, value, base, decidedOn } = columns
  const count = columns.companyIds.length
  const companies: CompanyAwardCounts = {
    wins: new Int32Array(count),
    value: new Float64Array(count).fill(Number.NaN),
    bids: new Int32Array(count),
    decided: new Int32Array(count),
    bidsWon: new Int32Array(count),
    firstWin: new Int32Array(count).fill(MISSING_DAY_NUMBER),
    lastWin: new Int32Array(count).fill(MISSING_DAY_NUMBER),
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
  // One byte per project. Bit 0: the project has a fact. Bit 1: it has a winner.
  const met = new Uint8Array(projectCount)
  const months = new KeyedTotals(MAX_KEYS)
  const agencyMonths = new Int32Array(agencyCount * 12)
  for (let at = 0; at < facts.length; at += 1) {
    if (at % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
    const fact = facts[at]!
    const flag = flags[fact]!
    const factCoverage = flag & BIDDER_COVERAGE_MASK
    const isWinner = (flag & COMPANY_FACT_WINNER_FLAG) !== 0
    const companyNumber = company[fact]!
    const of = project[fact]!
    if (met[of] === 0) {
      coverage[factCoverage as 0 | 1 | 2] += 1
      const fiscal = year[fact]!
      if (fiscal > 0 && fiscal < yearFrom) yearFrom = fiscal
      if (fiscal > yearTo) yearTo = fiscal
    }
    met[of] = met[of]! | 1
    if (factCoverage > 0) {
      bidders += 1
      companies.bids[companyNumber] = companies.bids[companyNumber]! + 1
      if ((flag & COMPANY_FACT_DECIDED_FLAG) !== 0)
        companies.decided[companyNumber] = companies.decided[companyNumber]! + 1
      if (isWinner) companies.bidsWon[companyNumber] = companies.bidsWon[companyNumber]! + 1
    }
    if (!isWinner) continue
    const satang = value[fact]!
    const day = decidedOn[fact]!
    companies.wins[companyNumber] = companies.wins[companyNumber]! + 1
    if (!Number.isNaN(satang)) {
      const previous = companies.value[companyNumber]!
      companies.value[companyNumber] = (Number.isNaN(previous) ? 0 : previous) + satang
    }
    const isFirst = (met[of]! & 2) === 0
    met[of] = met[of]! | 2
    if (isFirst) won += 1
    if (day !== MISSING_DAY_NUMBER) {
      const firstWin = companies.firstWin[companyNumber]!
      if (firstWin === MISSING_DAY_NUMBER || day < firstWin) companies.firstWin[companyNumber] = day
      if (day > companies.lastWin[companyNumber]!) companies.lastWin[companyNumber] = day
      const month = dayToMonthNumber(day)
      months.addValue(month, satang)
      if (isFirst) {
        months.count(month)
        const slot = agencyOf[department[fact]!]! * 12 + (month % 12)
        agencyMonths[slot] = agencyMonths[slot]! + 1
      }
    }
    const basePrice = base[fact]!
    if (Number.isNaN(basePrice)) continue
    if ((flag & COMPANY_FACT_AGAINST_BUDGET_FLAG) !== 0) {
      againstBudget += 1
      continue
    }
    if (companies.rated[companyNumber] === 0) companies.rateStarts[companyNumber] = rated
    companies.rated[companyNumber] = companies.rated[companyNumber]! + 1
    rates[rated] = (basePrice - satang) / basePrice
    bases[rated] = basePrice
    bins[rated] = getReferencePriceBin(basePrice, satang)
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

async function countSpending({ spending, decided, agencyOf, agencyCount }: AwardSet) {
  const { department, year, province, method, spent, inDoubt } = spending
  const [total, agencies, unitOf] = [new KeyedTotals(1), new KeyedTotals(agencyCount), new Int32Array(agencyCount)]
  const [years, methods, provinces] = [
    new KeyedTotals(MAX_KEYS),
    new KeyedTotals(MAX_KEYS),
    new KeyedTotals(MAX_PROVINCE_CODES),
  ]
  let amountsInDoubt = 0
  for (let at = 0; at < decided.length; at += 1) {
    if (at % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
    const row = decided[at]!
    const satang = spent[row]!
    const unit = department[row]!
    const agency = agencyOf[unit]!
    unitOf[agency] = unit
    total.add(TOTAL_KEY, satang)
    agencies.add(agency, satang)
    years.add(year[row]!, satang)
    methods.add(method[row]!, satang)
    provinces.add(province[row]!, satang)
    amountsInDoubt += inDoubt[row]!
  }
  return { total, agencies, unitOf, years, methods, provinces, amountsInDoubt }
}
