import { classNames } from '#src/lib/class-names.ts'
import { BidSegments, segmentPatch } from '#src/report/filter/bid-segments.tsx'
import { useChosenAtOnce } from '#src/report/filter/chosen-at-once.ts'
import type { FilterContext } from '#src/report/filter/filter-context.ts'
import { Tabs } from '#src/ui/tabs.tsx'
import { type UncountedContext, useReportFacets } from './report-facets.tsx'

const TABS = [
  { value: 'active', label: 'กำลังดำเนินการ' },
  { value: 'delivered', label: 'ส่งมอบแล้ว' },
] as const

/** Id of the element that the tabs switch. */
export const RESULTS_ID = 'report-results'

/** Still open, awarded, or all, with how many of each; delivered work has none of them. The one that is pressed is marked in the press. */
export function SegmentTabs({ context }: { context: UncountedContext }) {
  const { search, change } = useChosenAtOnce(context)
  const facets = useReportFacets()
  return (
    <BidSegments
      context={{ search, change, facets }}
      panelId={RESULTS_ID}
      className="min-w-0 overflow-x-auto [scrollbar-width:none] print:hidden max-[90rem]:[&_[role=tab]]:px-2"
    />
  )
}

type ArchiveTabsProps = { context: Pick<FilterContext, 'search' | 'change'>; className?: string }

/** Work under way or delivered (D5): the server's word, never computed here. */
export function ArchiveTabs({ context: { search, change }, className }: ArchiveTabsProps) {
  return (
    <Tabs
      label="โครงการที่แสดง"
      look="segment"
      items={TABS}
      value={search.is_archived ? 'delivered' : 'active'}
      // Segments divide the projects that are not delivered yet; no delivered project is open for bids.
      onChange={(tab) =>
        change(tab === 'delivered' ? { ...segmentPatch('all', search), is_archived: true } : { is_archived: undefined })
      }
      panelId={RESULTS_ID}
      // At twice the text size the second goes below the first instead of pushing the page wide.
      className={classNames('flex-wrap', className)}
    />
  )
}
