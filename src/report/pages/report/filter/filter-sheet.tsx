import { useRouter } from '@tanstack/react-router'
import { ListChecks, SlidersHorizontal } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { countText } from '#src/lib/money-text.ts'
import { whenIdle } from '#src/lib/when-idle.ts'
import { CountBadge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { ArchiveTabs } from './archive-tabs.tsx'
import { CountedPanel } from './lazy-panel.ts'
import type { UncountedContext } from './report-facets.tsx'
import { ownOrder, SortSelect } from './sort-select.tsx'

type FilterSheetProps = {
  context: UncountedContext
  /** How many filters are in force. */
  count: number
  /** Projects found; null while that is not known. */
  total: number | null
  onClear: () => void
  /** Begins or ends choosing several projects on the cards; undefined where a table has boxes for that. */
  onSelect: (() => void) | undefined
  isSelecting: boolean
}

function preload(): void {
  preloadModal()
  void CountedPanel.preload()
}

/** The filters where there is no room for the panel: a button, and a sheet from below. */
export function FilterSheet({ context, count, total, onClear, onSelect, isSelecting }: FilterSheetProps) {
  const { isOpen, open, close } = useHistoryEntry()
  const { change } = context
  // Rows first; then so that the sheet opens whole, also without a line to the server.
  useEffect(() => whenIdle(() => void CountedPanel.preload()), [])
  // All that is chosen in the sheet is one step, that of the sheet's own entry.
  const inSheet = useMemo<UncountedContext>(
    () => ({ ...context, change: (patch) => change(patch, 'replace') }),
    [context, change],
  )
  return (
    <>
      <Button
        icon={SlidersHorizontal}
        aria-haspopup="dialog"
        data-shortcut="filters"
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
        place="sheet"
        title="ตัวกรอง"
        footer={
          <>
            {count > 0 && (
              <Button look="quiet" onClick={onClear}>
                ล้างทั้งหมด
              </Button>
            )}
            <Button look="primary" className="flex-1" onClick={close}>
              {total === null ? 'กำลังนับ…' : `แสดง ${countText(total)} โครงการ`}
            </Button>
          </>
        }
      >
        <div className="px-4 pt-2 pb-4">
          <ArchiveTabs context={inSheet} />
          <div className="flex flex-wrap items-center justify-between gap-2 pt-2">
            <SortSelect
              ordering={context.search.ordering}
              own={ownOrder(context.search)}
              change={inSheet.change}
              className="flex-1 [&_button]:max-w-56!"
            />
            {onSelect && (
              <Button
                look="quiet"
                icon={ListChecks}
                onClick={() => {
                  close()
                  onSelect()
                }}
              >
                {isSelecting ? 'เลิกเลือก' : 'เลือกหลายโครงการ'}
              </Button>
            )}
          </div>
          <LazyBoundary fallback={<div className="h-screen" />}>
            <CountedPanel context={inSheet} />
          </LazyBoundary>
        </div>
      </Modal>
    </>
  )
}

/**
 * Open or closed, with a history entry of its own while open: Back closes the sheet and keeps what was chosen in it, which the Back
 * after that takes away as one step.
 */
function useHistoryEntry() {
  const router = useRouter()
  /** The address that the sheet was opened at; undefined while it is closed. */
  const [openedAt, setOpenedAt] = useState<string>()
  useEffect(() => {
    if (openedAt === undefined) return
    let shown = router.history.location.href
    return router.history.subscribe(({ location, action }) => {
      if (action.type === 'PUSH' || action.type === 'REPLACE') {
        shown = location.href
        return
      }
      setOpenedAt(undefined)
      if (shown !== location.href) void router.navigate({ href: shown, resetScroll: false })
    })
  }, [router, openedAt])
  return {
    isOpen: openedAt !== undefined,
    open: () => {
      setOpenedAt(router.history.location.href)
      // Another state makes the same address another entry.
      void router.navigate({ to: '.', search: true, state: { sheet: 'filters' } as object, resetScroll: false })
    },
    close: () => {
      setOpenedAt(undefined)
      // Nothing was chosen: its entry would be a Back that does nothing.
      if (router.history.location.href === openedAt) router.history.back()
    },
  }
}
