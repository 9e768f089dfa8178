import type { CompanyColumns } from '#server/market/company/memory/fact-columns.ts'
import type { ReportScope } from '#server/report/queries.ts'

/** Whose question, of which moment, and over which projects. */
export type WinScope = ReportScope & {
  /** All projects instead of those of the organisation's report. */
  readonly isMarket: boolean
  /** Only projects of the sample count: what the demo is shown where real ones were loaded too. */
  readonly isSampleOnly: boolean
}

/** What decided projects cost (`project_spending`), whoever won them: same place, same project, in the order of their ids. */
export type SpendingColumns = {
  readonly size: number
  /** Ids of departments. */
  readonly department: Int32Array
  /** 0: unknown, as province. */
  readonly year: Int16Array
  readonly province: Int16Array
  /** Numbers of `match_values`. */
  readonly method: Int16Array
  /** Satang; NaN: unknown. */
  readonly spent: Float64Array
}

/**
 * What was awarded in some projects: out of memory, or read by SQL. From here on there is one way to count. `facts` and `decided` are places in the columns,
 * ascending, so that facts come company by company.
 */
export type Awarded = {
  readonly columns: CompanyColumns
  readonly facts: Int32Array
  /** Numbers of the projects in `columns.project` are below this. */
  readonly projectCount: number
  readonly spending: SpendingColumns
  readonly decided: Int32Array
  /** By department id: a number that the units of one agency have in common. */
  readonly agencyOf: Int32Array
  /** The numbers are below this. */
  readonly agencyCount: number
  /** Number of the project of a fact, which sorts as the project's id does, and the id of such a number. */
  readonly orderOfFact: (fact: number) => number
  readonly idOfOrder: (order: number) => string
  /** Id of the project of a place in `spending`. */
  readonly idOfSpending: (place: number) => string
  /** Since when the companies are counted so, UTC ISO; null before the first load. */
  readonly computedAt: string | null
}

/** What was awarded in the projects that a search finds. */
export type Awards = Awarded & {
  /** Projects that the search finds. */
  readonly found: number
  /** Numbers of their ids, as `orderOfFact` has them, in no order. */
  readonly foundOrders: () => Iterable<number>
  /** Whether the search finds a project. */
  readonly isFound: (projectId: string) => boolean
}

/** What some purchasing units bought: ids of departments, and fiscal years, both sides inclusive and open where not said. */
export type Purchases = {
  readonly units: readonly number[]
  readonly yearFrom?: number | undefined
  readonly yearTo?: number | undefined
}
