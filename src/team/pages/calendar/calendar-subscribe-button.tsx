import { CalendarPlus } from 'lucide-react'
import { useState } from 'react'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import type { CalendarSearch } from '#contract/team/calendar-params.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { Button } from '#src/ui/button.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { createModalPreloader, Modal } from '#src/ui/overlay/modal.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

const SubscribePanel = lazyComponent(() => import('./calendar-subscribe-panel.tsx'), 'CalendarSubscribePanel')

export type CalendarSubscriptionProps = {
  search: Pick<CalendarSearch, 'of' | 'saved' | 'report'>
  filters: readonly SavedFilter[]
}

export function CalendarSubscribeButton(props: CalendarSubscriptionProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="primary"
        icon={CalendarPlus}
        onPointerEnter={createModalPreloader(SubscribePanel.preload)}
        onClick={() => setOpen(true)}
      >
        <span className="max-sm:sr-only">เชื่อมกับปฏิทินของฉัน</span>
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title="สมัครรับด้วยลิงก์ลับ">
        <LazyBoundary
          fallback={
            <SkeletonGroup className="p-4">
              <Skeleton className="h-32" />
            </SkeletonGroup>
          }
        >
          <SubscribePanel {...props} />
        </LazyBoundary>
      </Modal>
    </>
  )
}
