import type { CompanyDetail } from '#contract/market/company.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { countText } from '#src/lib/money-text.ts'

/** What every block of the page is given. */
export type BlockProps = {
  readonly detail: CompanyDetail
  readonly search: CompanySearch
  /** Shows the projects behind a figure: `rows` of the address. */
  readonly openRows: (rows: string) => void
}

/** A slice in words: `3 งาน`. */
export const winsText = (wins: number) => `${countText(wins)} งาน`
