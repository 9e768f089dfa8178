import { getActiveReportFilters, type ReportParamName, type ReportSearch } from '#contract/report/report-params.ts'

/** The report's segments by bid state. Closed projects without a known winner appear only in `all`. */
export const REPORT_BID_STATE_SEGMENTS = ['open', 'upcoming', 'awarded', 'all'] as const
export type ReportBidStateSegment = (typeof REPORT_BID_STATE_SEGMENTS)[number]

/** Returns undefined for a combination of bid states that is not a segment, e.g. from a link. */
export function getReportBidStateSegment({
  project_bidding__in: bidding,
}: ReportSearch): ReportBidStateSegment | undefined {
  if (bidding === undefined) return 'all'
  if (bidding.negated || bidding.values.length !== 1) return undefined
  return REPORT_BID_STATE_SEGMENTS.find((segment) => segment === bidding.values[0])
}

export function listFiltersExceptBidStateSegment(search: ReportSearch): ReportParamName[] {
  const filters = getActiveReportFilters(search)
  return getReportBidStateSegment(search) === undefined
    ? filters
    : filters.filter((name) => name !== 'project_bidding__in')
}

/** Clears all filters but retains the scope (active or archived), segment, order, page size and view. */
export function clearReportFilters(search: ReportSearch): ReportSearch {
  const { is_archived, project_bidding__in: bidding, ordering, page_size, view, market, rank } = search
  return {
    ...(view && { view }),
    ...(market && { market }),
    ...(rank && { rank }),
    ...(is_archived && { is_archived }),
    ...(bidding && getReportBidStateSegment(search) && { project_bidding__in: bidding }),
    ...(ordering && { ordering }),
    ...(page_size && { page_size }),
  }
}
