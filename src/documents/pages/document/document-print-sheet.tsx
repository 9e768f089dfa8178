import { useEffect, useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { PdfFile } from '#src/documents/document-page/pdf-file.ts'

/** Maximum pages per print job: at 1,240 px wide (150 dpi) each page takes 8.7 MB of memory. */
export const MAX_PAGES_PER_PRINT_JOB = 30
const DRAWN_WIDTH = 1240

type PrintSheetProps = {
  file: PdfFile
  /** First page, 1-based; both ends are included, and the range has at most `MAX_PAGES_PER_PRINT_JOB` pages. */
  from: number
  to: number
  onDone: (failed: boolean) => void
}

/** Renders pages as images, one per sheet of paper, because a PDF viewer might execute the file's contents. */
export function DocumentPrintSheet({ file, from, to, onDone }: PrintSheetProps) {
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
