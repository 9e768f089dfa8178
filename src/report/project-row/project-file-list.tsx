import { useQuery } from '@tanstack/react-query'
import type { Attachment } from '#contract/catalogue/attachment.ts'
import { getChoiceLabel, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import { getAttachmentCount, type ReportRow } from '#contract/report/report.ts'
import { toSafeHref } from '#contract/safe-href.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { queryClient, startQueryInBackground } from '#src/api/http/query-client.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { projectPrefetchQuery } from '#src/report/api/project-details.ts'
import { NewTabLink } from '#src/ui/new-tab-link.tsx'
import { QueryView } from '#src/ui/query-view.tsx'

export const preloadProjectFiles = (projectId: string) =>
  startQueryInBackground(queryClient, projectPrefetchQuery(projectId))

type FileListProps = { row: Pick<ReportRow, 'project_id' | 'attachments' | 'attachment_summary'> }

export function ProjectFileList({ row }: FileListProps) {
  return row.attachments ? <Files files={row.attachments} /> : <FetchedFiles row={row} />
}

const MAX_SKELETON_BARS = 5

/**
 * Fetches the files with the project's detail, without recording a visit; this also makes the project page open
 * instantly.
 */
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

export function ProjectFileLink({ file }: { file: Attachment }) {
  const href = toSafeHref(file.url)
  const about = joinParts(
    getChoiceLabel(PROJECT_MOVEMENTS, file.step),
    file.published_date && formatThaiDateShortOrOriginal(file.published_date),
  )
  const text = (
    <span className="min-w-0 flex-1">
      <span className="block">{file.name}</span>
      {about && <span className="block text-xs text-ink-faint">{about}</span>}
    </span>
  )
  if (!href) {
    return (
      <span className="flex px-3 py-2 text-ink-muted">
        {text}
        <span className="text-xs">ลิงก์เสีย</span>
      </span>
    )
  }
  return (
    <NewTabLink
      href={href}
      className="flex items-start gap-2 px-3 py-2 hover:bg-surface-muted focus-visible:-outline-offset-2"
      iconClassName="mt-1 text-ink-faint"
    >
      {text}
    </NewTabLink>
  )
}
