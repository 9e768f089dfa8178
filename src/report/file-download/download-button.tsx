import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { datedFileName } from '#contract/file-name.ts'
import type { FileProgress } from '#src/api/http/file-download.ts'
import { errorMessage } from '#src/api/http/problem-error.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

/** Shared toast key, so that a later download replaces the message of an earlier one. */
const TOAST = 'file-download'

type DownloadButtonProps = {
  /** Start of the file name, followed by the date. */
  stem: string
  save: (name: string, tell: (progress: FileProgress) => void, signal: AbortSignal) => Promise<void>
  doneText?: (name: string) => string
  reasonOf?: (error: unknown) => string
  cancellable?: boolean
}

/** Downloads a workbook and shows the progress in the button. Unmounting aborts the download. */
export function DownloadButton({
  stem,
  save,
  doneText = () => 'ดาวน์โหลดไฟล์แล้ว',
  reasonOf = errorMessage,
  cancellable = false,
}: DownloadButtonProps) {
  const [progress, setProgress] = useState<FileProgress>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const download = async () => {
    const control = new AbortController()
    stop.current = control
    setProgress({ received: 0, total: undefined })
    try {
      const name = datedFileName(stem, serverNow())
      await save(name, setProgress, control.signal)
      showToast({ tone: 'done', text: doneText(name), key: TOAST })
    } catch (error) {
      if (control.signal.aborted) return
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
    <>
      {cancellable && progress !== undefined && (
        <Button look="quiet" onClick={() => stop.current?.abort()}>
          ยกเลิก
        </Button>
      )}
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
