import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { loadNewestReport } from '#src/report/api/poll-for-data-changes.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'

/** Floats over the table head, and rows change only on request, so that nothing moves under the pointer. */
export function NewDataNotice({ time }: { time: string }) {
  const [isClosed, setIsClosed] = useState(false)
  const { mutate: load, isPending } = useMutation({ mutationFn: loadNewestReport })
  if (isClosed) return null
  const focusMain = () => document.getElementById('main')?.focus({ preventScroll: true })
  return (
    <div role="status" className="appear sticky top-16 z-30 -mt-3 flex h-0 justify-center print:hidden">
      <p className="mt-1 flex h-fit max-w-full items-center gap-2 rounded-full border border-accent-line bg-surface py-1 pr-1.5 pl-4 shadow-float">
        <span className="min-w-0 text-sm">
          มีข้อมูลใหม่ <span className="max-sm:hidden">ณ {formatThaiDateTime(time)}</span>
        </span>
        <Button
          variant="primary"
          size="sm"
          pending={isPending}
          onClick={() => {
            focusMain()
            load()
          }}
          className="rounded-full!"
        >
          โหลดรายงาน
        </Button>
        <IconButton
          icon={X}
          label="ปิดข้อความนี้"
          size="sm"
          onClick={() => {
            focusMain()
            setIsClosed(true)
          }}
        />
      </p>
    </div>
  )
}
