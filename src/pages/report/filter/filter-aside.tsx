import { SlidersHorizontal } from 'lucide-react'
import { memo } from 'react'
import type { FilterContext } from '#src/features/report-filter/filter-context.ts'
import { FilterPanel } from '#src/features/report-filter/filter-panel.tsx'
import { CountBadge } from '#src/ui/badge.tsx'
import { ArchiveTabs } from './archive-tabs.tsx'

type FilterAsideProps = { context: FilterContext; count: number; onClear: () => void }

/** The filter panel beside the table. */
export const FilterAside = memo(function FilterAside({ context, count, onClear }: FilterAsideProps) {
  return (
    <aside
      aria-labelledby="filter-title"
      className="flex w-panel shrink-0 flex-col border-r border-line bg-surface print:hidden"
    >
      <div className="px-4 pt-3 pb-3">
        <div className="flex h-8 items-center gap-2">
          <SlidersHorizontal aria-hidden className="size-4" />
          <h2 id="filter-title" className="font-semibold">
            ตัวกรอง
          </h2>
          {count > 0 && (
            <>
              <CountBadge count={count} label="ตัวกรองที่ใช้อยู่" />
              <button
                type="button"
                onClick={onClear}
                className="ml-auto min-h-7 rounded-control px-1 text-accent-ink hover:underline"
              >
                ล้างทั้งหมด
              </button>
            </>
          )}
        </div>
        <ArchiveTabs context={context} className="mt-2" />
      </div>
      <section
        tabIndex={0}
        data-shortcut="filters"
        aria-label="ตัวกรองทั้งหมด"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pb-6 focus-visible:-outline-offset-2"
      >
        <FilterPanel context={context} />
      </section>
    </aside>
  )
})
