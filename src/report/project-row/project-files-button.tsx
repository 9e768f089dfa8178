import { Paperclip } from 'lucide-react'
import { getAttachmentCount, type ReportRow } from '#contract/report/report.ts'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'
import { ProjectFileList, preloadProjectFiles } from './project-file-list.tsx'

function preloadFileList({ project_id: id, attachments }: ReportRow): void {
  if (!attachments) preloadProjectFiles(id)
}

export function ProjectFilesButton({ row }: { row: ReportRow }) {
  const { buttonProps, popoverProps } = usePopover()
  const count = getAttachmentCount(row)
  if (count === 0) return <UnknownValue />
  return (
    <>
      <button
        {...buttonProps}
        type="button"
        aria-label={`เอกสารแนบ ${count} ไฟล์`}
        onPointerEnter={() => preloadFileList(row)}
        onFocus={() => preloadFileList(row)}
        className="-mx-1.5 inline-flex min-h-7 items-center gap-1.5 rounded-control px-1.5 text-ink-muted tabular-nums hover:bg-surface-muted hover:text-ink touch:min-h-11 touch:min-w-11"
      >
        <Paperclip aria-hidden className="size-4" />
        {count}
      </button>
      <Popover {...popoverProps} label="เอกสารแนบ" className="w-80">
        <ProjectFileList row={row} />
      </Popover>
    </>
  )
}
