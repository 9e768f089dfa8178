import type { CompanyDetail } from '#contract/market/company.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'

export type CompanyBlockProps = {
  readonly detail: CompanyDetail
  readonly search: CompanySearch
  readonly openRows: (rows: string) => void
}

export const formatWinCount = (wins: number) => `${formatCount(wins)} งาน`
