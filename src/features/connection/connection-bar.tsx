import { CloudOff, Hourglass, type LucideIcon, TriangleAlert, Wifi, WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { type Connection, connection, followConnection, probe } from '#src/api/connection.ts'
import { errorRequestId, errorText } from '#src/api/problem-error.ts'
import { type ReadTroubles, retryReads, stopReads, watchReads } from '#src/api/read-watch.ts'
import { classNames } from '#src/lib/class-names.ts'
import { quietReadName } from './read-names.ts'

/** Says once for the whole screen that the network or the server is away, that reads take long, or that something failed which has no panel. */
export function ConnectionBar() {
  const now = useSyncExternalStore(connection.watch, connection.get)
  const [{ slow, failed }, setTroubles] = useState<ReadTroubles>({ slow: [], failed: [] })
  useEffect(followConnection, [])
  useEffect(() => watchReads(setTroubles), [])
  const quiet = failed.filter(quietReadName)
  return (
    // One live region for all of it, there before the event: each is read once.
    <div role="status" className="sticky top-header z-[35] print:hidden">
      {now.state !== 'up' ? (
        <ConnectionLine now={now} />
      ) : slow.length > 0 ? (
        <Line icon={Hourglass} words="โหลดช้ากว่าปกติ" action={{ label: 'ยกเลิกการโหลด', run: () => stopReads(slow) }} />
      ) : (
        quiet.length > 0 && (
          <Line
            icon={TriangleAlert}
            words={`โหลดไม่สำเร็จ: ${[...new Set(quiet.map(quietReadName))].join(' · ')} ที่เห็นอาจไม่ล่าสุด`}
            action={{ label: 'ลองใหม่', run: () => retryReads(quiet) }}
          >
            {errorText(quiet[0]?.state.error)}
            <RequestId error={quiet[0]?.state.error} />
          </Line>
        )
      )}
    </div>
  )
}

function RequestId({ error }: { error: unknown }) {
  const id = errorRequestId(error)
  return id && <span className="wrap-anywhere"> รหัสอ้างอิง {id}</span>
}

const WORDS: Readonly<Record<Exclude<Connection['state'], 'up' | 'back'>, readonly [LucideIcon, string]>> = {
  offline: [WifiOff, 'ไม่ได้เชื่อมต่ออินเทอร์เน็ต ดูข้อมูลเดิมได้ แต่ยังบันทึกไม่ได้ กำลังลองใหม่'],
  unreachable: [CloudOff, 'ติดต่อระบบไม่ได้ ข้อมูลที่เห็นอาจไม่ล่าสุด กำลังลองใหม่'],
  away: [CloudOff, 'ระบบไม่พร้อมชั่วคราว ข้อมูลที่เห็นอาจไม่ล่าสุด กำลังลองใหม่'],
  limited: [Hourglass, 'เรียกข้อมูลถี่เกินไป กำลังลองใหม่'],
}

function ConnectionLine({ now }: { now: Exclude<Connection, { state: 'up' }> }) {
  if (now.state === 'back')
    return (
      <Line
        icon={Wifi}
        calm
        words={now.isCurrent ? 'กลับมาเชื่อมต่อแล้ว ข้อมูลเป็นปัจจุบัน' : 'กลับมาเชื่อมต่อแล้ว กำลังโหลดข้อมูลล่าสุด'}
      />
    )
  const [icon, words] = WORDS[now.state]
  return (
    <Line
      icon={icon}
      words={words}
      {...(now.state === 'limited' ? {} : { action: { label: 'ลองเดี๋ยวนี้', run: () => void probe() } })}
    >
      <Countdown key={now.retryAtMs} untilMs={now.retryAtMs} />
    </Line>
  )
}

/** Seconds left; not read out, or a screen reader would count along. */
function Countdown({ untilMs }: { untilMs: number }) {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((untilMs - nowMs) / 1000)
  return (
    <span aria-hidden className="tabular-nums">
      {seconds > 0 ? `ใน ${seconds} วินาที` : '…'}
    </span>
  )
}

type LineProps = {
  icon: LucideIcon
  /** Read out once. */
  words: string
  /** Good news. */
  calm?: boolean
  action?: { readonly label: string; readonly run: () => void }
  children?: ReactNode
}

function Line({ icon: Icon, words, calm, action, children }: LineProps) {
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center justify-center gap-x-2 gap-y-0.5 px-4 py-1.5 text-sm',
        calm ? 'bg-new-soft text-new' : 'bg-ink text-surface',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 wrap-anywhere">{words}</p>
      {children}
      {action && (
        <button
          type="button"
          onClick={action.run}
          className="min-h-6 rounded-control px-2 font-medium underline underline-offset-2 hover:no-underline focus-visible:outline-current touch:min-h-11"
        >
          {action.label}
        </button>
      )}
    </div>
  )
}
