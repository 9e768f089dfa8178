import { getBudgetSliderMaxima } from '#contract/account/organisation.ts'
import { createRecord } from '#contract/create-record.ts'
import type { FacetOption, ReportFacets } from '#contract/report/report.ts'
import { findReportParam, REPORT_FACET_NAMES, type ReportSearch } from '#contract/report/report-params.ts'
import { chooseReportQueries, type ReportQuerySource } from './choose-report-queries.ts'
import { REPORT_FILTER_SET } from './filter/report-filters.ts'
import type { ReportFacetResult, ReportPageResult } from './report-queries.ts'
import type { ReportRowFileDetail } from './report-rows-sql.ts'
import type { ReportSnapshotScope } from './report-scope.ts'

export async function findReportPage(
  source: ReportQuerySource,
  search: ReportSearch,
  scope: ReportSnapshotScope,
  files: ReportRowFileDetail = 'listed',
): Promise<ReportPageResult> {
  return await chooseReportQueries(source).page(search, scope, files)
}

export async function findReportFacets(
  source: ReportQuerySource,
  search: ReportSearch,
  scope: ReportSnapshotScope,
): Promise<ReportFacets> {
  return presentFacets(await chooseReportQueries(source).facets(search, scope))
}

const nonEmpty = (options: readonly FacetOption[]) => options.filter((option) => option.count > 0)

function presentFacets({ counts, marks: { marks, max_budget } }: ReportFacetResult): ReportFacets {
  const ceilings = getBudgetSliderMaxima(max_budget ?? '0')
  const markOptions = REPORT_FILTER_SET.markFacets.map(({ name, facet: { unmarkedValue } }) => {
    const { options, marked = 0 } = marks[name]!
    const unmarked =
      unmarkedValue === undefined ? [] : [{ value: unmarkedValue, count: counts.passingBut[name]! - marked }]
    return [name, nonEmpty([...options, ...unmarked])] as const
  })
  return {
    options: { ...counts.options, ...Object.fromEntries(markOptions) },
    money: createRecord(REPORT_FACET_NAMES.money, (name) => ({
      max: ceilings[findReportParam(name).ceiling ?? 'otherBudgets'],
      bins: counts.bins[name],
    })),
    dates: counts.dates,
    due: counts.due,
  }
}
