import { MessageSquare } from 'lucide-react'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { MemberAvatar } from '#src/report/pursuit/member-avatar.tsx'
import { ViewerAvatars } from '#src/report/pursuit/project-viewers.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'
import { useProjectRowDisplayData } from './project-row-display-data.ts'

type Pursuit = ReportRow['pursuit']

const memberOf = ({ owner, owner_name: name }: NonNullable<Pursuit>) =>
  owner === null ? undefined : { id: owner, name: name ?? '' }

export function NoteCount({ count }: { count: number }) {
  return (
    <span className="inline-flex items-center gap-1 tabular-nums">
      <MessageSquare aria-hidden className="size-3.5" />
      {count}
      <span className="sr-only"> โน้ตของทีม</span>
    </span>
  )
}

export function PursuitOwner({ pursuit }: { pursuit: Pursuit }) {
  const member = pursuit && memberOf(pursuit)
  if (!member) return <UnknownValue />
  return (
    <span className="flex items-center gap-1.5">
      <MemberAvatar member={member} />
      <span className="truncate">{member.name}</span>
    </span>
  )
}

export function PursuitSummary({ pursuit, className }: { pursuit: Pursuit; className?: string }) {
  if (!pursuit) return null
  const { stage_name: stage, notes } = pursuit
  const member = memberOf(pursuit)
  return (
    <span className={classNames('inline-flex min-w-0 items-center gap-1.5 text-xs text-ink-muted', className)}>
      {stage !== null && (
        <>
          <MemberAvatar member={member} size="xs" />
          <span className="sr-only">{member ? `ผู้ดูแล ${member.name}` : 'ไม่มีผู้ดูแล'}</span>
          <span className="truncate">
            <span className="sr-only">ขั้น </span>
            {stage}
          </span>
        </>
      )}
      {notes > 0 && <NoteCount count={notes} />}
    </span>
  )
}

export function ProjectRowViewers({ projectId }: { projectId: string }) {
  const looks = useProjectRowDisplayData().getViews?.(projectId) ?? []
  if (looks.length === 0) return null
  return (
    <span className="shrink-0">
      <ViewerAvatars looks={looks} />
    </span>
  )
}
