import type { Query } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { retryFailedQueries } from '#src/api/http/slow-and-failed-queries.ts'
import { getErrorRequestId, getErrorText } from '#src/lib/problem-error.ts'
import { StatusLine } from '#src/ui/status-line.tsx'

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

/**
 * Names of queries whose panel shows an error only if it has no data; with stale data this notice reports the failure.
 */
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

export function FailedQueriesNotice({ failed }: { failed: readonly Query[] }) {
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
