import { useRouter } from '@tanstack/react-router'
import { ListChecks, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatCount } from '#contract/thai/thai-number.ts'
import { listFiltersExceptBidStateSegment } from '#src/lib/bid-segment.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import type { ReportSelection } from '#src/report/selection/use-report-selection.ts'
import { CountBadge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { createModalPreloader, Modal } from '#src/ui/overlay/modal.tsx'
import { FilterPanelWithCounts, preloadFilterPanel, type ReportFilterContextBase } from './report-facets.tsx'
import { ReportSortSelect } from './report-sort-select.tsx'

const preload = createModalPreloader(preloadFilterPanel)

type FilterSheetProps = {
  context: ReportFilterContextBase
  foot?: ReactNode
  total: number | null
  onClear: () => void
  /** Undefined where the table has checkboxes. */
  selection: Pick<ReportSelection, 'isSelecting' | 'toggleSelecting'> | undefined
}

export function FilterSheet({ context, foot, total, onClear, selection }: FilterSheetProps) {
  const { isOpen, open, close } = useHistoryEntry()
  const count = listFiltersExceptBidStateSegment(context.search).length
  const inSheet: ReportFilterContextBase = { ...context, change: (patch) => context.change(patch, 'replace') }
  return (
    <>
      <Button
        icon={SlidersHorizontal}
        aria-haspopup="dialog"
        ref={nameElement('filters')}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={open}
        className={count > 0 ? 'border-accent-line! bg-accent-soft! text-accent-ink!' : ''}
      >
        กรอง
        {count > 0 && <CountBadge count={count} label="ตัวกรองที่ใช้อยู่" />}
      </Button>
      <Modal
        open={isOpen}
        onClose={close}
        variant="sheet"
        title="ตัวกรอง"
        footer={
          <>
            {count > 0 && (
              <Button variant="quiet" onClick={onClear}>
                ล้างทั้งหมด
              </Button>
            )}
            <Button variant="primary" className="flex-1" onClick={close}>
              {total === null ? 'กำลังนับ…' : `แสดง ${formatCount(total)} โครงการ`}
            </Button>
          </>
        }
      >
        <div className="px-4 pt-2 pb-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <ReportSortSelect search={context.search} change={inSheet.change} className="flex-1 [&_button]:max-w-56!" />
            {selection && (
              <Button
                variant="quiet"
                icon={ListChecks}
                onClick={() => {
                  close()
                  selection.toggleSelecting()
                }}
              >
                {selection.isSelecting ? 'เลิกเลือก' : 'เลือกหลายโครงการ'}
              </Button>
            )}
          </div>
          <FilterPanelWithCounts context={inSheet} />
        </div>
        {foot}
      </Modal>
    </>
  )
}

/**
 * Returns the sheet's open state, which has its own history entry: Back closes the sheet and preserves the filters
 * chosen in it; the next Back reverts them in one step.
 */
function useHistoryEntry() {
  const router = useRouter()
  const [openedAt, setOpenedAt] = useState<string>()
  useEffect(() => {
    if (openedAt === undefined) return
    let href = router.history.location.href
    return router.history.subscribe(({ location, action }) => {
      if (action.type === 'PUSH' || action.type === 'REPLACE') {
        href = location.href
        return
      }
      setOpenedAt(undefined)
      if (href !== location.href) void router.navigate({ href, resetScroll: false })
    })
  }, [router, openedAt])
  return {
    isOpen: openedAt !== undefined,
    open: () => {
      setOpenedAt(router.history.location.href)
      // Because the state differs, this creates a new history entry for the same URL.
      void router.navigate({ to: '.', search: true, state: { sheet: 'filters' } as object, resetScroll: false })
    },
    close: () => {
      setOpenedAt(undefined)
      // If nothing changed, Back to this entry would have no effect, so drop it.
      if (router.history.location.href === openedAt) router.history.back()
    },
  }
}
