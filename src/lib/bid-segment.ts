import { activeReportFilters, type ReportParamName, type ReportSearch } from '#contract/report/report-params.ts'

/** The report's segments by bid state. Closed projects without a known winner appear only in `all`. */
export const SEGMENTS = ['open', 'upcoming', 'awarded', 'all'] as const
export type Segment = (typeof SEGMENTS)[number]

/** Returns the segment of a search; undefined for other combinations of bid states, e.g. from a link. */
export function segmentOf({ project_bidding__in: bidding }: ReportSearch): Segment | undefined {
  if (bidding === undefined) return 'all'
  if (bidding.negated || bidding.values.length !== 1) return undefined
  return SEGMENTS.find((segment) => segment === bidding.values[0])
}

export function filtersExceptSegment(search: ReportSearch): ReportParamName[] {
  const filters = activeReportFilters(search)
  return segmentOf(search) === undefined ? filters : filters.filter((name) => name !== 'project_bidding__in')
}

/** Clears all filters but retains the archive tab, segment, order, page size and view. */
export function withoutFilters(search: ReportSearch): ReportSearch {
  const { is_archived, project_bidding__in: bidding, ordering, page_size, view, market, rank } = search
  return {
    ...(view && { view }),
    ...(market && { market }),
    ...(rank && { rank }),
    ...(is_archived && { is_archived }),
    ...(bidding && segmentOf(search) && { project_bidding__in: bidding }),
    ...(ordering && { ordering }),
    ...(page_size && { page_size }),
  }
}
