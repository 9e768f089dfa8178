import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { Lock, Share2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { DocumentPassages } from '#src/documents/document-passages/document-passages.tsx'
import { ProblemError } from '#src/lib/problem-error.ts'
import { PROJECT_TABS, type ProjectTab } from '#src/lib/project-url.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { useRefetchOnNewerData } from '#src/report/api/newest-data-time-store.ts'
import { projectDetailQuery, projectPrefetchQuery } from '#src/report/api/project-details.ts'
import { useTeamLabelsAndViews } from '#src/report/api/team-labels-and-views.ts'
import { LabelPanelHost } from '#src/report/labels/label-panel.tsx'
import {
  buildProjectRowDisplayData,
  ProjectRowDisplayContext,
} from '#src/report/project-row/project-row-display-data.ts'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { useScreenTitle } from '#src/shell/navigation/use-screen-title.ts'
import { BidDecisionBar } from '#src/team/pursuit/pursuit-decision-section.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { ProjectStarToggle } from './project-actions.tsx'
import { ProjectBreadcrumbs } from './project-breadcrumbs.tsx'
import { ProjectHeader } from './project-header.tsx'
import { ProjectNotFound } from './project-not-found.tsx'
import { ProjectPanels } from './project-panels.tsx'
import { ProjectShortcuts } from './project-shortcuts.tsx'
import { ProjectStickyBar } from './project-sticky-bar.tsx'
import { useAdjacentProjects } from './use-adjacent-projects.ts'

const route = getRouteApi('/_app/report/$id')

/**
 * Returns to the list. If the list is in the browser history, goes back to it past all tabs opened since, which
 * restores its page and scroll position; otherwise opens the report with the same filters.
 */
function useBackToList(from: ReportSearch | undefined): () => void {
  const router = useRouter()
  const { history } = router
  /** History index of the first project page; undefined unless the report opened it. */
  const [firstProjectIndex] = useState(() =>
    // During the first render `resolvedLocation` still refers to the previous screen.
    router.state.resolvedLocation?.pathname === '/report' ? history.location.state.__TSR_index : undefined,
  )
  return () => {
    const steps = firstProjectIndex === undefined ? 0 : history.location.state.__TSR_index - firstProjectIndex + 1
    if (steps > 0) history.go(-steps)
    else void router.navigate({ to: '/report', search: from ?? {} })
  }
}

export function ProjectPage() {
  const { id } = route.useParams()
  const { tab = PROJECT_TABS[0], from } = route.useSearch()
  const navigate = route.useNavigate()
  const openTab = (newTab: ProjectTab) => {
    void navigate({ search: (current) => ({ ...current, tab: newTab }), resetScroll: false })
  }
  const { project_labels, project_label_assignments } = useUser()
  const { data, error, isFetching, refetch } = useQuery(projectDetailQuery(id))
  const detail = data ?? queryClient.getQueryData<ProjectDetail>(projectPrefetchQuery(id).queryKey)
  useRefetchOnNewerData(detail?.data_time, refetch)
  const problem = error instanceof ProblemError ? error.status : undefined
  const isUnknown = problem === 404
  const isForbidden = problem === 403
  const visibleDetail = isUnknown || isForbidden ? undefined : detail
  const lastVisit = useLastVisit(id, detail)
  const neighbours = useAdjacentProjects(id, from)
  const onBack = useBackToList(from)
  const isPhone = !useMediaQuery('(min-width: 48rem)')
  const header = useRef<HTMLDivElement>(null)
  useScreenTitle(visibleDetail?.row.name)

  const today = useBangkokToday()
  const teamLabels = useTeamLabelsAndViews(visibleDetail !== undefined)
  const marks = buildProjectRowDisplayData(from ?? {}, { project_labels, project_label_assignments }, today, teamLabels)
  return (
    <ProjectRowDisplayContext value={marks}>
      <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-4 px-4 pt-4 pb-10 max-md:pb-24 lg:px-5 print:gap-2 print:p-0 print:[zoom:0.75]">
        <ProjectBreadcrumbs id={id} from={from} onBack={onBack} neighbours={neighbours} />
        {isUnknown ? (
          <ProjectNotFound key={id} id={id} />
        ) : isForbidden ? (
          <>
            <h1 className="sr-only">โครงการ</h1>
            <EmptyState icon={Lock} title="บัญชีของคุณไม่มีสิทธิ์ดูโครงการ">
              ติดต่อผู้ดูแลองค์กรของคุณเพื่อขอสิทธิ์
            </EmptyState>
          </>
        ) : (
          <>
            <div ref={header}>
              <ProjectHeader id={id} detail={detail} hasFailed={error !== null} />
            </div>
            <QueryView
              query={{ data: detail, error, isFetching, refetch }}
              task="เปิดโครงการ"
              staleTitle="อัปเดตข้อมูลโครงการไม่สำเร็จ ที่เห็นคือข้อมูลเดิม"
              barsClassName="grid gap-x-5 gap-y-4 lg:grid-cols-[minmax(0,1fr)_340px] xl:grid-cols-[minmax(0,1fr)_396px]"
              bars={['h-36 rounded-card lg:col-start-2', 'h-80 rounded-card lg:col-start-1 lg:row-start-1']}
            >
              {(project) => (
                <>
                  {marks.inDocuments && (
                    <BlockErrorBoundary name="พบในเอกสาร" resetKey={id} className="min-h-20">
                      <DocumentPassages projectId={id} query={marks.inDocuments} className="bg-surface" />
                    </BlockErrorBoundary>
                  )}
                  <ProjectPanels detail={project} lastVisit={lastVisit} tab={tab} openTab={openTab} />
                </>
              )}
            </QueryView>
          </>
        )}
      </div>
      {visibleDetail && isPhone && !isDemoSession() && (
        <BidDecisionBar key={id} id={id}>
          <ProjectStarToggle id={id} isCompact className="h-11!" />
          <Button icon={Share2} className="h-11!" onClick={() => void copyProjectsForLineChat([visibleDetail.row])}>
            แชร์
          </Button>
        </BidDecisionBar>
      )}
      {visibleDetail && <ProjectStickyBar row={visibleDetail.row} header={header} neighbours={neighbours} />}
      <LabelPanelHost />
      <ProjectShortcuts row={visibleDetail?.row} neighbours={neighbours} onBack={onBack} />
    </ProjectRowDisplayContext>
  )
}

/** Taken from the first response, because a refetch during this visit must not clear the change marks. */
function useLastVisit(id: string, detail: ProjectDetail | undefined): string | null {
  const [visit, setVisit] = useState<{ id: string; lastVisit: string | null }>()
  if (detail && visit?.id !== id) setVisit({ id, lastVisit: detail.last_looked_at })
  return visit?.id === id ? visit.lastVisit : (detail?.last_looked_at ?? null)
}
