import type { CompanyColumns } from '#server/market/company/memory/fact-columns.ts'
import type { ReportScope } from '#server/report/queries.ts'

export type WinScope = ReportScope & {
  readonly isMarket: boolean
  /** Count only projects of the demo data. Used for the demo when real projects were loaded too. */
  readonly isSampleOnly: boolean
}

/**
 * Spending of decided projects (`project_spending`) as parallel columns in project id order, regardless of the winner.
 */
export type SpendingColumns = {
  readonly size: number
  readonly department: Int32Array
  /** 0: unknown, also for `province`. */
  readonly year: Int16Array
  readonly province: Int16Array
  /** Ids in `match_values`. */
  readonly method: Int16Array
  /** Satang; NaN: unknown. */
  readonly spent: Float64Array
}

/**
 * The awards of a set of projects, from memory or SQL; counting is the same for both. `facts` and `decided` are
 * ascending indices into the columns, so facts are grouped by company.
 */
export type Awarded = {
  readonly columns: CompanyColumns
  readonly facts: Int32Array
  /** Exclusive upper bound of `columns.project`. */
  readonly projectCount: number
  readonly spending: SpendingColumns
  readonly decided: Int32Array
  /** By department id: a number shared by all units of an agency. */
  readonly agencyOf: Int32Array
  /** Exclusive upper bound of those numbers. */
  readonly agencyCount: number
  /** Returns a project number that sorts like project ids, and converts it back to an id. */
  readonly orderOfFact: (fact: number) => number
  readonly idOfOrder: (order: number) => string
  readonly idOfSpending: (place: number) => string
  /** Date of the company figures, UTC ISO; null before the first load. */
  readonly computedAt: string | null
}

export type Awards = Awarded & {
  readonly found: number
  /** Their numbers (see `orderOfFact`), unordered. */
  readonly foundOrders: () => Iterable<number>
  readonly isFound: (projectId: string) => boolean
}

/** Purchases of some units: department ids and fiscal years, both inclusive, open-ended when absent. */
export type Purchases = {
  readonly units: readonly number[]
  readonly yearFrom?: number | undefined
  readonly yearTo?: number | undefined
}
