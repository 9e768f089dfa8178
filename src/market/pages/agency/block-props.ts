import type { Agency } from '#contract/market/agency.ts'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import type { ChangeAddress } from '#src/lib/use-flat-address.ts'

export type BlockProps = {
  readonly answer: Agency
  readonly search: AgencySearch
  readonly change: ChangeAddress<AgencySearch>
  readonly openRows: (rows: string) => void
}
