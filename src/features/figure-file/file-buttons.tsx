import { Download, Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { CompanyFile } from '#src/api/company/company-files.ts'
import { downloadFile, type FileProgress } from '#src/api/http/file-download.ts'
import { errorMessage } from '#src/api/http/problem-error.ts'
import { isDemo } from '#src/api/keyword/demo.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

/** Two downloads of one screen are one message. */
const TOAST = 'figure-file'

/** The screen on paper, or as a file of figures; the demo has no files. */
export function FileButtons({ file }: { file: CompanyFile }) {
  return (
    <div className="flex items-center gap-2 print:hidden">
      <Button look="quiet" icon={Printer} onClick={() => window.print()}>
        <span className="max-md:sr-only">พิมพ์</span>
      </Button>
      {!isDemo() && <DownloadButton file={file} />}
    </div>
  )
}

function DownloadButton({ file }: { file: CompanyFile }) {
  const [progress, setProgress] = useState<FileProgress>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const download = async () => {
    const control = new AbortController()
    stop.current = control
    setProgress({ received: 0, total: undefined })
    try {
      const name = `${file.name}-${bangkokToday(serverNow()).replaceAll('-', '')}.xlsx`
      await downloadFile({ ...file, name, tell: setProgress, signal: control.signal })
      showToast({ tone: 'done', text: 'ดาวน์โหลดไฟล์แล้ว', key: TOAST })
    } catch (error) {
      if (control.signal.aborted) return
      showToast({
        tone: 'error',
        text: `ส่งออกไม่สำเร็จ ${errorMessage(error)}`,
        action: { label: 'ลองใหม่', run: () => void download() },
        key: TOAST,
      })
    } finally {
      if (!control.signal.aborted) setProgress(undefined)
    }
  }
  return (
    <>
      <Button icon={Download} pending={progress !== undefined} onClick={() => void download()}>
        {progress === undefined ? 'ส่งออก Excel' : progressText(progress)}
      </Button>
      <VisuallyHidden live>{progress === undefined ? '' : 'กำลังเตรียมไฟล์'}</VisuallyHidden>
    </>
  )
}

function progressText({ received, total }: FileProgress): string {
  if (received === 0) return 'กำลังเตรียมไฟล์…'
  return total === undefined ? `ได้รับ ${Math.ceil(received / 1024)} kB` : `ได้รับ ${Math.round((received / total) * 100)}%`
}
