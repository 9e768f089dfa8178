import { Printer } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { PdfFile } from '#src/documents/document-page/pdf-file.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

/** Pages from 1; both ends are included, and at most `MAX_PAGES_PER_PRINT_JOB` pages are printed. */
type PageRange = { readonly from: number; readonly to: number }

export function DocumentPrintButton({ file, pageCount, page }: { file: PdfFile; pageCount: number; page: number }) {
  const [isChoosing, setChoosing] = useState(false)
  const [printing, setPrinting] = useState<PageRange>()
  const start = (range: PageRange) => {
    setChoosing(false)
    setPrinting(range)
  }
  return (
    <>
      <IconButton
        icon={Printer}
        label={printing ? 'กำลังเตรียมพิมพ์' : 'พิมพ์เอกสาร'}
        disabled={printing !== undefined}
        onClick={() => (pageCount <= MAX_PAGES_PER_PRINT_JOB ? start({ from: 1, to: pageCount }) : setChoosing(true))}
      />
      {isChoosing && (
        <PageRangeDialog pageCount={pageCount} page={page} onClose={() => setChoosing(false)} onPrint={start} />
      )}
      {printing && (
        <DocumentPrintSheet
          file={file}
          {...printing}
          onDone={(failed) => {
            setPrinting(undefined)
            if (failed) showToast({ tone: 'error', text: 'เตรียมพิมพ์ไม่สำเร็จ ดาวน์โหลดไฟล์ไปพิมพ์เอง' })
          }}
        />
      )}
    </>
  )
}

type PageRangeDialogProps = {
  pageCount: number
  page: number
  onClose: () => void
  onPrint: (range: PageRange) => void
}

function PageRangeDialog({ pageCount, page, onClose, onPrint }: PageRangeDialogProps) {
  const [from, setFrom] = useState(String(page))
  const [to, setTo] = useState(String(Math.min(pageCount, page + MAX_PAGES_PER_PRINT_JOB - 1)))
  const [first, last] = [Number(from), Number(to)]
  const isRange = Number.isInteger(first) && Number.isInteger(last) && first >= 1 && last >= first && last <= pageCount
  const problem = !isRange
    ? `ใส่เลขหน้า 1 ถึง ${pageCount}`
    : last - first >= MAX_PAGES_PER_PRINT_JOB
      ? `พิมพ์ได้ครั้งละไม่เกิน ${MAX_PAGES_PER_PRINT_JOB} หน้า`
      : undefined
  return (
    <Modal
      open
      onClose={onClose}
      title="พิมพ์หน้าไหน"
      description={`เอกสารมี ${pageCount} หน้า พิมพ์ได้ครั้งละไม่เกิน ${MAX_PAGES_PER_PRINT_JOB} หน้า`}
      footer={
        <>
          <Button onClick={onClose}>ยกเลิก</Button>
          <Button
            variant="primary"
            disabled={problem !== undefined}
            onClick={() => onPrint({ from: first, to: last })}
            data-autofocus
          >
            พิมพ์
          </Button>
        </>
      }
    >
      <div className="flex gap-3 px-5 py-4">
        <TextField
          label="จากหน้า"
          inputMode="numeric"
          value={from}
          error={problem}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          className="flex-1"
        />
        <TextField
          label="ถึงหน้า"
          inputMode="numeric"
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
          className="flex-1"
        />
      </div>
    </Modal>
  )
}

/** Maximum pages per print job: at 1,240 px wide (150 dpi) each page takes 8.7 MB of memory. */
const MAX_PAGES_PER_PRINT_JOB = 30
const DRAWN_WIDTH = 1240

type PrintSheetProps = PageRange & { file: PdfFile; onDone: (failed: boolean) => void }

/** Renders pages as images, one per sheet of paper, because a PDF viewer might execute the file's contents. */
function DocumentPrintSheet({ file, from, to, onDone }: PrintSheetProps) {
  const canvases = useRef<HTMLCanvasElement[]>([])
  const handleDone = useEffectEvent(onDone)
  useEffect(() => {
    const stop = new AbortController()
    const draw = async () => {
      for (const [index, canvas] of canvases.current.entries()) {
        canvas.width = DRAWN_WIDTH
        await file.draw(from + index, canvas, stop.signal)
      }
      // This call blocks until the print dialog is closed.
      window.print()
      handleDone(false)
    }
    draw().catch(() => {
      if (!stop.signal.aborted) handleDone(true)
    })
    return () => stop.abort()
  }, [file, from])
  return createPortal(
    <div data-document-sheet="" className="hidden print:block">
      {Array.from({ length: to - from + 1 }, (_, at) => from + at).map((number, at) => (
        <canvas
          key={number}
          ref={(canvas) => {
            if (canvas) canvases.current[at] = canvas
          }}
          className="block h-auto w-full break-after-page"
        />
      ))}
    </div>,
    document.body,
  )
}
