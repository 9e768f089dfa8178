import { PanelLeftClose, SlidersHorizontal } from 'lucide-react'
import { memo, useState } from 'react'
import { flushSync } from 'react-dom'
import { listFiltersExceptBidStateSegment } from '#src/lib/bid-segment.ts'
import { getNamedElement, nameElement } from '#src/lib/named-elements.ts'
import { CountBadge } from '#src/ui/badge.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { FilterPanelWithCounts, type ReportFilterContextBase } from './report-facets.tsx'
import { ReportSources } from './report-sources.tsx'

type FilterSidebarProps = {
  context: ReportFilterContextBase
  excludedCount: number | undefined
  onClear: () => void
  isRail: boolean
}

export const FilterSidebar = memo(function FilterSidebar({
  context,
  excludedCount,
  onClear,
  isRail,
}: FilterSidebarProps) {
  const [isOpen, setOpen] = useState(false)
  const count = listFiltersExceptBidStateSegment(context.search).length
  const show = (isOpening: boolean) => {
    flushSync(() => setOpen(isOpening))
    // The pressed button has unmounted, so focus what replaced it.
    getNamedElement('filters')?.focus()
  }
  if (isRail && !isOpen) {
    return (
      <aside
        aria-label="ตัวกรอง"
        className="flex w-11 shrink-0 flex-col items-center border-r border-line bg-surface pt-1.5 print:hidden"
      >
        <IconButton
          ref={nameElement('filters')}
          icon={SlidersHorizontal}
          label={count > 0 ? `เปิดตัวกรอง ใช้อยู่ ${count}` : 'เปิดตัวกรอง'}
          aria-expanded={false}
          onClick={() => show(true)}
        >
          {count > 0 && (
            <span aria-hidden className="absolute -top-1 -right-1">
              <CountBadge count={count} />
            </span>
          )}
        </IconButton>
      </aside>
    )
  }
  return (
    <aside
      aria-labelledby="filter-title"
      className="flex w-panel shrink-0 flex-col border-r border-line bg-surface print:hidden"
    >
      <div className="border-b border-line px-4 py-2">
        <div className="flex h-8 items-center gap-2">
          <SlidersHorizontal aria-hidden className="size-4" />
          <h2 id="filter-title" className="font-semibold">
            ตัวกรอง
          </h2>
          {count > 0 && (
            <>
              <CountBadge count={count} label="ตัวกรองที่ใช้อยู่" />
              <TextButton onClick={onClear} className="ml-auto min-h-7 px-1">
                ล้างทั้งหมด
              </TextButton>
            </>
          )}
          {isRail && (
            <IconButton
              icon={PanelLeftClose}
              label="ปิดแผงตัวกรอง"
              size="sm"
              aria-expanded
              onClick={() => show(false)}
              className={count > 0 ? '' : 'ml-auto'}
            />
          )}
        </div>
      </div>
      <section
        ref={nameElement('filters')}
        tabIndex={0}
        aria-label="ตัวกรองทั้งหมด"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pb-6 focus-visible:-outline-offset-2"
      >
        <FilterPanelWithCounts context={context} />
      </section>
      <ReportSources excludedCount={excludedCount} />
    </aside>
  )
})
