import { FileText, FolderOpen } from 'lucide-react'
import { getChoiceLabel, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { toSafeHref } from '#contract/safe-href.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { NewTabLink } from '#src/ui/new-tab-link.tsx'

type File = ProjectDetail['attachments'][number]

const STEP_ORDER: readonly string[] = PROJECT_MOVEMENTS.map(({ code }) => code)

export function groupFilesByStep(files: readonly File[]): { step: string; files: File[] }[] {
  return [...Map.groupBy(files, ({ step }) => step)]
    .map(([step, stepFiles]) => ({
      step,
      files: stepFiles.toSorted((a, b) => ((a.published_date ?? '') < (b.published_date ?? '') ? 1 : -1)),
    }))
    .toSorted((a, b) => STEP_ORDER.indexOf(b.step) - STEP_ORDER.indexOf(a.step))
}

type FilesPanelProps = {
  files: readonly File[]
  /** Time of the user's previous visit; null on the first visit, when no file counts as new. */
  lastVisit: string | null
}

export function ProjectFilesPanel({ files, lastVisit }: FilesPanelProps) {
  if (files.length === 0) {
    return (
      <Card>
        <EmptyState icon={FolderOpen} title="ยังไม่มีเอกสารแนบ">
          e-GP ยังไม่เผยแพร่เอกสารของโครงการนี้ หรือข้อมูลที่ระบบได้รับไม่มีลิงก์เอกสาร
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      {groupFilesByStep(files).map(({ step, files: stepFiles }) => (
        <Card key={step} as="section" aria-label={getChoiceLabel(PROJECT_MOVEMENTS, step)} className="px-5 pt-4 pb-2">
          <h2 className="text-md font-semibold">
            {getChoiceLabel(PROJECT_MOVEMENTS, step)}{' '}
            <span className="text-sm font-normal text-ink-faint tabular-nums">{stepFiles.length} ไฟล์</span>
          </h2>
          <ul className="mt-1 divide-y divide-line">
            {stepFiles.map((file) => (
              <li key={file.url}>
                <FileRow file={file} isNew={lastVisit !== null && file.first_seen_at > lastVisit} />
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </div>
  )
}

function FileRow({ file, isNew }: { file: File; isNew: boolean }) {
  const href = toSafeHref(file.url)
  const text = (
    <>
      <FileText aria-hidden className="mt-0.5 size-4.5 shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium [overflow-wrap:anywhere]">
          {file.name}
          {isNew && (
            <Badge tone="new" className="ml-2 align-[1px] font-normal">
              ใหม่
            </Badge>
          )}
        </span>
        <span className="block text-xs text-ink-muted tabular-nums">
          {file.published_date === null
            ? 'ไม่ทราบวันที่ประกาศ'
            : `ประกาศ ${formatThaiDateShortOrOriginal(file.published_date)}`}
          {' · '}พบครั้งแรก {formatThaiDateTime(file.first_seen_at)}
        </span>
      </span>
    </>
  )
  if (!href) {
    return (
      <span className="flex items-start gap-3 py-2.5 text-ink-muted">
        {text}
        <span className="text-xs">ลิงก์เสีย</span>
      </span>
    )
  }
  return (
    <NewTabLink
      href={href}
      className="-mx-2 flex items-start gap-3 rounded-control px-2 py-2.5 hover:bg-surface-muted focus-visible:-outline-offset-2"
      iconClassName="mt-1 text-ink-faint"
    >
      {text}
    </NewTabLink>
  )
}
