import type { Query } from '@tanstack/react-query'
import { CloudOff, Hourglass, type LucideIcon, TriangleAlert, Wifi, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import {
  type ConnectionStatus,
  connectionStore,
  probeConnection,
  startWatchingConnection,
} from '#src/api/http/connection.ts'
import {
  cancelSlowQueries,
  retryFailedQueries,
  type SlowAndFailedQueries,
  subscribeToSlowAndFailedQueries,
} from '#src/api/http/slow-and-failed-queries.ts'
import { getErrorRequestId, getErrorText } from '#src/lib/problem-error.ts'
import { useSecondsUntil } from '#src/lib/use-seconds-until.ts'
import { StatusLine } from '#src/ui/status-line.tsx'

export function ConnectionBar() {
  const currentConnection = connectionStore.useValue()
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

/** Names of queries whose failure no panel shows. All other queries have a panel that reports it. */
const QUIET_READ_NAMES: Readonly<Record<string, string>> = {
  'users me': 'ข้อมูลบัญชี ดาว และป้ายกำกับ',
  'organisations me': 'ข้อมูลองค์กร',
  'organisations matching': 'ความคืบหน้าการจับคู่',
  'reports facets': 'ตัวเลขในตัวกรอง',
  'reports saved-filter-counts': 'จำนวนในตัวกรองที่บันทึกไว้',
  'reports queue': 'จำนวนรายการที่รอไล่ดู',
  'keyword-terms list': 'คำใกล้เคียงของรายการ AI',
}

/** Queries whose panel shows an error only if it has no data; with stale data this notice reports the failure. */
const STALE_READ_NAMES: Readonly<Record<string, string>> = {
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

function quietReadName({ queryKey: [noun, subject], state }: Pick<Query, 'queryKey' | 'state'>): string | undefined {
  const keys = [`${String(noun)} ${String(subject)}`, String(noun)]
  const names = state.data === undefined ? QUIET_READ_NAMES : { ...STALE_READ_NAMES, ...QUIET_READ_NAMES }
  return keys.map((key) => names[key]).find((name) => name !== undefined)
}

function FailedQueriesNotice({ failed }: { failed: readonly Query[] }) {
  const quiet = failed.filter(quietReadName)
  if (quiet.length === 0) return null
  const error = quiet[0]?.state.error
  const id = getErrorRequestId(error)
  return (
    <StatusLine
      icon={TriangleAlert}
      words={`โหลดไม่สำเร็จ: ${[...new Set(quiet.map(quietReadName))].join(' · ')} ที่เห็นอาจไม่ล่าสุด`}
      action={{ label: 'ลองใหม่', run: () => retryFailedQueries(quiet) }}
    >
      {getErrorText(error)}
      {id && <span className="wrap-anywhere"> รหัสอ้างอิง {id}</span>}
    </StatusLine>
  )
}
