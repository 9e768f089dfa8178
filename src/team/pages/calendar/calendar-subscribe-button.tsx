import { CalendarPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { CalendarSubscribePanel, type CalendarSubscriptionProps } from './calendar-subscribe-panel.tsx'

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
