import type { Agency } from '#contract/market/agency.ts'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import type { ChangeSearch } from '#src/lib/use-flat-address.ts'

export type AgencyBlockProps = {
  readonly answer: Agency
  readonly search: AgencySearch
  readonly change: ChangeSearch<AgencySearch>
  readonly openRows: (rows: string) => void
}
