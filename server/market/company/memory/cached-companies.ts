import type { LRUCache } from 'lru-cache'
import type { StatisticsScopeColumns } from '#server/market/company/company-scope.ts'
import type { CompanyFactTable } from './company-fact-columns.ts'
import type { CompanyFactLookups } from './company-fact-lookups.ts'
import type { CompanyNameIndex } from './company-name-index.ts'

export type CompanyCounts = {
  readonly projects: Int32Array
  readonly wins: Int32Array
  /** NaN if every value is unknown. */
  readonly value: Float64Array
  readonly bids: Int32Array
  readonly decided: Int32Array
  readonly won: Int32Array
  readonly discounts: Int32Array
  readonly base: Float64Array
  readonly saved: Float64Array
  readonly lastWin: Int32Array
  readonly departments: Int32Array
  readonly median: Float64Array
  readonly scope: StatisticsScopeColumns
}

export type CachedCompanies = {
  readonly version: string
  readonly columns: CompanyFactTable
  readonly names: CompanyNameIndex
  readonly kinds: CompanyFactLookups
  readonly years: readonly number[]
  readonly countsCache: LRUCache<string, CompanyCounts>
}
