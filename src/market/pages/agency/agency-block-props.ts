import type { Agency } from '#contract/market/agency.ts'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import type { ChangeSearchFn } from '#src/lib/use-flat-search-params.ts'

export type AgencyBlockProps = {
  readonly answer: Agency
  readonly search: AgencySearch
  readonly change: ChangeSearchFn<AgencySearch>
  readonly openRows: (rows: string) => void
}
