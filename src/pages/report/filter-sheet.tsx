import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { FilterContext } from '#src/features/report-filter/filter-context.ts'
import { countText } from '#src/lib/money-text.ts'
import { CountBadge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Modal, preloadModal } from '#src/ui/modal.tsx'
import { Part } from '#src/ui/part.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { FilterPanel, preloadFilterPanel } from './lazy-filter-panel.tsx'

type FilterSheetProps = {
  context: FilterContext
  /** How many filters are in force. */
  count: number
  /** Projects found; null while that is not known. */
  total: number | null
  onClear: () => void
}

/** The filters where there is no room for the panel: a button, and a sheet from below that is loaded when it is opened. */
export function FilterSheet({ context, count, total, onClear }: FilterSheetProps) {
  const [open, setOpen] = useState(false)
  const preload = () => {
    preloadModal()
    preloadFilterPanel()
  }
  return (
    <>
      <IconButton
        icon={SlidersHorizontal}
        label={count > 0 ? `ตัวกรอง ใช้อยู่ ${count}` : 'ตัวกรอง'}
        aria-haspopup="dialog"
        data-shortcut="filters"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(true)}
        className="border border-control bg-surface"
      >
        {count > 0 && (
          <span aria-hidden className="absolute -top-2 -right-2">
            <CountBadge count={count} />
          </span>
        )}
      </IconButton>
      <Modal
        open={open}
        onClose={() => setOpen(false)}
        place="sheet"
        title="ตัวกรอง"
        footer={
          <>
            <Button look="quiet" disabled={count === 0} onClick={onClear}>
              ล้างทั้งหมด
            </Button>
            <Button look="primary" className="flex-1" onClick={() => setOpen(false)}>
              {total === null ? 'กำลังนับ…' : `แสดง ${countText(total)} โครงการ`}
            </Button>
          </>
        }
      >
        <div className="px-4 pb-4">
          <Part fallback={<Spinner label="กำลังโหลดตัวกรอง" className="py-6" />}>
            <FilterPanel context={context} />
          </Part>
        </div>
      </Modal>
    </>
  )
}
