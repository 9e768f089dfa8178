import type { Agency } from '#contract/market/agency.ts'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import type { ChangeSearchFn } from '#src/lib/use-search-state.ts'

export type AgencyBlockProps = {
  readonly answer: Agency
  readonly search: AgencySearch
  readonly change: ChangeSearchFn<AgencySearch>
  readonly openRows: (rows: string) => void
}
