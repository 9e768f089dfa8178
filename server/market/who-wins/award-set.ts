import type { CompanyFactColumns } from '#server/market/company/memory/company-fact-columns.ts'
import type { ReportScope } from '#server/report/report-queries.ts'

export type WhoWinsScope = ReportScope & {
  readonly isMarket: boolean
}

/**
 * Spending of decided projects (`project_spending`) as parallel columns in project id order, regardless of the winner.
 */
export type SpendingColumns = {
  readonly size: number
  readonly department: Int32Array
  /** Fiscal year. In `year` and `province`, 0 means unknown. */
  readonly year: Int16Array
  readonly province: Int16Array
  readonly method: Int16Array
  /** Spending in satang; NaN if unknown. `inDoubt` is 1 if an import left the price out as doubtful. */
  readonly spent: Float64Array
  readonly inDoubt: Uint8Array
}

/**
 * The awards of a set of projects, read from memory or by SQL; the code that counts them is the same for both. `facts`
 * and `decided` are ascending indexes into the columns, and facts are grouped by company.
 */
export type AwardSet = {
  readonly columns: CompanyFactColumns
  readonly facts: Int32Array
  readonly projectCount: number
  readonly spending: SpendingColumns
  readonly decided: Int32Array
  /** Maps a department id to a number that all units of the agency share. */
  readonly agencyOf: Int32Array
  readonly agencyCount: number
  /**
   * `orderOfFact` returns a number for the fact's project that sorts like project ids; `idOfOrder` converts it back to
   * an id, and `orderOfId` an id to its number, if the id has one.
   */
  readonly orderOfFact: (fact: number) => number
  readonly idOfOrder: (order: number) => string
  readonly orderOfId: (id: string) => number | undefined
  readonly idOfSpending: (row: number) => string
  /** Time at which the company figures were computed, UTC ISO; null before the first load. */
  readonly computedAt: string | null
}

export type SearchAwardSet = AwardSet & {
  readonly found: number
  /** Numbers of the matching projects (see `orderOfFact`), unordered. */
  readonly matchedOrders: () => Float64Array
  readonly isMatched: (projectId: string) => boolean
}

export type PurchaseFilter = {
  readonly units: readonly number[]
  readonly yearFrom?: number | undefined
  readonly yearTo?: number | undefined
}
