import { ChevronDown, ChevronUp, ZoomIn, ZoomOut } from 'lucide-react'
import { IconButton } from '#src/ui/icon-button.tsx'
import type { DocumentReaderState } from './use-document-reader.ts'
import { getNextZoomLevel, ZOOM_LEVELS } from './zoom-levels.ts'

export function DocumentReaderToolbar({ reader }: { reader: DocumentReaderState }) {
  const { page, pageCount, open, step, matchIndex, count, zoom, setZoom, file } = reader
  if (pageCount === 0) return null
  return (
    <nav
      aria-label="เปลี่ยนหน้า"
      className="flex flex-wrap items-center justify-center gap-x-2 border-t border-line bg-surface px-4 py-1.5 text-sm"
    >
      <IconButton icon={ChevronUp} label="หน้าก่อน" disabled={page <= 1} onClick={() => open(page - 1)} />
      <span className="tabular-nums" data-page={page}>
        หน้า <b>{page}</b> / {pageCount}
      </span>
      <IconButton icon={ChevronDown} label="หน้าถัดไป" disabled={page >= pageCount} onClick={() => open(page + 1)} />
      {file && (
        <span className="ml-1 flex items-center border-l border-line pl-2">
          <IconButton
            icon={ZoomOut}
            label="ย่อ (-)"
            disabled={zoom <= ZOOM_LEVELS[0]}
            onClick={() => setZoom(getNextZoomLevel(zoom, -1))}
          />
          <button
            type="button"
            aria-label={`ขนาด ${zoom * 100}% กดเพื่อกลับเป็น 100% (0)`}
            onClick={() => setZoom(1)}
            className="min-w-12 rounded-control tabular-nums hover:bg-surface-muted touch:min-h-11"
          >
            {zoom * 100}%
          </button>
          <IconButton
            icon={ZoomIn}
            label="ขยาย (+)"
            disabled={zoom >= ZOOM_LEVELS.at(-1)!}
            onClick={() => setZoom(getNextZoomLevel(zoom, 1))}
          />
        </span>
      )}
      {count > 0 && (
        <>
          <span className="ml-3 tabular-nums">
            พบ {matchIndex === undefined ? '–' : matchIndex + 1}/{count}
          </span>
          <IconButton icon={ChevronUp} label="ที่พบก่อนหน้า (N)" onClick={() => step(-1)} />
          <IconButton icon={ChevronDown} label="ที่พบถัดไป (n)" onClick={() => step(1)} />
        </>
      )}
    </nav>
  )
}
