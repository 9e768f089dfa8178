import { ExternalLink, Eye, EyeOff, Link2, MessageCircle, Star } from 'lucide-react'
import type { ReportRow } from '#contract/report/report.ts'

import { useUser } from '#src/api/user/users.ts'
import { setBookmarks } from '#src/features/bookmarks/set-bookmarks.ts'
import { CalendarButton } from '#src/features/deadline-clock/calendar-button.tsx'
import { hideProjects } from '#src/features/hidden-projects/hide-projects.ts'
import { copyForLine } from '#src/features/line-copy/copy-for-line.ts'
import { egpHref } from '#src/features/project-row/project-facts.tsx'
import { projectHref } from '#src/lib/project-address.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

/** A link for colleagues: the project alone, without the list that it was opened from, which may hold one's own stars and labels. */
async function copyLink(id: string) {
  const href = window.location.origin + projectHref(id)
  try {
    await navigator.clipboard.writeText(href)
    showToast({ tone: 'done', text: 'คัดลอกลิงก์แล้ว' })
  } catch {
    showToast({ tone: 'error', text: `คัดลอกไม่ได้ ลิงก์คือ ${href}` })
  }
}

/** What can be done with a project. Each has its key: B, X, C. */
export function ProjectActions({ row }: { row: ReportRow }) {
  const { project_hidden } = useUser()
  const { project_id: id } = row
  const isHidden = project_hidden.includes(id)
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <IconButton icon={Link2} label="คัดลอกลิงก์" onClick={() => void copyLink(id)} />
      <IconButton icon={MessageCircle} label="คัดลอกสำหรับ LINE (C)" onClick={() => void copyForLine([row])} />
      <IconButton
        icon={isHidden ? Eye : EyeOff}
        label={isHidden ? 'เลิกซ่อน (X)' : 'ซ่อนโครงการนี้ (X)'}
        onClick={() => void hideProjects([id], !isHidden)}
      />
      <StarToggle id={id} />
      <CalendarButton row={row} />
      <EgpLink row={row} />
    </div>
  )
}

export function StarToggle({ id, size = 'md' }: { id: string; size?: 'sm' | 'md' }) {
  const isStarred = useUser().project_bookmark.includes(id)
  return (
    <Button
      size={size}
      aria-pressed={isStarred}
      title={isStarred ? 'เอาดาวออก (B)' : 'ติดดาว (B)'}
      onClick={() => void setBookmarks([id], !isStarred)}
    >
      <Star
        aria-hidden
        className={isStarred ? 'size-4 fill-star text-star forced-colors:fill-[Highlight]' : 'size-4'}
      />
      ติดดาว
    </Button>
  )
}

/** Nothing where the data holds no address in e-GP. */
export function EgpLink({ row, size = 'md' }: { row: ReportRow; size?: 'sm' | 'md' }) {
  const href = egpHref(row)
  if (!href) return null
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClasses('primary', size)}>
      <ExternalLink aria-hidden className="size-4 shrink-0" />
      เปิดในระบบ e-GP
      <span className="sr-only"> (เปิดแท็บใหม่)</span>
    </a>
  )
}
