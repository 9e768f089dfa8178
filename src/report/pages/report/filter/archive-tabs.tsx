import { classNames } from '#src/lib/class-names.ts'
import { BidSegments, segmentPatch } from '#src/report/filter/bid-segments.tsx'
import type { FilterContext } from '#src/report/filter/filter-context.ts'
import { useOptimisticFilters } from '#src/report/filter/use-optimistic-filters.ts'
import { Tabs } from '#src/ui/tabs.tsx'
import { type UncountedContext, useReportFacets } from './report-facets.tsx'

const TABS = [
  { value: 'active', label: 'กำลังดำเนินการ' },
  { value: 'delivered', label: 'ส่งมอบแล้ว' },
] as const

export const RESULTS_ID = 'report-results'

/** Archived work has no segments. The clicked tab is marked optimistically. */
export function SegmentTabs({ context }: { context: UncountedContext }) {
  const { search, change } = useOptimisticFilters(context)
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

/** Switches between active and archived work (D5); the server decides which is which. */
export function ArchiveTabs({ context: { search, change }, className }: ArchiveTabsProps) {
  return (
    <Tabs
      label="โครงการที่แสดง"
      variant="segment"
      items={TABS}
      value={search.is_archived ? 'delivered' : 'active'}
      // Segments apply only to active projects; no archived project is open for bids.
      onChange={(tab) =>
        change(tab === 'delivered' ? { ...segmentPatch('all', search), is_archived: true } : { is_archived: undefined })
      }
      panelId={RESULTS_ID}
      // At double text size the second tab wraps instead of widening the page.
      className={classNames('flex-wrap', className)}
    />
  )
}
