import { BID_STATES } from '#contract/catalogue/bid-state.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import { findReportParam, type ReportSearch } from '#contract/report/report-params.ts'
import { DEFAULT_START_SEARCH } from '#contract/report/start-view.ts'
import {
  getReportBidStateSegment,
  REPORT_BID_STATE_SEGMENTS,
  type ReportBidStateSegment,
} from '#src/lib/bid-segment.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { ReportSearchPatch } from '#src/lib/report-change.ts'
import { type TabItem, Tabs } from '#src/ui/tabs.tsx'
import type { FilterContext } from './filter-context.ts'

const labelOf = (segment: ReportBidStateSegment) => BID_STATES.find(({ code }) => code === segment)?.th ?? 'ทั้งหมด'

/**
 * Returns the filter change that selects a segment. Drops the order by submission date outside the open segment,
 * because it suits open projects only, and the order by fit where nothing is left to bid for.
 */
export function buildReportBidStateSegmentPatch(
  segment: ReportBidStateSegment,
  { ordering }: ReportSearch,
): ReportSearchPatch {
  const isByFit = ordering === FIT_ORDERING
  if (segment === 'open') return isByFit ? { ...DEFAULT_START_SEARCH, ordering } : DEFAULT_START_SEARCH
  return {
    project_bidding__in: segment === 'all' ? undefined : { values: [segment], negated: false },
    ...((ordering === DEFAULT_START_SEARCH.ordering || (isByFit && segment === 'awarded')) && { ordering: undefined }),
  }
}

const DELIVERED = 'delivered'

/** Returns the filter change that shows archived projects. They have no segment, because none is open for bids. */
const buildDeliveredPatch = (search: ReportSearch): ReportSearchPatch => ({
  ...buildReportBidStateSegmentPatch('awarded', search),
  project_bidding__in: undefined,
  is_archived: true,
})

type BidSegmentsProps = {
  context: Pick<FilterContext, 'search' | 'change' | 'facets'>
  panelId: string
  className?: string
}

/** Segments of active projects by bid state, and archived projects (D5) as the last one. */
export function ReportBidStateSegmentPicker({
  context: { search, change, facets },
  panelId,
  className,
}: BidSegmentsProps) {
  // Facets count within the current scope, so archived projects give no counts for the segments of active ones.
  const counts = search.is_archived ? undefined : facets?.options.project_bidding__in
  const countOf = (segment: ReportBidStateSegment) =>
    counts?.filter(({ value }) => segment === 'all' || value === segment).reduce((sum, { count }) => sum + count, 0)
  const closedCount = counts?.find(({ value }) => value === 'closed')?.count ?? 0
  const items = REPORT_BID_STATE_SEGMENTS.map((segment): TabItem<ReportBidStateSegment | typeof DELIVERED> => {
    const count = countOf(segment)
    return {
      value: segment,
      label: (
        <>
          {labelOf(segment)}
          {/* Reserves space for the count to avoid layout shift. Narrow windows show only the selected segment's
              count. */}
          <span
            title={
              segment === 'all' && closedCount > 0
                ? `รวมปิดรับแล้วที่ยังไม่ประกาศผล ${formatCount(closedCount)} โครงการ`
                : undefined
            }
            className="min-w-[4ch] text-left max-[90rem]:min-w-[3ch] max-[81rem]:hidden max-[81rem]:in-aria-selected:inline font-normal text-ink-muted tabular-nums in-aria-selected:text-accent-ink"
          >
            {count === undefined ? '' : formatCount(count)}
          </span>
        </>
      ),
    }
  })
  return (
    <Tabs
      label="การยื่นข้อเสนอ"
      variant="segment"
      items={[...items, { value: DELIVERED, label: findReportParam('is_archived').th }]}
      value={search.is_archived ? DELIVERED : getReportBidStateSegment(search)}
      onChange={(segment) =>
        change(
          segment === DELIVERED
            ? buildDeliveredPatch(search)
            : {
                ...buildReportBidStateSegmentPatch(segment, search),
                ...(search.is_archived && { is_archived: undefined }),
              },
        )
      }
      panelId={panelId}
      {...(className ? { className } : {})}
    />
  )
}
