import { Archive, CircleCheck, EyeOff, type LucideIcon, PencilLine } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { useUser } from '#src/account/api/users.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { setProjectsHidden } from '#src/report/hidden-projects/set-projects-hidden.ts'
import { Button } from '#src/ui/button.tsx'
import { countProjectChangesSinceVisit, isCriticalDeadlineChange } from './project-history.ts'

type ProjectNoticesProps = {
  detail: ProjectDetail
  lastVisit: string | null
  onChanges: () => void
}

export function ProjectNotices({ detail, lastVisit, onChanges }: ProjectNoticesProps) {
  const { row, history } = detail
  const { project_hidden } = useUser()
  const count = countProjectChangesSinceVisit(history, lastVisit)
  const isMoved = countProjectChangesSinceVisit(history.filter(isCriticalDeadlineChange), lastVisit) > 0
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {count > 0 && lastVisit !== null && (
        <Notice
          icon={PencilLine}
          tone={isMoved ? 'urgent' : 'updated'}
          action={
            <Button size="sm" onClick={onChanges}>
              ดูสิ่งที่เปลี่ยน
            </Button>
          }
        >
          {isMoved ? 'วันหรือเวลายื่นข้อเสนอเปลี่ยน' : `มีการเปลี่ยนแปลง ${count} รายการ`}
          ตั้งแต่คุณเปิดดูครั้งก่อน ({formatThaiDateTime(lastVisit)})
        </Notice>
      )}
      {project_hidden.includes(row.project_id) && (
        <Notice
          icon={EyeOff}
          action={
            <Button size="sm" onClick={() => void setProjectsHidden([row.project_id], false)}>
              เลิกซ่อน
            </Button>
          }
        >
          คุณซ่อนโครงการนี้ไว้ จึงไม่เห็นในรายงานของคุณ คนอื่นในองค์กรยังเห็นอยู่
        </Notice>
      )}
      {row.is_archived && <Notice icon={Archive}>ส่งมอบแล้ว อยู่ในแท็บส่งมอบแล้วของรายงาน</Notice>}
      {row.rescued_from !== null && (
        <Notice icon={CircleCheck}>นำกลับเข้ารายงาน ทั้งที่ชื่อมีคำไม่รวม ‘{row.rescued_from}’</Notice>
      )}
    </div>
  )
}

const TONES = {
  neutral: 'border-line bg-surface-muted',
  updated: 'border-updated-line bg-updated-soft',
  urgent: 'border-urgent-line bg-urgent-soft',
} as const

type NoticeProps = { icon: LucideIcon; tone?: keyof typeof TONES; action?: ReactNode; children: ReactNode }

function Notice({ icon: Icon, tone = 'neutral', action, children }: NoticeProps) {
  return (
    <div
      className={classNames('flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border px-4 py-2', TONES[tone])}
    >
      <Icon aria-hidden className="size-4.5 shrink-0 text-ink-muted" />
      <p className="min-w-0 flex-1 basis-60">{children}</p>
      <span className="print:hidden">{action}</span>
    </div>
  )
}
