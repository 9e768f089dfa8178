import { activeReportFilters, type ReportParamName, type ReportSearch } from '#contract/report/report-params.ts'

/** The report's segments: bid states of projects, and all. What is closed without a known winner is in `all` alone. */
export const SEGMENTS = ['open', 'upcoming', 'awarded', 'all'] as const
export type Segment = (typeof SEGMENTS)[number]

/** Returns the segment that a search shows; undefined for other choices of bid states, such as a link's. */
export function segmentOf({ project_bidding__in: bidding }: ReportSearch): Segment | undefined {
  if (bidding === undefined) return 'all'
  if (bidding.negated || bidding.values.length !== 1) return undefined
  return SEGMENTS.find((segment) => segment === bidding.values[0])
}

/** The filters in force without the segment, which shows itself. */
export function filtersBesideSegment(search: ReportSearch): ReportParamName[] {
  const filters = activeReportFilters(search)
  return segmentOf(search) === undefined ? filters : filters.filter((name) => name !== 'project_bidding__in')
}

/** What stays when all filters are cleared: the tab of delivered work, the segment, the order and the length of the list, and the view of it. */
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
