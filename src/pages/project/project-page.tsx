import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ProjectDetail } from '#contract/project-detail.ts'
import { bangkokToday } from '#contract/thai-date.ts'
import { useNewerData } from '#src/api/data-time.ts'
import { ProblemError } from '#src/api/problem-error.ts'
import { projectAheadQuery, projectDetailQuery } from '#src/api/project-details.ts'
import { queryClient } from '#src/api/query-client.ts'
import { useUser } from '#src/api/users.ts'
import { LabelHost } from '#src/features/labels/label-host.tsx'
import { RowMarksContext, rowMarks } from '#src/features/project-row/row-marks.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { ProjectBar } from './project-bar.tsx'
import { ProjectFailure, ProjectForbidden } from './project-failure.tsx'
import { ProjectHeader } from './project-header.tsx'
import { ProjectKeys } from './project-keys.tsx'
import { ProjectNotFound } from './project-not-found.tsx'
import { ProjectPanels } from './project-panels.tsx'
import { ProjectSkeleton } from './project-skeleton.tsx'
import { ProjectTrail } from './project-trail.tsx'
import { useNeighbours } from './use-neighbours.ts'
import { useProjectAddress } from './use-project-address.ts'
import { useWayBack } from './use-way-back.ts'

/** One project of the organisation's report: what and how much, until when, what changed, and at which price. */
export function ProjectPage() {
  const { id, tab, from, openTab } = useProjectAddress()
  const user = useUser()
  const asked = useQuery(projectDetailQuery(id))
  // A question that failed takes nothing off the screen that was on it.
  const detail = asked.data ?? queryClient.getQueryData<ProjectDetail>(projectAheadQuery(id).queryKey)
  useFollowLoads(detail, asked.refetch)
  const problem = asked.error instanceof ProblemError ? asked.error.status : undefined
  const isUnknown = problem === 404
  const isForbidden = problem === 403
  const shown = isUnknown || isForbidden ? undefined : detail
  const lastLook = useLastLook(id, detail)
  const neighbours = useNeighbours(id, from)
  const onBack = useWayBack(from)
  const onMove = useMoveTo()
  const header = useRef<HTMLDivElement>(null)
  useTitle(shown?.row.name)

  const today = bangkokToday(serverNow())
  const { project_labels, project_label_assignments } = user
  const marks = useMemo(
    () => rowMarks(from ?? {}, { project_labels, project_label_assignments }, today),
    [from, project_labels, project_label_assignments, today],
  )
  return (
    <RowMarksContext value={marks}>
      <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-4 px-4 pt-4 pb-10 lg:px-5">
        <ProjectTrail id={id} from={from} onBack={onBack} neighbours={neighbours} onMove={onMove} />
        {isUnknown ? (
          <ProjectNotFound key={id} id={id} />
        ) : isForbidden ? (
          <ProjectForbidden />
        ) : (
          <>
            <div ref={header}>
              <ProjectHeader id={id} row={detail?.row} />
            </div>
            {asked.error && (
              <ProjectFailure
                error={asked.error}
                isOld={detail !== undefined}
                onRetry={() => void asked.refetch()}
                retrying={asked.isFetching}
              />
            )}
            {detail ? (
              <ProjectPanels detail={detail} lastLook={lastLook} tab={tab} openTab={openTab} />
            ) : (
              !asked.error && <ProjectSkeleton />
            )}
          </>
        )}
      </div>
      {shown && <ProjectBar row={shown.row} header={header} neighbours={neighbours} onMove={onMove} />}
      <LabelHost />
      <ProjectKeys row={shown?.row} neighbours={neighbours} onMove={onMove} onBack={onBack} />
    </RowMarksContext>
  )
}

/** A load came while one reads: a date that has moved is no older than the next beat of the pulse. */
function useFollowLoads(detail: ProjectDetail | undefined, refetch: () => Promise<unknown>): void {
  const newer = useNewerData(detail?.data_time)
  useEffect(() => {
    if (newer !== undefined) void refetch()
  }, [newer, refetch])
}

/** Through the list without steps in the history: Back leads to the list, however many projects were looked at. The tab stays. */
function useMoveTo(): (id: string) => void {
  const router = useRouter()
  return useCallback(
    (id: string) => {
      void router.navigate({
        to: '/report/$id',
        params: { id },
        search: (now: Readonly<Record<string, unknown>>) => now as Record<string, string>,
        replace: true,
      })
    },
    [router],
  )
}

/** When the visit before this one ended: as the first answer said it. What is asked again while one reads must not take the marks away. */
function useLastLook(id: string, detail: ProjectDetail | undefined): string | null {
  const [visit, setVisit] = useState<{ id: string; lastLook: string | null }>()
  if (detail && visit?.id !== id) setVisit({ id, lastLook: detail.last_looked_at })
  return visit?.id === id ? visit.lastLook : (detail?.last_looked_at ?? null)
}

/** The tab of the browser is named by the project; the guard names it by the screen whenever the address changes. */
function useTitle(name: string | undefined): void {
  const router = useRouter()
  useEffect(() => {
    if (name === undefined) return
    const tell = () => {
      document.title = `${name} · ตามงาน`
    }
    tell()
    return router.subscribe('onResolved', tell)
  }, [router, name])
}
