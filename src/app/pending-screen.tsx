export function PendingScreen() {
  return (
    <div role="status" className="appear min-h-dvh">
      <span className="sr-only">กำลังโหลด</span>
      <div className="flex h-header items-center border-b border-line bg-surface px-5 text-xl font-bold text-accent-ink">
        ตามงาน
      </div>
      <div className="space-y-3 p-5">
        <span className="block h-6 w-56 animate-pulse rounded bg-surface-muted" />
        <span className="block h-4 w-80 max-w-full animate-pulse rounded bg-surface-muted" />
      </div>
    </div>
  )
}
