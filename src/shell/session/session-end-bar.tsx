import { Clock } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { refreshSession } from '#src/account/api/refresh-session.ts'
import { getCurrentSession, subscribeToSession } from '#src/lib/session-store.ts'

const WARNING_MS = 2 * 60_000

/** Warns of the end of a session that cannot be renewed automatically: offline, or in the 30-minute demo. */
export function SessionEndBar() {
  const endsAtMs = useSyncExternalStore(subscribeToSession, () => getCurrentSession()?.expiresAtMs)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    setIsNear(false)
    if (endsAtMs === undefined) return
    const timer = setTimeout(() => setIsNear(true), Math.max(0, endsAtMs - WARNING_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [endsAtMs])
  const isDemo = isNear && getCurrentSession()?.refresh === undefined
  return (
    <div role="alert" className="empty:hidden">
      {isNear && (
        <p className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-updated-line bg-updated-soft px-4 py-1.5 text-sm text-updated">
          <Clock aria-hidden className="size-4 shrink-0" />
          อีกไม่ถึง 2 นาทีจะหมดเวลาใช้งาน
          {isDemo ? (
            <a href="/login?refkey=demo" className="font-medium underline touch:py-3">
              เริ่มทดลองใช้รอบใหม่
            </a>
          ) : (
            <button
              type="button"
              onClick={() => void refreshSession()}
              className="font-medium underline touch:min-h-11"
            >
              ใช้งานต่อ
            </button>
          )}
        </p>
      )}
    </div>
  )
}
