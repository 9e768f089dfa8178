import { Lock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { getWatchListLockEnd, type WatchListLockWindow } from '#contract/account/watch-list-lock-window.ts'
import { getServerTime, subscribeToSession } from '#src/lib/session-store.ts'
import { createExternalStore } from '#src/lib/store.ts'

/** When the lists reopen according to the server, which takes precedence over the local clock; ms, 0 if unknown. */
const lockEndFromServer = createExternalStore(0)
// Another session may see other lists, so forget the recorded lock.
subscribeToSession((_session, cause) => {
  if (cause !== 'refreshed') lockEndFromServer.set(0)
})
const TICK_MS = 1000
/** Tolerated difference between the local and the server clock; `getServerTime` corrects only larger ones. */
const CLOCK_TOLERANCE_MS = 5 * 60_000
const FALLBACK_LOCK_MS = 60_000

export function recordWatchListLock(window: WatchListLockWindow, now = getServerTime()): void {
  const near = [CLOCK_TOLERANCE_MS, 0, -CLOCK_TOLERANCE_MS]
    .map((offMs) => getWatchListLockEnd(window, new Date(now.getTime() + offMs)))
    .find((end) => end !== undefined && end > now)
  lockEndFromServer.set(near?.getTime() ?? now.getTime() + FALLBACK_LOCK_MS)
}

/** Returns the time at which the lists reopen, in ms; 0 while they are open. */
function lockEnd(window: WatchListLockWindow, fromServer: number): number {
  const now = getServerTime()
  const localEnd = getWatchListLockEnd(window, now)?.getTime() ?? 0
  return fromServer > now.getTime() ? Math.max(localEnd, fromServer) : localEnd
}

export function useWatchListsLocked(window: WatchListLockWindow): boolean {
  const fromServer = lockEndFromServer.useValue()
  const [end, setEnd] = useState(() => lockEnd(window, fromServer))
  useEffect(() => {
    const update = () => setEnd(lockEnd(window, fromServer))
    update()
    const timer = setInterval(update, TICK_MS)
    // Browsers throttle timers of background tabs, so also update when the tab becomes visible.
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [window, fromServer])
  return end > 0
}

const clock = (time: string) => time.slice(0, 5)

export function WatchListsLockedBanner({ window }: { window: WatchListLockWindow }) {
  return (
    <div
      role="status"
      className="flex items-start gap-3 rounded-card border border-updated-line bg-updated-soft px-4 py-3 text-updated"
    >
      <Lock aria-hidden className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">แก้รายการได้อีกครั้งเวลา {clock(window.not_allow_end_time)} น. (เวลาไทย)</p>
        <p className="text-sm">
          ทุกวัน {clock(window.not_allow_start_time)}–{clock(window.not_allow_end_time)} น. ระบบจับคู่โครงการรอบกลางคืน
          ระหว่างนี้ดูคำและรายงานได้ตามปกติ หน้านี้จะเปิดให้แก้เองเมื่อถึงเวลา
        </p>
      </div>
    </div>
  )
}
