import type { Query } from '@tanstack/react-query'
import { CloudOff, Hourglass, type LucideIcon, TriangleAlert, Wifi, WifiOff } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Connection, connection, followConnection, probe } from '#src/api/http/connection.ts'
import { errorRequestId, errorText } from '#src/api/http/problem-error.ts'
import { type ReadTroubles, retryReads, stopReads, watchReads } from '#src/api/http/read-watch.ts'
import { StatusLine } from '#src/ui/status-line.tsx'

/** Reads that have no panel of their own to say that they failed, in words for the bar. The rest speaks in its own place. */
const NAMES: Readonly<Record<string, string>> = {
  'users me': 'ข้อมูลบัญชี ดาว และป้ายกำกับ',
  'organisations me': 'ข้อมูลองค์กร',
  'organisations matching': 'ความคืบหน้าการจับคู่',
  'reports facets': 'ตัวเลขในตัวกรอง',
  'reports saved-filter-counts': 'จำนวนในตัวกรองที่บันทึกไว้',
  'reports queue': 'จำนวนรายการที่รอไล่ดู',
  'keyword-terms list': 'คำใกล้เคียงของรายการ AI',
}

/** Reads whose panel says that they failed where there is nothing to show, and goes on showing what it has. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  'users sessions': 'อุปกรณ์ที่เข้าสู่ระบบอยู่',
  exports: 'ไฟล์ที่ส่งออกไว้',
  'reports project': 'โครงการที่เปิดดู',
  'reports queue-rows': 'โครงการที่กำลังไล่ดู',
  'projects similar-prices': 'ราคาของงานคล้ายกัน',
  'projects linked': 'โครงการที่เกี่ยวข้อง',
  'impact preview': 'ผลของคำกับรายงาน',
  'impact stats': 'ตัวเลขของคำ',
  'impact ledger': 'โครงการที่ถูกตัดออก',
  'impact why': 'เหตุผลของโครงการ',
  'impact check': 'ผลตรวจคำ',
  'keyword-terms expansion': 'คำใกล้เคียง',
  departments: 'รายชื่อหน่วยงาน',
  'companies suggestions': 'ชื่อบริษัท',
  'companies timeline': 'เส้นเวลาของบริษัท',
  'company-comparison projects': 'โครงการที่พบกัน',
  'company-comparison pairs': 'คู่ที่พบกันบ่อย',
  'company-comparison likely': 'ผู้ที่น่าจะยื่น',
  'budgets years': 'ปีงบประมาณ',
  'report-mail preview': 'ตัวอย่างอีเมล',
}

/** What is missing or old on the screen, said nowhere else; undefined for reads whose panel says it. */
function quietReadName({ queryKey: [noun, what], state }: Pick<Query, 'queryKey' | 'state'>): string | undefined {
  const keys = [`${String(noun)} ${String(what)}`, String(noun)]
  const names = state.data === undefined ? NAMES : { ...OLD_NAMES, ...NAMES }
  return keys.map((key) => names[key]).find((name) => name !== undefined)
}

/** Says once for the whole screen that the network or the server is away, that reads take long, or that something failed which has no panel. */
export function ConnectionBar() {
  const now = useSyncExternalStore(connection.subscribe, connection.get)
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
        <StatusLine
          icon={Hourglass}
          words="โหลดช้ากว่าปกติ"
          action={{ label: 'ยกเลิกการโหลด', run: () => stopReads(slow) }}
        />
      ) : (
        quiet.length > 0 && (
          <StatusLine
            icon={TriangleAlert}
            words={`โหลดไม่สำเร็จ: ${[...new Set(quiet.map(quietReadName))].join(' · ')} ที่เห็นอาจไม่ล่าสุด`}
            action={{ label: 'ลองใหม่', run: () => retryReads(quiet) }}
          >
            {errorText(quiet[0]?.state.error)}
            <RequestId error={quiet[0]?.state.error} />
          </StatusLine>
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
  offline: [WifiOff, 'ไม่ได้เชื่อมต่ออินเทอร์เน็ต ดูข้อมูลเดิมได้ กำลังลองใหม่'],
  unreachable: [CloudOff, 'ติดต่อระบบไม่ได้ ข้อมูลที่เห็นอาจไม่ล่าสุด กำลังลองใหม่'],
  away: [CloudOff, 'ระบบไม่พร้อมชั่วคราว ข้อมูลที่เห็นอาจไม่ล่าสุด กำลังลองใหม่'],
  limited: [Hourglass, 'เรียกข้อมูลถี่เกินไป กำลังลองใหม่'],
}

function ConnectionLine({ now }: { now: Exclude<Connection, { state: 'up' }> }) {
  if (now.state === 'back')
    return (
      <StatusLine
        icon={Wifi}
        calm
        words={now.isCurrent ? 'กลับมาเชื่อมต่อแล้ว ข้อมูลเป็นปัจจุบัน' : 'กลับมาเชื่อมต่อแล้ว กำลังโหลดข้อมูลล่าสุด'}
      />
    )
  const [icon, words] = WORDS[now.state]
  return (
    <StatusLine
      icon={icon}
      words={words}
      {...(now.state === 'limited' ? {} : { action: { label: 'ลองเดี๋ยวนี้', run: () => void probe() } })}
    >
      <Countdown key={now.retryAtMs} untilMs={now.retryAtMs} />
    </StatusLine>
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
