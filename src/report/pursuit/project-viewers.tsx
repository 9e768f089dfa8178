import { Eye } from 'lucide-react'
import type { ColleagueProjectView } from '#contract/report/project-views.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { useProjectViewers } from '#src/report/api/use-project-viewers.ts'
import { Tooltip } from '#src/ui/overlay/tooltip.tsx'
import { MemberAvatar } from './member-avatar.tsx'

const MAX_FACES = 3

export function ViewerAvatars({ looks, isNamed }: { looks: readonly ColleagueProjectView[]; isNamed?: boolean }) {
  if (looks.length === 0) return null
  const moreCount = looks.length - MAX_FACES
  return (
    <Tooltip
      content={
        <ul className="flex flex-col gap-0.5">
          {looks.map(({ id, name, looked_at: at }) => (
            <li key={id}>
              {name} ดูแล้ว <span className="text-ink-muted">{formatThaiDateTime(at)}</span>
            </li>
          ))}
        </ul>
      }
    >
      {(describedBy) => (
        <span
          {...describedBy}
          tabIndex={isNamed ? 0 : undefined}
          className="relative inline-flex items-center rounded-control"
        >
          <span className="sr-only">ดูแล้ว: {looks.map(({ name }) => name).join(', ')}</span>
          {!isNamed && <Eye aria-hidden className="mr-1 size-3.5 text-ink-faint" />}
          <span aria-hidden className="inline-flex -space-x-1.5">
            {looks.slice(0, MAX_FACES).map((look) => (
              <MemberAvatar key={look.id} member={look} size="xs" className="ring-2 ring-surface" />
            ))}
          </span>
          {moreCount > 0 && (
            <span aria-hidden className="pl-1 text-xs text-ink-muted">
              +{moreCount}
            </span>
          )}
        </span>
      )}
    </Tooltip>
  )
}

export function ProjectViewers({ projectId }: { projectId: string }) {
  const looks = useProjectViewers([projectId])
  if (looks.length === 0) return null
  return (
    <p className="mt-3 flex items-center gap-2 text-sm text-ink-muted">
      ดูแล้ว <ViewerAvatars looks={looks} isNamed />
      <span className="min-w-0 truncate">
        {looks
          .slice(0, MAX_FACES)
          .map(({ name }) => name)
          .join(', ')}
      </span>
    </p>
  )
}
