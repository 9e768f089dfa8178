import { useQuery } from '@tanstack/react-query'
import { Link2Off } from 'lucide-react'
import type { LinkedProject } from '#contract/project-detail.ts'
import { linkedProjectsQuery } from '#src/api/linked-projects.ts'
import { errorRequestId, errorText } from '#src/api/problem-error.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Card } from '#src/ui/card.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { GROUP_WORDS, groupOf, LINK_GROUPS } from './link-words.ts'
import { LinkedProjectItem } from './linked-project-item.tsx'

/** Projects tied to this one: run again after a cancellation, bought every year, much alike (N-8, N-9). Loads by itself. */
export function LinkedProjectsCard({ projectId, className }: { projectId: string; className?: string }) {
  const { data, error, isFetching, refetch } = useQuery(linkedProjectsQuery(projectId))
  return (
    <Card as="section" aria-label="โครงการที่เกี่ยวข้อง" className={classNames('p-5', className)}>
      <h2 className="text-md font-semibold">โครงการที่เกี่ยวข้อง</h2>
      {data ? (
        <Groups projects={data.results} />
      ) : error ? (
        <ErrorNotice
          className="mt-3"
          title="โหลดโครงการที่เกี่ยวข้องไม่สำเร็จ"
          reason={errorText(error)}
          requestId={errorRequestId(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonGroup label="กำลังโหลดโครงการที่เกี่ยวข้อง" className="mt-3 space-y-4">
          {['first', 'second', 'third'].map((row) => (
            <div key={row}>
              <Skeleton className="w-5/6" />
              <Skeleton className="mt-2 w-1/2" />
            </div>
          ))}
        </SkeletonGroup>
      )}
    </Card>
  )
}

function Groups({ projects }: { projects: readonly LinkedProject[] }) {
  if (projects.length === 0) {
    return (
      <p className="mt-2 flex items-start gap-2 text-ink-muted">
        <Link2Off aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
        ไม่พบโครงการที่ประกาศใหม่ ซื้อทุกปี หรือชื่อคล้ายกัน
      </p>
    )
  }
  return LINK_GROUPS.map((group) => {
    const own = projects.filter(({ kind }) => groupOf(kind) === group)
    if (own.length === 0) return null
    const { title, text } = GROUP_WORDS[group]
    return (
      <section key={group} aria-label={title} className="mt-3 first-of-type:mt-2">
        <h3 className="text-sm font-semibold">{title}</h3>
        <p className="text-xs text-ink-faint">{text}</p>
        <ul className="divide-y divide-line">
          {own.map((project) => (
            <LinkedProjectItem key={`${project.kind} ${project.project_id}`} project={project} />
          ))}
        </ul>
      </section>
    )
  })
}
