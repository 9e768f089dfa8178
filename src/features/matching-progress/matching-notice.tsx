import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { followMatching, isMatching, matchingQuery } from '#src/api/matching-progress.ts'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

/** How far the new matching has come after the lists changed; nothing while there is none. */
export function MatchingNotice() {
  const { data } = useQuery(matchingQuery)
  const isOn = isMatching(data)
  // Somebody else of the organisation may have changed the lists, or this page was loaded anew meanwhile.
  useEffect(() => {
    if (isOn) followMatching()
  }, [isOn])
  const percent = data && data.total > 0 ? Math.min(100, Math.floor((data.done / data.total) * 100)) : undefined
  return (
    <>
      <VisuallyHidden live>
        {isOn ? 'กำลังจับคู่โครงการใหม่' : data?.state === 'failed' ? 'จับคู่โครงการใหม่ไม่สำเร็จ' : ''}
      </VisuallyHidden>
      {data && isOn && (
        <div className="appear-late flex items-center gap-3 rounded-control border border-line bg-surface-muted px-3 py-1.5 text-sm text-ink-muted">
          <RefreshCw aria-hidden className="size-4 shrink-0 animate-spin [animation-duration:2s]" />
          <span className="shrink-0 tabular-nums">กำลังจับคู่ใหม่{percent === undefined ? '…' : ` ${percent} %`}</span>
          <div
            role="progressbar"
            aria-label="จับคู่โครงการกับคำที่เปลี่ยน"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent}
            className="h-1 min-w-0 flex-1 overflow-hidden rounded-full bg-line"
          >
            <div
              className="h-full origin-left rounded-full bg-accent transition-transform"
              style={{ transform: `scaleX(${(percent ?? 0) / 100})` }}
            />
          </div>
        </div>
      )}
      {data?.state === 'failed' && (
        <p className="rounded-control border border-updated-line bg-updated-soft px-3 py-1.5 text-sm text-updated">
          จับคู่โครงการใหม่ไม่สำเร็จ รายงานยังเป็นผลก่อนแก้คำ ระบบจะลองอีกครั้งเอง
        </p>
      )}
    </>
  )
}
