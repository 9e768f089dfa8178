import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { CircleCheckBig, ListChecks } from 'lucide-react'
import { countMorningQueue } from '#contract/report/morning-queue.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { morningQueueQuery } from '#src/report/api/morning-queue.ts'
import { openMorningQueue } from './morning-queue-navigation.ts'

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
    <button
      type="button"
      data-queue-start
      aria-haspopup="dialog"
      aria-keyshortcuts="Q"
      title="ไล่ดูใหม่ อัปเดต ใกล้ปิด และวิจารณ์ร่าง ทีละโครงการ (Q)"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => openMorningQueue(change, history)}
      className={classNames(
        'inline-flex h-8 min-w-24 items-center justify-center gap-2 rounded-full border px-3 font-medium whitespace-nowrap transition-colors touch:h-11',
        isDone
          ? 'border-line bg-surface text-ink-muted hover:border-line-strong hover:text-ink'
          : 'border-accent-line bg-accent-soft text-accent-ink hover:border-accent-ink',
      )}
    >
      {isDone ? (
        <CircleCheckBig aria-hidden className="size-4 shrink-0 text-new" />
      ) : (
        <ListChecks aria-hidden className="size-4 shrink-0" />
      )}
      {words(count)}
    </button>
  )
}

function words(count: ReturnType<typeof countMorningQueue> | undefined) {
  if (!count) return 'ไล่ดู'
  if (count.total === 0) return 'เช้านี้ไม่มีรายการ'
  if (count.waiting === 0) return 'ไล่ดูครบแล้ว'
  return (
    <span>
      ไล่ดู <span className="font-semibold tabular-nums">{formatCountWithSeparators(count.waiting)}</span>
      <span className="sr-only"> รายการ</span>
    </span>
  )
}
