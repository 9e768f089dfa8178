import { budgetCeilings } from '#contract/organisation.ts'
import type { FacetOption, ReportFacets } from '#contract/report.ts'
import { NO_LABEL, type ReportSearch } from '#contract/report-params.ts'
import type { Db } from '#server/db/db.ts'
import { countFacets } from './count-facets.ts'
import { withDeepSearch } from './deep-search.ts'
import { loadMatchValues, loadPackedRows, loadPersonalCounts } from './facet-queries.ts'
import type { ReportScope } from './queries.ts'

const some = (options: FacetOption[]) => options.filter((option) => option.count > 0)

/** Counts of every option with all other filters applied, for the caller's organisation and marks. */
export async function loadFacets(db: Db, search: ReportSearch, asked: ReportScope): Promise<ReportFacets> {
  const scope = await withDeepSearch(db, [search], asked)
  const [packed, personal] = await Promise.all([
    loadPackedRows(db, search, scope),
    loadPersonalCounts(db, search, scope),
  ])
  // After the rows: a number that a row carries is then certainly known.
  const counts = countFacets(packed, await loadMatchValues(db), scope.today)
  const ceilings = budgetCeilings(personal.max_budget ?? '0')
  const money = (name: keyof typeof counts.bins, max: number) => ({ max, bins: counts.bins[name] })
  return {
    options: {
      ...counts.lists,
      check_sme: some([{ value: 'true', count: counts.sme }]),
      project_bookmark: some([{ value: 'true', count: personal.bookmarked }]),
      project_hidden: some([{ value: 'true', count: personal.hidden }]),
      project_label__in: some([
        ...personal.labels,
        { value: NO_LABEL, count: counts.passingButLabels - personal.labelled },
      ]),
    },
    money: {
      project_budget__range: money('project_budget__range', ceilings.budget),
      project_estimate_budget__range: money('project_estimate_budget__range', ceilings.others),
      project_winner_budget__range: money('project_winner_budget__range', ceilings.others),
    },
    dates: counts.dates,
  }
}
