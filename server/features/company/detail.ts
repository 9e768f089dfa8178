import type { CompanyDetail, CompanyRef } from '#contract/company.ts'
import { fiscalYearOf } from '#contract/fiscal-year.ts'
import { type FactScope, loadComputedAt } from '#server/db/company-scope.ts'
import type { Db } from '#server/db/db.ts'
import { presentDetail } from './present-detail.ts'
import { loadCompetitors } from './queries-competitors.ts'
import { loadDetail, type StoredDetail } from './queries-detail.ts'
import { loadPrevious } from './queries-previous.ts'
import { loadSpending } from './queries-spending.ts'

/** All figures of one company in a scope. `today`: in Bangkok, ISO. */
export async function companyDetail(
  db: Db,
  company: CompanyRef,
  scope: FactScope,
  today: string,
): Promise<CompanyDetail> {
  const { search } = scope
  const detail = await loadDetail(db, company.id, scope, today)
  const before = yearsBefore(scope, detail)
  const hasMeetings = detail.scope.coverage_full + detail.scope.coverage_names > 0
  const [computedAt, spending, competitors, previous] = await Promise.all([
    loadComputedAt(db),
    loadSpending(
      db,
      detail.by_department.flatMap(({ department }) => department ?? []),
      scope,
    ),
    hasMeetings ? loadCompetitors(db, company.id, scope) : [],
    before && loadPrevious(db, company.id, { ...scope, search: { ...search, ...before } }),
  ])
  return presentDetail({
    company,
    search,
    detail,
    spending,
    previous: before && previous && { ...before, figures: previous },
    competitors,
    computedAt,
    thisYear: fiscalYearOf(today),
  })
}

type Years = { readonly year_from: number; readonly year_to: number }

/** As many years before those of the scope; undefined where it has no first year, or the data does not reach back so far. */
function yearsBefore({ search }: FactScope, { earliest_year, latest_year }: StoredDetail): Years | undefined {
  const from = search.year_from
  const to = search.year_to ?? Math.max(from ?? 0, latest_year ?? 0)
  if (from === undefined || earliest_year === null) return undefined
  const length = to - from + 1
  return from - length < earliest_year ? undefined : { year_from: from - length, year_to: from - 1 }
}
