import type { ReportRow } from '#contract/report/report.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'
import { buildLineMessage } from './build-line-message.ts'

const hasShareSheet = () => typeof navigator.share === 'function' && window.matchMedia('(pointer: coarse)').matches

export async function copyProjectsForLineChat(rows: readonly ReportRow[]): Promise<void> {
  const text = buildLineMessage(rows, { origin: window.location.origin, today: getBangkokToday(getServerTime()) })
  if (hasShareSheet()) {
    try {
      await navigator.share({ text })
      return
    } catch (error) {
      // AbortError means that the user closed the share dialog. On other errors fall back to the clipboard.
      if (error instanceof DOMException && error.name === 'AbortError') return
    }
  }
  await copyWithToast(
    text,
    rows.length === 1 ? 'คัดลอกแล้ว วางใน LINE ได้เลย' : `คัดลอก ${rows.length} โครงการแล้ว วางใน LINE ได้เลย`,
    'คัดลอกไม่ได้ เบราว์เซอร์ไม่อนุญาตให้ใช้คลิปบอร์ด',
    { retry: () => void copyProjectsForLineChat(rows) },
  )
}
