import { Lock } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { listsLockedUntil, type NotAllowedWindow } from '#contract/account/not-allowed-window.ts'
import { serverNow, watchSession } from '#src/lib/session-store.ts'
import { createStore } from '#src/lib/store.ts'

/** Until when the server has said that the lists are closed, whatever our clock says. Milliseconds; 0 while it has not. */
const lockEndFromServer = createStore(0)
// The lists of the next one are other lists.
watchSession((_session, cause) => {
  if (cause !== 'refreshed') lockEndFromServer.set(0)
})
const TICK_MS = 1000
/** Our clock may be this far off (serverNow() puts right only what is more). */
const DOUBT_MS = 5 * 60_000
/** Asked again after this, where the window does not say when. */
const UNSURE_MS = 60_000

/** The server has refused a change because the lists are closed: the page says so although its own clock did not. */
export function closedByServer(window: NotAllowedWindow, now = serverNow()): void {
  const near = [DOUBT_MS, 0, -DOUBT_MS]
    .map((offMs) => listsLockedUntil(window, new Date(now.getTime() + offMs)))
    .find((end) => end !== undefined && end > now)
  lockEndFromServer.set(near?.getTime() ?? now.getTime() + UNSURE_MS)
}

/** The moment at which the lists open again, 0 while they are open. */
function lockEnd(window: NotAllowedWindow, fromServer: number): number {
  const now = serverNow()
  const own = listsLockedUntil(window, now)?.getTime() ?? 0
  return fromServer > now.getTime() ? Math.max(own, fromServer) : own
}

/** Whether the lists are closed; follows the clock, so that they close and open by themselves. */
export function useListsLocked(window: NotAllowedWindow): boolean {
  const fromServer = useSyncExternalStore(lockEndFromServer.subscribe, lockEndFromServer.get)
  const [end, setEnd] = useState(() => lockEnd(window, fromServer))
  useEffect(() => {
    const update = () => setEnd(lockEnd(window, fromServer))
    update()
    const timer = setInterval(update, TICK_MS)
    // A tab in the background has its timers slowed down.
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [window, fromServer])
  return end > 0
}

const clock = (time: string) => time.slice(0, 5)

/** Why nothing can be changed now, and until when. Times are those of Bangkok, whatever the device shows. */
export function LockedBanner({ window }: { window: NotAllowedWindow }) {
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
