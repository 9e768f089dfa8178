import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { PdfFile } from '#src/documents/document-page/pdf-file.ts'

/** Pages that are printed in one go: 1,240 dots across are 150 a page's inch and 8.7 MB of memory. */
export const MOST_PRINTED = 30
const DRAWN_WIDTH = 1240

type PrintSheetProps = {
  file: PdfFile
  /** From 1, both included; at most `MOST_PRINTED` of them. */
  from: number
  to: number
  /** Printed, or given up. */
  onDone: (failed: boolean) => void
}

/** The pages as pictures of paper, of which the browser prints one a sheet. Drawn by us: the file itself is handed to no viewer, which might run what stands in it. */
export function PrintSheet({ file, from, to, onDone }: PrintSheetProps) {
  const sheet = useRef<HTMLDivElement>(null)
  const done = useRef(onDone)
  useEffect(() => {
    done.current = onDone
  })
  useEffect(() => {
    const stop = new AbortController()
    const draw = async () => {
      for (const [index, canvas] of [...sheet.current!.querySelectorAll('canvas')].entries()) {
        canvas.width = DRAWN_WIDTH
        await file.draw(from + index, canvas, stop.signal)
      }
      // The dialog of the browser holds this line until it is closed.
      window.print()
      done.current(false)
    }
    draw().catch(() => {
      if (!stop.signal.aborted) done.current(true)
    })
    return () => stop.abort()
  }, [file, from])
  return createPortal(
    <div ref={sheet} data-document-sheet="" className="hidden print:block">
      {Array.from({ length: to - from + 1 }, (_, at) => from + at).map((number) => (
        <canvas key={number} className="block h-auto w-full break-after-page" />
      ))}
    </div>,
    document.body,
  )
}
