import { ReportBidStateSegmentPicker } from '#src/report/filter/bid-segment-picker.tsx'
import { type ReportFilterContextBase, useReportFacets } from './report-facets.tsx'

export const REPORT_RESULTS_ELEMENT_ID = 'report-results'

export function ReportSegments({ context: { search, change } }: { context: ReportFilterContextBase }) {
  const facets = useReportFacets()
  return (
    <ReportBidStateSegmentPicker
      context={{ search, change, facets }}
      panelId={REPORT_RESULTS_ELEMENT_ID}
      className="min-w-0 overflow-x-auto [scrollbar-width:none] print:hidden max-[90rem]:[&_[role=tab]]:px-2"
    />
  )
}
