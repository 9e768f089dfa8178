import { classNames } from '#src/lib/class-names.ts'
import { buildReportBidStateSegmentPatch, ReportBidStateSegmentPicker } from '#src/report/filter/bid-segment-picker.tsx'
import type { FilterContext } from '#src/report/filter/filter-context.ts'
import { Tabs } from '#src/ui/tabs.tsx'
import { type ReportFilterContextBase, useReportFacets } from './report-facets.tsx'

const TABS = [
  { value: 'active', label: 'กำลังดำเนินการ' },
  { value: 'delivered', label: 'ส่งมอบแล้ว' },
] as const

export const REPORT_RESULTS_ELEMENT_ID = 'report-results'

/** Tabs for the segments of active projects; archived projects have no segments. */
export function ReportBidStateSegmentTabs({ context: { search, change } }: { context: ReportFilterContextBase }) {
  const facets = useReportFacets()
  return (
    <ReportBidStateSegmentPicker
      context={{ search, change, facets }}
      panelId={REPORT_RESULTS_ELEMENT_ID}
      className="min-w-0 overflow-x-auto [scrollbar-width:none] print:hidden max-[90rem]:[&_[role=tab]]:px-2"
    />
  )
}

type ArchiveTabsProps = { context: Pick<FilterContext, 'search' | 'change'>; className?: string }

/** Switches between active and archived projects (D5); the server decides which projects are archived. */
export function ReportScopeTabs({ context: { search, change }, className }: ArchiveTabsProps) {
  return (
    <Tabs
      label="โครงการที่แสดง"
      variant="segment"
      items={TABS}
      value={search.is_archived ? 'delivered' : 'active'}
      // Segments apply only to active projects; no archived project is open for bids.
      onChange={(tab) =>
        change(
          tab === 'delivered'
            ? { ...buildReportBidStateSegmentPatch('all', search), is_archived: true }
            : { is_archived: undefined },
        )
      }
      panelId={REPORT_RESULTS_ELEMENT_ID}
      // At double text size the second tab wraps onto a new line instead of widening the page.
      className={classNames('flex-wrap', className)}
    />
  )
}
