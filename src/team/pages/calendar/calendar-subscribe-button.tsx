import { CalendarPlus } from 'lucide-react'
import { useState } from 'react'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import type { CalendarSearch } from '#contract/team/calendar-params.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { CalendarSubscribePanel } from './calendar-subscribe-panel.tsx'

export type CalendarSubscriptionProps = {
  search: Pick<CalendarSearch, 'of' | 'saved' | 'report'>
  filters: readonly SavedFilter[]
}

export function CalendarSubscribeButton(props: CalendarSubscriptionProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" icon={CalendarPlus} onPointerEnter={preloadModal} onClick={() => setOpen(true)}>
        <span className="max-sm:sr-only">เชื่อมกับปฏิทินของฉัน</span>
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title="สมัครรับด้วยลิงก์ลับ">
        <CalendarSubscribePanel {...props} />
      </Modal>
    </>
  )
}
