import type { Agency } from '#contract/market/agency.ts'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import type { ChangeAddress } from '#src/lib/use-flat-address.ts'

/** What every block of the page is given. */
export type BlockProps = {
  readonly answer: Agency
  readonly search: AgencySearch
  readonly change: ChangeAddress<AgencySearch>
  /** Shows the projects behind a figure: `rows` of the address. */
  readonly openRows: (rows: string) => void
}
