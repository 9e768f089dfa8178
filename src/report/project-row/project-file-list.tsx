import { useQuery } from '@tanstack/react-query'
import { Paperclip } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Attachment } from '#contract/catalogue/attachment.ts'
import { getChoiceLabel, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import { getAttachmentCount, type ReportRow } from '#contract/report/report.ts'
import { toSafeHref } from '#contract/safe-href.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { queryClient, startQueryInBackground } from '#src/api/http/query-client.ts'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { projectPrefetchQuery } from '#src/report/api/project-details.ts'
import { NewTabLink } from '#src/ui/new-tab-link.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'

type FileListProps = { row: Pick<ReportRow, 'project_id' | 'attachments' | 'attachment_summary'> }

export function ProjectFileList({ row }: FileListProps) {
  return row.attachments ? <Files files={row.attachments} /> : <FetchedFiles row={row} />
}

const MAX_SKELETON_BARS = 5

/** Fetches the detail without recording a visit; this also makes the project page open instantly. */
function FetchedFiles({ row }: FileListProps) {
  const project = useQuery(projectPrefetchQuery(row.project_id))
  return (
    <QueryView
      query={project}
      task="เปิดรายการเอกสาร"
      barsClassName="space-y-4 px-3 py-3"
      bars={Array(Math.min(getAttachmentCount(row), MAX_SKELETON_BARS)).fill('h-10')}
    >
      {({ attachments }) => <Files files={attachments} />}
    </QueryView>
  )
}

function Files({ files }: { files: readonly Attachment[] }) {
  return (
    <ul className="py-1">
      {files.map((file) => (
        <li key={file.url}>
          <ProjectFileLink file={file} />
        </li>
      ))}
    </ul>
  )
}

type FileLinkProps = { url: string; className: string; children: ReactNode }

/** Link to a file of the source. Without a safe address it is text that says so. */
export function FileLink({ url, className, children }: FileLinkProps) {
  const href = toSafeHref(url)
  if (!href)
    return (
      <span className={classNames(className, 'text-ink-muted')}>
        {children}
        <span className="text-xs">ลิงก์เสีย</span>
      </span>
    )
  return (
    <NewTabLink
      href={href}
      className={classNames(className, 'hover:bg-surface-muted focus-visible:-outline-offset-2')}
      iconClassName="mt-1 text-ink-faint"
    >
      {children}
    </NewTabLink>
  )
}

export function ProjectFileLink({ file }: { file: Attachment }) {
  const about = joinParts(
    getChoiceLabel(PROJECT_MOVEMENTS, file.step),
    file.published_date && formatThaiDateShortOrOriginal(file.published_date),
  )
  return (
    <FileLink url={file.url} className="flex items-start gap-2 px-3 py-2">
      <span className="min-w-0 flex-1">
        <span className="block">{file.name}</span>
        {about && <span className="block text-xs text-ink-faint">{about}</span>}
      </span>
    </FileLink>
  )
}

export function ProjectFilesButton({ row }: { row: ReportRow }) {
  const { buttonProps, popoverProps } = usePopover()
  const count = getAttachmentCount(row)
  if (count === 0) return <UnknownValue />
  const preload = () => {
    if (!row.attachments) startQueryInBackground(queryClient, projectPrefetchQuery(row.project_id))
  }
  return (
    <>
      <button
        {...buttonProps}
        type="button"
        aria-label={`เอกสารแนบ ${count} ไฟล์`}
        onPointerEnter={preload}
        onFocus={preload}
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
