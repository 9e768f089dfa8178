import { Paperclip } from 'lucide-react'
import { useRef, useState } from 'react'
import { safeHref } from '#contract/project/egp-address.ts'
import { labelOf, PROJECT_MOVEMENTS } from '#contract/project/project.ts'
import type { Attachment, ReportRow } from '#contract/report/report.ts'
import { thaiDay } from '#contract/thai/thai-date.ts'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import { NewTabLink } from '#src/ui/new-tab-link.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'

/** How many files a project has; pressing opens the list. */
export function Attachments({ row }: { row: Pick<ReportRow, 'attachments' | 'name'> }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const count = row.attachments.length
  if (count === 0) return <EmptyValue />
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-label={`เอกสารแนบ ${count} ไฟล์`}
        onClick={() => setOpen(!open)}
        className="-mx-1.5 inline-flex min-h-7 items-center gap-1.5 rounded-control px-1.5 text-ink-muted tabular-nums hover:bg-surface-muted hover:text-ink touch:min-h-11 touch:min-w-11"
      >
        <Paperclip aria-hidden className="size-4" />
        {count}
      </button>
      <Popover open={open} onClose={() => setOpen(false)} anchor={button} label="เอกสารแนบ" className="w-80">
        <ul className="py-1">
          {row.attachments.map((file) => (
            <li key={file.url}>
              <FileLink file={file} />
            </li>
          ))}
        </ul>
      </Popover>
    </>
  )
}

/** One file of a project as a link to it, with the announcement it came with. */
export function FileLink({ file }: { file: Attachment }) {
  const href = safeHref(file.url)
  const about = [labelOf(PROJECT_MOVEMENTS, file.step), file.published_date && thaiDay(file.published_date)]
    .filter(Boolean)
    .join(' · ')
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
