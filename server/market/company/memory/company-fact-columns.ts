import sql from 'sql-template-tag'
import { IS_WIN_VALUE_IN_DOUBT_SQL } from '#server/market/company/company-scope.ts'
import type { ProjectKeyRowMap } from '#server/platform/text/project-key.ts'

export const BYTES_PER_COMPANY_FACT = 90

/** Marks a missing day in `lastWin` and `decidedOn`. */
export const MISSING_DAY_NUMBER = -0x8000_0000

/** Bits of `CompanyFactColumns.flags`. The lowest two contain the coverage. */
export const BIDDER_COVERAGE_MASK = 3
export const COMPANY_FACT_WINNER_FLAG = 4
export const COMPANY_FACT_DECIDED_FLAG = 8
export const COMPANY_FACT_AGAINST_BUDGET_FLAG = 16
export const COMPANY_FACT_VALUE_IN_DOUBT_FLAG = 32

export const COMPANY_FACT_FLAGS_SQL = sql`(f.coverage + case when f.is_winner then ${COMPANY_FACT_WINNER_FLAG}::int else 0 end + case when f.is_decided then ${COMPANY_FACT_DECIDED_FLAG}::int else 0 end
  + case when f.is_against_budget then ${COMPANY_FACT_AGAINST_BUDGET_FLAG}::int else 0 end + case when ${IS_WIN_VALUE_IN_DOUBT_SQL} then ${COMPANY_FACT_VALUE_IN_DOUBT_FLAG}::int else 0 end)`

/**
 * All facts of `company_projects` as parallel columns, ordered by company and project. Companies and projects are
 * numbered from 0. A fact takes 79 bytes: 68 MB for the 858,524 facts of a fiscal year.
 */
export type CompanyFactTable = CompanyFactColumns & {
  readonly projects: ProjectKeyRowMap
  readonly projectKeys: Float64Array
  readonly projectCount: number
}

export type CompanyFactColumns = {
  readonly size: number
  /** Ids of the companies, ascending. The facts of `companyIds[i]` are at `starts[i]` up to `starts[i + 1]`. */
  readonly companyIds: Int32Array
  readonly starts: Int32Array
  readonly company: Int32Array
  readonly project: Int32Array
  readonly department: Int32Array
  /** Fiscal year. 0 means unknown, as it does for `province`. */
  readonly year: Int16Array
  readonly province: Int16Array
  readonly method: Int16Array
  readonly methodType: Int16Array
  readonly flags: Uint8Array
  /** In satang; NaN if unknown. */
  readonly value: Float64Array
  readonly base: Float64Array
  /** In days since 2000. For undecided projects `decidedOn` is `MISSING_DAY_NUMBER` and `day` the last known day. */
  readonly decidedOn: Int32Array
  readonly day: Int32Array
  readonly criteria: Int16Array
  readonly bid: Float64Array
  readonly reference: Float64Array
  /** Known contract amounts of all facts, satang; fact `i` has `amountStarts[i]` up to `amountStarts[i + 1]`. */
  readonly amounts: Float64Array
  readonly amountStarts: Int32Array
  /**
   * End days of open contracts, with the layout of `amounts`. A closed contract (null in `open_until`) has no entry.
   */
  readonly untils: Int32Array
  readonly untilStarts: Int32Array
}

export const getCompanyFactTableBytes = ({ size, projects, projectKeys, companyIds }: CompanyFactTable): number =>
  size * BYTES_PER_COMPANY_FACT + projects.usedBytes + projectKeys.byteLength + companyIds.byteLength * 2

/** Returns the indexes of a company's facts; with `reportFacts` (ascending indexes), only those among them. */
export function getCompanyFactIndexes(
  { starts }: CompanyFactColumns,
  reportFacts: Int32Array | undefined,
  company: number,
): Int32Array {
  const [from, to] = [starts[company]!, starts[company + 1]!]
  if (!reportFacts) {
    const facts = new Int32Array(to - from)
    for (let at = 0; at < facts.length; at += 1) facts[at] = from + at
    return facts
  }
  const first = findLowerBoundIndex(reportFacts, from)
  return reportFacts.subarray(first, findLowerBoundIndex(reportFacts, to))
}

export function findLowerBoundIndex(numbers: Int32Array, bound: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < bound) low = middle + 1
    else high = middle
  }
  return low
}
