import { useMutation } from '@tanstack/react-query'
import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { buildDatedFileName } from '#contract/dated-file-name.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { type DownloadableFile, type DownloadProgress, downloadFile } from '#src/api/http/file-download.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { useAbortOnUnmount } from '#src/lib/use-abort-on-unmount.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

const TOAST_KEY = 'file-download'
const NOTHING_RECEIVED: DownloadProgress = { received: 0, total: undefined }

type DownloadButtonProps = {
  stem: string
  save: (name: string, tell: (progress: DownloadProgress) => void, signal: AbortSignal) => Promise<void>
  doneText?: (name: string) => string
  reasonOf?: (error: unknown) => string
  cancellable?: boolean
}

/** Unmounting aborts the download. */
export function DownloadButton({
  stem,
  save,
  doneText = () => 'ดาวน์โหลดไฟล์แล้ว',
  reasonOf = formatErrorMessage,
  cancellable = false,
}: DownloadButtonProps) {
  const [progress, setProgress] = useState(NOTHING_RECEIVED)
  const stopRef = useAbortOnUnmount()
  const download = useMutation({
    mutationFn: async () => {
      stopRef.current = new AbortController()
      setProgress(NOTHING_RECEIVED)
      const name = buildDatedFileName(stem, getServerTime())
      await save(name, setProgress, stopRef.current.signal)
      return name
    },
    onSuccess: (name) => showToast({ tone: 'done', text: doneText(name), key: TOAST_KEY }),
    onError: (error) => {
      if (stopRef.current?.signal.aborted) return
      showToast({
        tone: 'error',
        text: `ส่งออกไม่สำเร็จ ${reasonOf(error)}`,
        action: { label: 'ลองใหม่', run: () => download.mutate() },
        key: TOAST_KEY,
      })
    },
  })
  return (
    <>
      {cancellable && download.isPending && (
        <Button variant="quiet" onClick={() => stopRef.current?.abort()}>
          ยกเลิก
        </Button>
      )}
      <Button icon={Download} pending={download.isPending} onClick={() => download.mutate()}>
        {download.isPending ? progressText(progress) : 'ส่งออก Excel'}
      </Button>
      <VisuallyHidden live>{download.isPending ? 'กำลังเตรียมไฟล์' : ''}</VisuallyHidden>
    </>
  )
}

function progressText({ received, total }: DownloadProgress): string {
  if (received === 0) return 'กำลังเตรียมไฟล์…'
  return total === undefined ? `ได้รับ ${Math.ceil(received / 1024)} kB` : `ได้รับ ${Math.round((received / total) * 100)}%`
}

export function FileDownloadButtons({ file }: { file: DownloadableFile }) {
  return (
    <div className="flex items-center gap-2 print:hidden">
      <Button variant="quiet" icon={Printer} onClick={() => window.print()}>
        <span className="max-md:sr-only">พิมพ์</span>
      </Button>
      {!isDemoSession() && (
        <DownloadButton
          stem={`${file.name}-`}
          save={(name, tell, signal) => downloadFile({ ...file, name, onProgress: tell, signal })}
        />
      )}
    </div>
  )
}
