import { FIT_ORDERING } from '#contract/matching/fit.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { DEFAULT_START_SEARCH } from '#contract/report/start-view.ts'
import { getReportBidStateSegment } from '#src/lib/bid-segment.ts'
import type { ReportSearchPatch } from '#src/lib/report-change.ts'

/** Switches the order by fit on, or off to the usual order of the segment. */
export function buildFitOrderPatch(search: ReportSearch): ReportSearchPatch {
  if (search.ordering !== FIT_ORDERING) return { ordering: FIT_ORDERING }
  return { ordering: getReportBidStateSegment(search) === 'open' ? DEFAULT_START_SEARCH.ordering : undefined }
}
