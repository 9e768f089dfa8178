import { useEffect, useRef } from 'react'
import type { PdfFile } from '#src/documents/document-page/pdf-file.ts'
import { useIsNear } from '#src/documents/document-page/use-is-near.ts'
import { classNames } from '#src/lib/class-names.ts'

const DRAWN_WIDTH = 2 * 88
const PRELOAD_MARGIN = '200px'

type ThumbnailsProps = {
  file: PdfFile
  pageCount: number
  page: number
  onPage: (page: number) => void
}

const scrollToNearest = (thumbnail: Element | null) => thumbnail?.scrollIntoView?.({ block: 'nearest' })

export function DocumentThumbnails({ file, pageCount, page, onPage }: ThumbnailsProps) {
  return (
    <ul aria-label="หน้าทั้งหมด" className="grid grid-cols-2 gap-2 px-4 pb-4">
      {Array.from({ length: pageCount }, (_, at) => at + 1).map((number) => (
        <li key={number} ref={number === page ? scrollToNearest : undefined}>
          <Thumbnail file={file} number={number} isCurrent={number === page} onPage={onPage} />
        </li>
      ))}
    </ul>
  )
}

type ThumbnailProps = {
  file: PdfFile
  number: number
  isCurrent: boolean
  onPage: (page: number) => void
}

function Thumbnail({ file, number, isCurrent, onPage }: ThumbnailProps) {
  const button = useRef<HTMLButtonElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const isNear = useIsNear(button, PRELOAD_MARGIN)
  useEffect(() => {
    const thumbnailCanvas = canvas.current
    if (!isNear || !thumbnailCanvas) return
    const stop = new AbortController()
    thumbnailCanvas.width = DRAWN_WIDTH
    file.draw(number, thumbnailCanvas, stop.signal).then(
      () => button.current?.setAttribute('data-drawn', ''),
      () => undefined,
    )
    return () => stop.abort()
  }, [file, number, isNear])
  return (
    <button
      ref={button}
      type="button"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => onPage(number)}
      className={classNames(
        'block w-full rounded-control border p-1 text-center text-xs tabular-nums hover:bg-surface-muted',
        isCurrent ? 'border-accent bg-accent-soft font-semibold text-accent-ink' : 'border-line text-ink-muted',
      )}
    >
      <span className="block aspect-[595/842] overflow-hidden bg-white">
        {isNear && <canvas ref={canvas} aria-hidden className="block w-full" />}
      </span>
      หน้า {number}
    </button>
  )
}
