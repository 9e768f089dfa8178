import { BID_STATES } from '#contract/project/project.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { OPEN_VIEW } from '#contract/user/start-view.ts'
import { SEGMENTS, type Segment, segmentOf } from '#src/lib/bid-segment.ts'
import { countText } from '#src/lib/money-text.ts'
import type { ReportPatch } from '#src/lib/report-change.ts'
import { Tabs } from '#src/ui/tabs.tsx'
import type { FilterContext } from './filter-context.ts'

const labelOf = (segment: Segment) => BID_STATES.find(({ code }) => code === segment)?.th ?? 'ทั้งหมด'

/** What a segment makes of the search. What can still be bid for comes by its deadline; elsewhere that order would say nothing. */
export function segmentPatch(segment: Segment, { ordering }: ReportSearch): ReportPatch {
  if (segment === 'open') return OPEN_VIEW
  return {
    project_bidding__in: segment === 'all' ? undefined : { values: [segment], negated: false },
    ...(ordering === OPEN_VIEW.ordering && { ordering: undefined }),
  }
}

type BidSegmentsProps = {
  context: Pick<FilterContext, 'search' | 'change' | 'facets'>
  /** Id of the element that the segments switch. */
  panelId: string
  className?: string
}

/** Still open, awarded, or all: how many of each the other filters find. */
export function BidSegments({ context: { search, change, facets }, panelId, className }: BidSegmentsProps) {
  const counts = facets?.options.project_bidding__in
  const countOf = (segment: Segment) =>
    counts?.filter(({ value }) => segment === 'all' || value === segment).reduce((sum, { count }) => sum + count, 0)
  const items = SEGMENTS.map((segment) => {
    const count = countOf(segment)
    return {
      value: segment,
      label: (
        <>
          {labelOf(segment)}
          {/* Its room is there before the number: nothing moves. */}
          <span className="min-w-[4ch] text-left max-md:min-w-[3ch] font-normal text-ink-muted tabular-nums in-aria-selected:text-accent-ink">
            {count === undefined ? '' : countText(count)}
          </span>
        </>
      ),
    }
  })
  return (
    <Tabs
      label="การยื่นข้อเสนอ"
      look="segment"
      items={items}
      value={segmentOf(search)}
      onChange={(segment) => change(segmentPatch(segment, search))}
      onPress={(segment) => change(segmentPatch(segment, search), 'ask')}
      panelId={panelId}
      {...(className ? { className } : {})}
    />
  )
}
