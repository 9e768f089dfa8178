import type { BudgetYears } from '#contract/budget.ts'

export type YearChoice = {
  /** The year to show; undefined where the package has none. */
  readonly year: number | undefined
  /** The year that the address asked for and the package does not have. */
  readonly replaced: number | undefined
}

/** The year of the address where the package has it, else the newest that it has (D14). */
export function chooseYear({ years }: Pick<BudgetYears, 'years'>, asked: number | undefined): YearChoice {
  const allowed = years.filter(({ is_allowed }) => is_allowed).map(({ fiscal_year }) => fiscal_year)
  if (asked !== undefined && allowed.includes(asked)) return { year: asked, replaced: undefined }
  return { year: allowed.length === 0 ? undefined : Math.max(...allowed), replaced: asked }
}
