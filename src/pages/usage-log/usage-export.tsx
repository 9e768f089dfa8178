import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { bangkokToday } from '#contract/thai-date.ts'
import { printUsageSearch, type UsageSearch } from '#contract/usage-log.ts'
import type { FileProgress } from '#src/api/file-download.ts'
import { errorText } from '#src/api/problem-error.ts'
import { downloadUsageLog } from '#src/api/usage-logs.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/toast.ts'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

const TOAST = 'usage-log-file'

/** Saves the log as filtered; while it comes the button says how much, and beside it stands the way out. */
export function UsageExport({ search }: { search: UsageSearch }) {
  const [progress, setProgress] = useState<FileProgress>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const download = async () => {
    const control = new AbortController()
    stop.current = control
    setProgress({ received: 0, total: undefined })
    try {
      const { page: _page, page_size: _size, ...filters } = search
      const name = `USAGE_HISTORY_${bangkokToday(serverNow()).replaceAll('-', '')}.xlsx`
      await downloadUsageLog(printUsageSearch(filters), name, setProgress, control.signal)
      showToast({ tone: 'done', text: `บันทึก ${name} แล้ว`, key: TOAST })
    } catch (error) {
      if (!control.signal.aborted)
        showToast({
          tone: 'error',
          text: `ส่งออกไม่สำเร็จ ${reasonOf(error)}`,
          action: { label: 'ลองใหม่', run: () => void download() },
          key: TOAST,
        })
    } finally {
      setProgress(undefined)
    }
  }
  return (
    <div className="flex items-center gap-2">
      <VisuallyHidden live>{progress === undefined ? '' : 'กำลังเตรียมไฟล์'}</VisuallyHidden>
      {progress !== undefined && (
        <Button look="quiet" onClick={() => stop.current?.abort()}>
          ยกเลิก
        </Button>
      )}
      <Button icon={Download} pending={progress !== undefined} onClick={() => void download()}>
        {progress === undefined ? 'ส่งออก Excel' : progressText(progress)}
      </Button>
    </div>
  )
}

const reasonOf = (error: unknown) =>
  (error as Error).name === 'TimeoutError' ? 'ใช้เวลาเกิน 2 นาที กรองช่วงวันที่ให้แคบลงแล้วลองใหม่' : errorText(error)

const progressText = ({ received }: FileProgress) =>
  received === 0 ? 'กำลังเตรียมไฟล์…' : `ได้รับ ${Math.ceil(received / 1024)} kB`
