import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import type { MatchingProgress } from '#contract/matching/matching-progress.ts'
import {
  hasMatchingRecentlyEnded,
  isMatchingRunning,
  matchingProgressQuery,
  pollMatchingProgress,
} from '#src/matching/api/matching-progress.ts'
import { ProgressBar } from '#src/ui/progress-bar.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

export function useMatchingProgress(): MatchingProgress | undefined {
  const { data } = useQuery(matchingProgressQuery)
  // Follow runs that this page did not start: another user may have changed the lists, or this page was reloaded.
  const shouldFollow = isMatchingRunning(data) || hasMatchingRecentlyEnded(data)
  useEffect(() => {
    if (shouldFollow) pollMatchingProgress()
  }, [shouldFollow])
  return data
}

type MatchingNoticeProps = { className?: string }

/** Notice that appears and disappears with matching, so place it in an existing line to avoid layout shifts. */
export function MatchingInProgressNotice({ className }: MatchingNoticeProps) {
  const progress = useMatchingProgress()
  const isOn = isMatchingRunning(progress)
  const percent =
    progress && progress.total > 0 ? Math.min(100, Math.floor((progress.done / progress.total) * 100)) : undefined
  return (
    <>
      <VisuallyHidden live>
        {isOn ? 'กำลังจับคู่โครงการใหม่' : progress?.state === 'failed' ? 'จับคู่โครงการใหม่ไม่สำเร็จ' : ''}
      </VisuallyHidden>
      {isOn && (
        <span className={`inline-flex items-center gap-2 text-accent-ink ${className ?? ''}`}>
          <RefreshCw aria-hidden className="size-3.5 shrink-0 animate-spin [animation-duration:2s]" />
          <span className="shrink-0 tabular-nums">กำลังจับคู่ใหม่{percent === undefined ? '…' : ` ${percent} %`}</span>
          <ProgressBar label="จับคู่โครงการกับคำที่เปลี่ยน" value={percent} max={100} className="w-24 max-md:hidden" />
        </span>
      )}
    </>
  )
}

export function MatchingFailedNotice({ className }: MatchingNoticeProps) {
  if (useMatchingProgress()?.state !== 'failed') return null
  return (
    <span className={`text-updated ${className ?? ''}`}>
      จับคู่โครงการใหม่ไม่สำเร็จ รายงานยังเป็นผลก่อนแก้คำ ระบบจะลองอีกครั้งเอง
    </span>
  )
}
