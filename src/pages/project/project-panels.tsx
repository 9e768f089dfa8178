import { useMemo } from 'react'
import type { ProjectDetail } from '#contract/project-detail.ts'
import { BlockBoundary } from '#src/features/block-boundary/block-boundary.tsx'
import { DeadlineClock } from '#src/features/deadline-clock/deadline-clock.tsx'
import { useRowMarks } from '#src/features/project-row/row-marks.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { PROJECT_TABS, type ProjectTab } from '#src/lib/project-address.ts'
import { Card } from '#src/ui/card.tsx'
import { type TabItem, Tabs } from '#src/ui/tabs.tsx'
import { ChangesPanel } from './changes-panel.tsx'
import { DataLine } from './data-line.tsx'
import { FilesPanel } from './files-panel.tsx'
import { OverviewPanel } from './overview-panel.tsx'
import { historyOf } from './project-history.ts'
import { ProjectNotices } from './project-notices.tsx'
import { StageLine } from './stage-line.tsx'
import { stagesOf } from './stages.ts'

const BiddersPanel = lazyPart(() => import('./bidders-panel.tsx'), 'BiddersPanel')

// Both ask for themselves, and what they ask takes longer than the project.
const SimilarPricesCard = lazyPart(
  () => import('#src/features/similar-prices/similar-prices-card.tsx'),
  'SimilarPricesCard',
)
const LinkedProjectsCard = lazyPart(
  () => import('#src/features/linked-projects/linked-projects-card.tsx'),
  'LinkedProjectsCard',
)

const PANEL_ID = 'project-panel'
const NAMES: Readonly<Record<ProjectTab, string>> = {
  overview: 'ภาพรวม',
  changes: 'ประวัติ',
  bidders: 'ผู้เสนอราคา',
  files: 'เอกสาร',
}

type ProjectPanelsProps = {
  detail: ProjectDetail
  /** When the visit before this one ended, UTC ISO; null on the first. */
  lastLook: string | null
  tab: ProjectTab
  openTab: (tab: ProjectTab) => void
}

/** All of a project that stands below its name. On a phone the time that is left comes first. */
export function ProjectPanels({ detail, lastLook, tab, openTab }: ProjectPanelsProps) {
  const { today } = useRowMarks()
  const { row } = detail
  const id = row.project_id
  const stages = useMemo(() => stagesOf(detail, today), [detail, today])
  const entries = useMemo(() => historyOf(detail, lastLook), [detail, lastLook])
  const counts: Partial<Record<ProjectTab, number>> = {
    changes: entries.length,
    bidders: detail.bidders.length,
    files: detail.attachments.length,
  }
  const items: TabItem<ProjectTab>[] = PROJECT_TABS.map((value) => ({
    value,
    label: NAMES[value],
    // Nought says as much as the panel does.
    count: counts[value] || undefined,
  }))
  return (
    <>
      <ProjectNotices detail={detail} lastLook={lastLook} onChanges={() => openTab('changes')} />
      <Card as="section" aria-label="ขั้นตอน" className="px-5 pt-4 pb-4">
        <StageLine stages={stages} />
      </Card>
      <div className="grid gap-x-5 gap-y-4 lg:grid-cols-[minmax(0,1fr)_340px] lg:grid-rows-[auto_1fr] xl:grid-cols-[minmax(0,1fr)_396px]">
        <div className="min-w-0 lg:col-start-2 lg:row-start-1">
          <BlockBoundary name="กำหนดเวลา" resetKey={id} className="min-h-40">
            <DeadlineClock row={row} />
          </BlockBoundary>
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <Tabs
            label="ส่วนของโครงการ"
            items={items}
            value={tab}
            onChange={openTab}
            panelId={PANEL_ID}
            className="border-b border-line max-sm:-mx-4 max-sm:px-4 print:hidden"
          />
          <div id={PANEL_ID} role="tabpanel" aria-label={NAMES[tab]} className="mt-4 flex flex-col gap-5">
            <BlockBoundary name={NAMES[tab]} resetKey={`${id} ${tab}`} className="min-h-80">
              {tab === 'overview' && (
                <OverviewPanel detail={detail} entries={entries} lastLook={lastLook} openTab={openTab} />
              )}
              {tab === 'changes' && <ChangesPanel entries={entries} lastLook={lastLook} />}
              {tab === 'bidders' && <BiddersPanel detail={detail} />}
              {tab === 'files' && <FilesPanel files={detail.attachments} lastLook={lastLook} />}
            </BlockBoundary>
          </div>
        </div>
        <div className="flex min-w-0 flex-col gap-4 lg:col-start-2 lg:row-start-2">
          <BlockBoundary name="ราคาของงานคล้ายกัน" resetKey={id} className="min-h-72">
            <SimilarPricesCard key={id} projectId={id} referencePrice={row.estimate_budget} />
          </BlockBoundary>
          <BlockBoundary name="โครงการที่เกี่ยวข้อง" resetKey={id} className="min-h-40">
            <LinkedProjectsCard key={id} projectId={id} />
          </BlockBoundary>
        </div>
      </div>
      <DataLine detail={detail} />
    </>
  )
}
