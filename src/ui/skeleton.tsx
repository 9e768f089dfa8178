import { CloudOff } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'
import { queriesPausedStore } from '#src/lib/queries-paused-store.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'

/** Grey placeholder bar. Wrap in a `SkeletonGroup`, which waits 200 ms and announces loading once. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames('block h-4 animate-pulse rounded bg-surface-muted', className)} />
}

type SkeletonGroupProps = {
  label?: string
  className?: string | undefined
  bars?: readonly string[]
  children?: React.ReactNode
}

/** Shows a text instead of an animation while queries are paused offline. */
export function SkeletonGroup({ label = 'กำลังโหลด', className, bars = [], children }: SkeletonGroupProps) {
  const isPaused = queriesPausedStore.useValue()
  if (isPaused)
    return (
      <div role="status" className="appear-late flex items-start gap-2 px-3 py-4 text-sm text-ink-muted">
        <CloudOff aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
        ส่วนนี้ยังไม่มีข้อมูลเดิมเก็บไว้ในเครื่อง จะโหลดให้เองเมื่อเชื่อมต่อได้อีกครั้ง
      </div>
    )
  return (
    <div role="status" className={classNames('appear-late', className)}>
      <span className="sr-only">{label}</span>
      {withReactKeys(bars, String).map(({ key, item }) => (
        <Skeleton key={key} className={item} />
      ))}
      {children}
    </div>
  )
}
