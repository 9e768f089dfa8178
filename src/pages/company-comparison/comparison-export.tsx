import { Download, Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { CompanySearch } from '#contract/company-params.ts'
import { bangkokToday } from '#contract/thai-date.ts'
import { comparisonApiQuery, downloadComparison } from '#src/api/company-comparisons.ts'
import { isDemo } from '#src/api/demo.ts'
import { errorWords } from '#src/api/error-words.ts'
import type { FileProgress } from '#src/api/file-download.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/toast.ts'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

/** Two downloads of one comparison are one message. */
const TOAST = 'comparison-file'

/** The comparison on paper, or as a file of figures; the demo has no files. */
export function ComparisonExport({ search }: { search: CompanySearch }) {
  return (
    <div className="flex items-center gap-2 print:hidden">
      <Button look="quiet" icon={Printer} onClick={() => window.print()}>
        พิมพ์
      </Button>
      {!isDemo() && <DownloadButton search={search} />}
    </div>
  )
}

function DownloadButton({ search }: { search: CompanySearch }) {
  const [progress, setProgress] = useState<FileProgress>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const download = async () => {
    const control = new AbortController()
    stop.current = control
    setProgress({ received: 0, total: undefined })
    try {
      const name = `company-comparison-${bangkokToday(serverNow()).replaceAll('-', '')}.xlsx`
      await downloadComparison(comparisonApiQuery(search), name, setProgress, control.signal)
      showToast({ tone: 'done', text: 'ดาวน์โหลดไฟล์เปรียบเทียบแล้ว', key: TOAST })
    } catch (error) {
      if (control.signal.aborted) return
      showToast({
        tone: 'error',
        text: `ส่งออกไม่สำเร็จ ${errorWords(error)}`,
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
