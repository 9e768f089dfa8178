import { ExternalLink, Eye, EyeOff, Link2, MessageCircle, Send, Share2, Star } from 'lucide-react'
import { getEgpProjectHref } from '#contract/report/egp-href.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { protectTrailingPunctuation } from '#src/lib/link-repair.ts'
import { getProjectHref } from '#src/lib/project-url.ts'
import { setBookmarks } from '#src/report/bookmarks/set-bookmarks.ts'
import { AddToCalendarButton } from '#src/report/deadline-clock/add-to-calendar-button.tsx'
import { setProjectsHidden } from '#src/report/hidden-projects/set-projects-hidden.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { useDeadlineFacts } from './use-deadline-facts.ts'

/** Copies the project's link without the list it was opened from, which may contain personal stars and labels. */
function copyLink(id: string): Promise<void> {
  const href = protectTrailingPunctuation(window.location.origin + getProjectHref(id))
  return copyWithToast(href, 'คัดลอกลิงก์แล้ว', `คัดลอกไม่ได้ ลิงก์คือ ${href}`)
}

export function ProjectActions({ detail }: { detail: ProjectDetail }) {
  const row = useDeadlineFacts(detail)
  const { project_hidden } = useUser()
  const { project_id: id } = row
  const isHidden = project_hidden.includes(id)
  // On a phone the bar at the bottom has the star and the sharing menu; the demo has no bar.
  const inBar = isDemoSession() ? undefined : 'max-md:hidden'
  return (
    <div className="flex flex-wrap items-center justify-end gap-2 max-md:w-full max-md:*:grow print:hidden">
      <ProjectStarToggle id={id} className={inBar} />
      <ShareProjectButton row={row} className={inBar} />
      <AddToCalendarButton row={row} />
      <EgpLink row={row} className="max-md:order-first max-md:basis-full" />
      <Button
        variant="quiet"
        icon={isHidden ? Eye : EyeOff}
        title={isHidden ? 'เลิกซ่อน (X)' : 'ซ่อนโครงการนี้ (X)'}
        onClick={() => void setProjectsHidden([id], !isHidden)}
      >
        {isHidden ? 'เลิกซ่อน' : 'ซ่อน'}
      </Button>
    </div>
  )
}

function ShareProjectButton({ row, className }: { row: ReportRow; className?: string | undefined }) {
  const { project_id: id, name } = row
  return (
    <Menu
      label="แชร์โครงการนี้"
      trigger={(props) => (
        <Button icon={Share2} className={className} {...props}>
          แชร์
        </Button>
      )}
    >
      {'share' in navigator && (
        <MenuItem icon={Send} onSelect={() => void shareByDevice(id, name)}>
          ส่งด้วยแอปในเครื่อง
        </MenuItem>
      )}
      <MenuItem icon={Link2} onSelect={() => void copyLink(id)}>
        คัดลอกลิงก์
      </MenuItem>
      <MenuItem icon={MessageCircle} onSelect={() => void copyProjectsForLineChat([row])}>
        คัดลอกสำหรับ LINE
      </MenuItem>
    </Menu>
  )
}

async function shareByDevice(id: string, title: string) {
  try {
    await navigator.share({ title, url: window.location.origin + getProjectHref(id) })
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyLink(id)
  }
}

type StarToggleProps = {
  id: string
  size?: 'sm' | 'md'
  isCompact?: boolean
  className?: string | undefined
}

export function ProjectStarToggle({ id, size = 'md', isCompact = false, className }: StarToggleProps) {
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
      <span className={isCompact ? 'sr-only' : undefined}>ติดดาว</span>
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
