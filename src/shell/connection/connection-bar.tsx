import { CloudOff, Hourglass, type LucideIcon, Wifi, WifiOff } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import {
  type ConnectionStatus,
  connectionStore,
  probeConnection,
  startWatchingConnection,
} from '#src/api/http/connection.ts'
import {
  cancelSlowQueries,
  type SlowAndFailedQueries,
  subscribeToSlowAndFailedQueries,
} from '#src/api/http/slow-and-failed-queries.ts'
import { useSecondsUntil } from '#src/lib/use-seconds-until.ts'
import { StatusLine } from '#src/ui/status-line.tsx'
import { FailedQueriesNotice } from './failed-queries-notice.tsx'

export function ConnectionBar() {
  const currentConnection = useSyncExternalStore(connectionStore.subscribe, connectionStore.get)
  const [{ slow, failed }, setTroubles] = useState<SlowAndFailedQueries>({ slow: [], failed: [] })
  useEffect(startWatchingConnection, [])
  useEffect(() => subscribeToSlowAndFailedQueries(setTroubles), [])
  return (
    // One live region, mounted before any event, so that each message is announced once.
    <div role="status" className="sticky top-header z-[35] print:hidden">
      {currentConnection.state !== 'up' ? (
        <ConnectionLine current={currentConnection} />
      ) : slow.length > 0 ? (
        <StatusLine
          icon={Hourglass}
          words="โหลดช้ากว่าปกติ"
          action={{ label: 'ยกเลิกการโหลด', run: () => cancelSlowQueries(slow) }}
        />
      ) : (
        failed.length > 0 && <FailedQueriesNotice failed={failed} />
      )}
    </div>
  )
}

const STATE_TEXTS: Readonly<
  Record<Exclude<ConnectionStatus['state'], 'up' | 'back'>, readonly [LucideIcon, string, string]>
> = {
  offline: [WifiOff, 'ไม่ได้เชื่อมต่ออินเทอร์เน็ต ดูข้อมูลเดิมได้ กำลังลองใหม่', 'ออฟไลน์ ดูข้อมูลเดิมได้'],
  unreachable: [CloudOff, 'ติดต่อระบบไม่ได้ ข้อมูลที่เห็นอาจไม่ล่าสุด กำลังลองใหม่', 'ติดต่อระบบไม่ได้'],
  away: [CloudOff, 'ระบบไม่พร้อมชั่วคราว ข้อมูลที่เห็นอาจไม่ล่าสุด กำลังลองใหม่', 'ระบบไม่พร้อมชั่วคราว'],
  limited: [Hourglass, 'เรียกข้อมูลถี่เกินไป กำลังลองใหม่', 'เรียกข้อมูลถี่เกินไป'],
}

function ConnectionLine({ current }: { current: Exclude<ConnectionStatus, { state: 'up' }> }) {
  if (current.state === 'back')
    return (
      <StatusLine
        icon={Wifi}
        calm
        words={current.isCurrent ? 'กลับมาเชื่อมต่อแล้ว ข้อมูลเป็นปัจจุบัน' : 'กลับมาเชื่อมต่อแล้ว กำลังโหลดข้อมูลล่าสุด'}
      />
    )
  const [icon, words, short] = STATE_TEXTS[current.state]
  return (
    <StatusLine
      icon={icon}
      words={words}
      short={short}
      {...(current.state === 'limited' ? {} : { action: { label: 'ลองเดี๋ยวนี้', run: () => void probeConnection() } })}
    >
      <Countdown key={current.retryAtMs} untilMs={current.retryAtMs} />
    </StatusLine>
  )
}

/** Countdown hidden from screen readers, which would otherwise announce it every second. */
function Countdown({ untilMs }: { untilMs: number }) {
  const seconds = useSecondsUntil(untilMs)
  return (
    <span aria-hidden className="tabular-nums max-sm:hidden">
      {seconds > 0 ? `ใน ${seconds} วินาที` : '…'}
    </span>
  )
}
