import { useEffect, useState } from 'react'
import { serverNow } from '#src/lib/session-store.ts'

const MINUTE_MS = 60_000

/** The present moment by the server's clock, anew at every full minute and when the tab is looked at again. */
export function useServerMinute(): Date {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      clearTimeout(timer)
      const next = serverNow()
      setNow(next)
      timer = setTimeout(tick, MINUTE_MS - (next.getTime() % MINUTE_MS))
    }
    // A hidden tab's timers are held back; a device that slept has none.
    const onVisible = () => {
      if (document.visibilityState === 'visible') tick()
    }
    tick()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [])
  return now
}
