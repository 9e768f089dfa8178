import { ExternalLink, Eye, EyeOff, Link2, MessageCircle, Star } from 'lucide-react'
import { getEgpProjectHref } from '#contract/report/egp-href.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { useUser } from '#src/account/api/users.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { protectTrailingPunctuation } from '#src/lib/link-repair.ts'
import { getProjectHref } from '#src/lib/project-url.ts'
import { setBookmarks } from '#src/report/bookmarks/set-bookmarks.ts'
import { AddToCalendarButton } from '#src/report/deadline-clock/add-to-calendar-button.tsx'
import { setProjectsHidden } from '#src/report/hidden-projects/set-projects-hidden.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

/** Copies the project's link without the list it was opened from, which may contain personal stars and labels. */
async function copyLink(id: string) {
  const href = protectTrailingPunctuation(window.location.origin + getProjectHref(id))
  try {
    await navigator.clipboard.writeText(href)
    showToast({ tone: 'done', text: 'คัดลอกลิงก์แล้ว' })
  } catch {
    showToast({ tone: 'error', text: `คัดลอกไม่ได้ ลิงก์คือ ${href}` })
  }
}

export function ProjectActions({ row }: { row: ReportRow }) {
  const { project_hidden } = useUser()
  const { project_id: id } = row
  const isHidden = project_hidden.includes(id)
  return (
    <div className="flex flex-col items-end gap-1.5 max-md:w-full print:hidden">
      <div className="flex flex-wrap items-center justify-end gap-2 max-md:w-full max-md:*:grow">
        <ProjectStarToggle id={id} />
        <AddToCalendarButton row={row} />
        <EgpLink row={row} className="max-md:order-first max-md:basis-full" />
      </div>
      <div className="flex flex-wrap items-center justify-end gap-x-1 max-md:w-full max-md:justify-between">
        <Button variant="quiet" size="sm" icon={Link2} onClick={() => void copyLink(id)}>
          คัดลอกลิงก์
        </Button>
        <Button
          variant="quiet"
          size="sm"
          icon={MessageCircle}
          title="คัดลอกสำหรับ LINE (C)"
          onClick={() => void copyProjectsForLineChat([row])}
        >
          คัดลอกสำหรับ LINE
        </Button>
        <Button
          variant="quiet"
          size="sm"
          icon={isHidden ? Eye : EyeOff}
          title={isHidden ? 'เลิกซ่อน (X)' : 'ซ่อนโครงการนี้ (X)'}
          onClick={() => void setProjectsHidden([id], !isHidden)}
        >
          {isHidden ? 'เลิกซ่อน' : 'ซ่อน'}
        </Button>
      </div>
    </div>
  )
}

type StarToggleProps = { id: string; size?: 'sm' | 'md'; className?: string }

export function ProjectStarToggle({ id, size = 'md', className }: StarToggleProps) {
  const isStarred = useUser().project_bookmark.includes(id)
  return (
    <Button
      size={size}
      className={className}
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

type EgpLinkProps = { row: ReportRow; size?: 'sm' | 'md'; className?: string }

export function EgpLink({ row, size = 'md', className }: EgpLinkProps) {
  const href = getEgpProjectHref(row)
  if (href === undefined) {
    return (
      <Button
        variant="primary"
        size={size}
        icon={ExternalLink}
        className={className}
        onClick={() =>
          showToast({
            tone: 'error',
            text: 'โครงการนี้เป็นข้อมูลตัวอย่าง ไม่มีอยู่ในระบบ e-GP โครงการจริงจะเปิดประกาศของ e-GP ให้ในแท็บใหม่',
          })
        }
      >
        เปิดในระบบ e-GP
      </Button>
    )
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={getButtonClasses('primary', size, className)}>
      <ExternalLink aria-hidden className="size-4 shrink-0" />
      เปิดในระบบ e-GP
      <span className="sr-only"> (เปิดแท็บใหม่)</span>
    </a>
  )
}
