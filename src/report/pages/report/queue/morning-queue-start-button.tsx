import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { CircleCheckBig, ListChecks } from 'lucide-react'
import { countMorningQueue } from '#contract/report/morning-queue.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { morningQueueQuery } from '#src/report/api/morning-queue.ts'
import { Button } from '#src/ui/button.tsx'

let openedIndex: number | undefined

/** Closes the queue. Goes back instead of pushing, so that no dead history entry is left. */
export function closeMorningQueue(change: ChangeReportSearchFn, history: RouterHistory): void {
  if (openedIndex === history.location.state.__TSR_index) history.back()
  else change({ queue: undefined }, 'replace')
  openedIndex = undefined
}

type ReportQueueStartProps = { search: ReportSearch; change: ChangeReportSearchFn; preload: () => void }

export function MorningQueueStartButton({ search, change, preload }: ReportQueueStartProps) {
  const { history } = useRouter()
  const { data } = useQuery({
    ...useOptimisticQueryOptions(morningQueueQuery(search)),
    enabled: !search.queue,
    placeholderData: keepPreviousData,
  })
  const count = data && countMorningQueue(data)
  const isDone = count !== undefined && count.waiting === 0
  return (
    <Button
      variant={isDone ? 'secondary' : 'primary'}
      icon={isDone ? CircleCheckBig : ListChecks}
      ref={nameElement('queueStart')}
      aria-haspopup="dialog"
      aria-keyshortcuts="Q"
      title="ไล่ดูใหม่ อัปเดต ใกล้ปิด และวิจารณ์ร่าง ทีละโครงการ (Q)"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => {
        openedIndex = history.location.state.__TSR_index + 1
        change({ queue: true, peek: undefined })
      }}
      // Reserves the width of the final text, which arrives with the count, so that the heading does not shift.
      className="min-w-32 print:hidden"
    >
      {formatQueueCount(count)}
    </Button>
  )
}

function formatQueueCount(count: ReturnType<typeof countMorningQueue> | undefined) {
  if (!count) return 'ไล่ดูใหม่'
  if (count.total === 0) return 'ไม่มีรายการใหม่'
  if (count.waiting === 0) return 'ไล่ดูครบแล้ว'
  return (
    <span>
      ไล่ดูใหม่ <span className="font-semibold tabular-nums">{formatCount(count.waiting)}</span>
      <span className="sr-only"> รายการ</span>
    </span>
  )
}
