import { Paperclip } from 'lucide-react'
import { useRef, useState } from 'react'
import { attachmentCountOf, type ReportRow } from '#contract/report/report.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'

const loadList = () => import('./file-list.tsx')
const FileList = lazyComponent(loadList, 'FileList')

function preloadFileList({ project_id: id, attachments }: ReportRow): void {
  void FileList.preload()
  if (attachments) return
  loadList().then(
    ({ preloadFiles }) => preloadFiles(id),
    () => undefined,
  )
}

export function Attachments({ row }: { row: ReportRow }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const count = attachmentCountOf(row)
  if (count === 0) return <EmptyValue />
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-label={`เอกสารแนบ ${count} ไฟล์`}
        onPointerEnter={() => preloadFileList(row)}
        onFocus={() => preloadFileList(row)}
        onClick={() => setOpen(!isOpen)}
        className="-mx-1.5 inline-flex min-h-7 items-center gap-1.5 rounded-control px-1.5 text-ink-muted tabular-nums hover:bg-surface-muted hover:text-ink touch:min-h-11 touch:min-w-11"
      >
        <Paperclip aria-hidden className="size-4" />
        {count}
      </button>
      <Popover open={isOpen} onClose={() => setOpen(false)} anchor={button} label="เอกสารแนบ" className="w-80">
        <LazyBoundary>
          <FileList row={row} />
        </LazyBoundary>
      </Popover>
    </>
  )
}
