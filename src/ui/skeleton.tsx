import { classNames } from '#src/lib/class-names.ts'

/** Grey bar in the shape of what comes. Put it in a `SkeletonGroup`, which waits 200 ms and says "loading" once. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames('block h-4 animate-pulse rounded bg-surface-muted', className)} />
}

export function SkeletonGroup({
  label = 'กำลังโหลด',
  className,
  children,
}: {
  label?: string
  className?: string
  children: React.ReactNode
}) {
  return (
    <div role="status" className={classNames('appear-late', className)}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  )
}
