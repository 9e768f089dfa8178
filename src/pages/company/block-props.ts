import type { CompanyDetail } from '#contract/company/company.ts'
import type { CompanySearch } from '#contract/company/company-params.ts'
import type { FigureScope } from '#contract/company/figure-scope.ts'
import { yearsText } from '#src/features/figure-scope/scope-text.ts'
import { countText } from '#src/lib/money-text.ts'

/** What every block of the page is given. */
export type BlockProps = {
  readonly detail: CompanyDetail
  readonly search: CompanySearch
  /** Shows the projects behind a figure: `rows` of the address. */
  readonly openRows: (rows: string) => void
}

/** Under a block's title: its years and its own n; the whole scope stands at the head of the page. */
export function blockScope({ universe, year_from, year_to }: FigureScope, n: number, what = 'งานที่ชนะ'): string {
  return [
    universe === 'watch' ? 'โครงการของเรา' : 'ทุกโครงการ',
    ...(year_from === null && year_to === null ? [] : [yearsText(year_from, year_to)]),
    `n = ${countText(n)} ${what}`,
  ].join(' · ')
}

/** A slice in words: `3 งาน`. */
export const winsText = (wins: number) => `${countText(wins)} งาน`
