import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { CountBadge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Modal, preloadModal } from '#src/ui/modal.tsx'

type ScopeSheetProps = {
  /** How many filters are in force. */
  count: number
  children: ReactNode
}

/** The scope where there is no room for the bar: a button, and a sheet from below. */
export function ScopeSheet({ count, children }: ScopeSheetProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        icon={SlidersHorizontal}
        aria-haspopup="dialog"
        aria-label={count > 0 ? `ขอบเขต ใช้อยู่ ${count} ตัวกรอง` : 'ขอบเขต'}
        onPointerEnter={preloadModal}
        onFocus={preloadModal}
        onClick={() => setOpen(true)}
      >
        ขอบเขต
        {count > 0 && <CountBadge count={count} />}
      </Button>
      <Modal
        open={open}
        onClose={() => setOpen(false)}
        place="sheet"
        title="ขอบเขตของตัวเลข"
        footer={
          <Button look="primary" className="flex-1" onClick={() => setOpen(false)}>
            ดูผล
          </Button>
        }
      >
        <div className="space-y-4 p-4">{children}</div>
      </Modal>
    </>
  )
}
