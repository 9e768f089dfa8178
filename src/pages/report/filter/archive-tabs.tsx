import { segmentPatch } from '#src/features/report-filter/bid-segments.tsx'
import type { FilterContext } from '#src/features/report-filter/filter-context.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Tabs } from '#src/ui/tabs.tsx'

const TABS = [
  { value: 'active', label: 'กำลังดำเนินการ' },
  { value: 'delivered', label: 'ส่งมอบแล้ว' },
] as const

/** Id of the element that the tabs switch. */
export const RESULTS_ID = 'report-results'

type ArchiveTabsProps = { context: Pick<FilterContext, 'search' | 'change'>; className?: string }

/** Work under way or delivered (D5): the server's word, never computed here. */
export function ArchiveTabs({ context: { search, change }, className }: ArchiveTabsProps) {
  return (
    <Tabs
      label="โครงการที่แสดง"
      look="segment"
      items={TABS}
      value={search.is_archived ? 'delivered' : 'active'}
      // Segments are of the work under way: none of what is delivered is open.
      onChange={(tab) =>
        change(tab === 'delivered' ? { ...segmentPatch('all', search), is_archived: true } : { is_archived: undefined })
      }
      panelId={RESULTS_ID}
      // At twice the text size the second goes below the first instead of pushing the page wide.
      className={classNames('flex-wrap', className)}
    />
  )
}
