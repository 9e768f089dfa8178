import { FileText, FolderOpen, History } from 'lucide-react'
import { useState } from 'react'
import { getBidState } from '#contract/catalogue/bid-state.ts'
import { isEstimateInDoubt } from '#contract/catalogue/data-issue.ts'
import { getChoiceLabel, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { formatLastChecked } from '#src/catalogue/data-freshness/data-freshness-line.tsx'
import { DocumentQuestionCard } from '#src/documents/document-answers/document-question-form.tsx'
import { DocumentsCard } from '#src/documents/project-documents/documents-card.tsx'
import { PROJECT_TABS, type ProjectTab } from '#src/lib/project-url.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { BiddersPanel } from '#src/market/bidders/bidders-panel.tsx'
import { AddExclusionButton } from '#src/report/add-exclusion/add-exclusion-button.tsx'
import { ProjectDeadlineCountdown } from '#src/report/deadline-clock/deadline-clock.tsx'
import { EligibilityCard } from '#src/report/eligibility/eligibility-card.tsx'
import { MatchReasons } from '#src/report/project-row/match-reasons.tsx'
import { FileLink } from '#src/report/project-row/project-file-list.tsx'
import { useProjectRowDisplayData } from '#src/report/project-row/project-row-display-data.ts'
import { SimilarPricesCard } from '#src/report/similar-prices/similar-prices-card.tsx'
import { SimilarPricesLine } from '#src/report/similar-prices/similar-prices-line.tsx'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { DraftCommentCard } from '#src/team/draft-comment/draft-comment-card.tsx'
import { LinkedProjectsCard } from '#src/team/linked-projects/linked-projects-card.tsx'
import { PursuitPanel } from '#src/team/pursuit/pursuit-panel.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { type TabItem, Tabs } from '#src/ui/tabs.tsx'
import { useCollapsedList } from '#src/ui/use-collapsed-list.tsx'
import { ProjectDatesCard } from './project-dates-card.tsx'
import { ProjectFactsCard } from './project-facts-card.tsx'
import { buildProjectHistory, type ProjectHistoryEntry } from './project-history.ts'
import { ProjectHistoryTimeline } from './project-history-timeline.tsx'
import { ProjectNotices } from './project-notices.tsx'
import { useDeadlineFacts } from './use-deadline-facts.ts'

type ProjectPanelsProps = {
  detail: ProjectDetail
  lastVisit: string | null
  tab: ProjectTab
  openTab: (tab: ProjectTab) => void
}
type ChangesPanelProps = { entries: readonly ProjectHistoryEntry[]; lastVisit: string | null }
type OverviewPanelProps = Omit<ProjectPanelsProps, 'tab'> & ChangesPanelProps

/** The page prints on one sheet, so cards that only link elsewhere are not printed. */
function OverviewPanel({ detail, entries, lastVisit, openTab }: OverviewPanelProps) {
  const { today } = useProjectRowDisplayData()
  const { row } = detail
  const id = row.project_id
  return (
    <>
      <BlockErrorBoundary name="วันสำคัญ" resetKey={id} className="min-h-40">
        <ProjectDatesCard detail={detail} today={today} />
      </BlockErrorBoundary>
      {!isDemoSession() && (
        <BlockErrorBoundary name="วิจารณ์ร่าง" resetKey={id} className="min-h-20">
          <DraftCommentCard key={id} row={row} today={today} />
        </BlockErrorBoundary>
      )}
      {getBidState(row, today) !== 'awarded' && !isDemoSession() && (
        <BlockErrorBoundary name="ยื่นได้ไหม" resetKey={id} className="min-h-40">
          <EligibilityCard row={row} />
        </BlockErrorBoundary>
      )}
      <SimilarPricesLine key={id} projectId={id} onOpen={() => openTab('prices')} />
      {entries.length > 0 && (
        <Card as="section" aria-label="เปลี่ยนล่าสุด" className="px-5 py-3 print:hidden">
          <div className="flex items-center gap-3">
            <h2 className="text-md font-semibold">เปลี่ยนล่าสุด</h2>
            <Button variant="link" size="sm" className="ml-auto" onClick={() => openTab('changes')}>
              ดูประวัติ {entries.length} รายการ
            </Button>
          </div>
          <ProjectHistoryTimeline entries={entries.slice(0, 1)} lastVisit={lastVisit} />
        </Card>
      )}
      <ProjectFactsCard detail={detail} onFiles={() => openTab('files')} />
      <Card as="section" aria-label="ตรงเงื่อนไขเพราะ" className="px-5 pt-4 pb-3 print:hidden">
        <h2 className="mb-1 text-md font-semibold">ตรงเงื่อนไขเพราะ</h2>
        <MatchReasons row={row} />
        <AddExclusionButton row={row} />
      </Card>
      <BlockErrorBoundary name="โครงการที่เกี่ยวข้อง" resetKey={id} className="min-h-40">
        <LinkedProjectsCard projectId={id} method={row.method} className="print:hidden" />
      </BlockErrorBoundary>
    </>
  )
}

function ChangesPanel({ entries, lastVisit }: ChangesPanelProps) {
  const { visibleItems: visibleEntries, moreButton } = useCollapsedList(entries, 'รายการ')
  return (
    <Card as="section" aria-label="การเปลี่ยนแปลง" className="px-5 pt-4 pb-3">
      {entries.length === 0 ? (
        <EmptyState icon={History} title="ยังไม่มีการเปลี่ยนแปลง">
          ตั้งแต่ระบบพบโครงการนี้ ยังไม่มีประกาศใหม่หรือข้อมูลที่ต่างไปจากเดิม
        </EmptyState>
      ) : (
        <>
          <h2 className="text-md font-semibold">ประกาศและข้อมูลที่เปลี่ยน</h2>
          <p className="mb-2 text-sm text-ink-muted">ใหม่ก่อน เวลาของข้อมูลที่เปลี่ยนคือเวลาที่ระบบได้รับข้อมูลรอบนั้น</p>
          <ProjectHistoryTimeline entries={visibleEntries} lastVisit={lastVisit} />
          {moreButton}
        </>
      )}
    </Card>
  )
}

const SOURCE_NAMES: Readonly<Record<string, string>> = {
  'cgd-csv': 'ข้อมูลเปิดกรมบัญชีกลาง (CSV)',
  'cgd-json': 'ข้อมูลเปิดกรมบัญชีกลาง (JSON)',
  'egp-rss': 'RSS ของระบบ e-GP',
  ocds: 'ข้อมูลเปิดตามมาตรฐาน OCDS',
  sample: 'ข้อมูลตัวอย่าง',
}

function DataLine({ detail }: { detail: ProjectDetail }) {
  const { data_time, source, first_seen_at, changed_at } = detail
  const firstSeenText = formatThaiDateTime(first_seen_at)
  const changedText = formatThaiDateTime(changed_at)
  return (
    <p className="text-xs text-ink-faint">
      {data_time === null ? 'ยังไม่มีข้อมูลรอบล่าสุด' : `ข้อมูล ณ ${formatThaiDateTime(data_time)}`} · ที่มา{' '}
      {Object.hasOwn(SOURCE_NAMES, source) ? SOURCE_NAMES[source] : source} · พบครั้งแรก
      {changedText === firstSeenText ? ` ${firstSeenText}` : ` ${firstSeenText} · เปลี่ยนล่าสุด ${changedText}`}
      {detail.freshness && ` · หน่วยงานนี้: ${formatLastChecked(detail.freshness)}`}
    </p>
  )
}

const PANEL_ID = 'project-panel'
const TAB_NAMES: Readonly<Record<ProjectTab, string>> = {
  overview: 'ภาพรวม',
  prices: 'ราคา',
  bidders: 'ผู้เสนอราคา',
  files: 'เอกสาร',
  changes: 'ประวัติ',
}

export function ProjectPanels({ detail, lastVisit, tab, openTab }: ProjectPanelsProps) {
  const { row } = detail
  const id = row.project_id
  const facts = useDeadlineFacts(detail)
  const entries = buildProjectHistory(detail, lastVisit)
  const [comparedPrice, setComparedPrice] = useState<{ id: string; baht: number }>()
  const comparePrice = (baht: number) => {
    setComparedPrice({ id, baht })
    openTab('prices')
  }
  const counts: Partial<Record<ProjectTab, number>> = {
    changes: entries.length,
    bidders: detail.bidders.length,
    files: detail.attachments.length,
  }
  const items: TabItem<ProjectTab>[] = PROJECT_TABS.map((value) => ({
    value,
    label: TAB_NAMES[value],
    count: counts[value] || undefined,
  }))
  return (
    <>
      <ProjectNotices detail={detail} lastVisit={lastVisit} onChanges={() => openTab('changes')} />
      <div className="grid gap-x-5 gap-y-4 print:gap-y-1 lg:grid-cols-[minmax(0,1fr)_340px] xl:grid-cols-[minmax(0,1fr)_396px]">
        <aside
          aria-label="กำหนดและการตัดสินใจ"
          className="contents lg:sticky lg:top-[calc(theme(spacing.header)+3.75rem)] lg:col-start-2 lg:row-start-1 lg:-m-1 lg:flex lg:max-h-[calc(100dvh-theme(spacing.header)-4.75rem)] lg:flex-col lg:gap-4 lg:self-start lg:overflow-y-auto lg:p-1"
        >
          <div className="min-w-0 shrink-0 max-lg:order-1">
            <BlockErrorBoundary name="กำหนดเวลา" resetKey={id} className="min-h-40">
              <ProjectDeadlineCountdown row={facts} />
            </BlockErrorBoundary>
          </div>
          {!isDemoSession() && (
            <div className="min-w-0 shrink-0 max-lg:order-3">
              <BlockErrorBoundary name="งานของเรา" resetKey={id} className="min-h-60">
                <PursuitPanel row={row} look="card" onComparePrice={comparePrice} />
              </BlockErrorBoundary>
            </div>
          )}
        </aside>
        <div className="min-w-0 max-lg:order-2 lg:col-start-1 lg:row-start-1">
          <Tabs
            label="ส่วนของโครงการ"
            items={items}
            value={tab}
            onChange={openTab}
            panelId={PANEL_ID}
            className="border-b border-line max-sm:-mx-4 max-sm:px-4 print:hidden"
          />
          <div
            id={PANEL_ID}
            role="tabpanel"
            aria-label={TAB_NAMES[tab]}
            className="mt-4 flex flex-col gap-4 print:mt-0 print:gap-2"
          >
            <BlockErrorBoundary name={TAB_NAMES[tab]} resetKey={`${id} ${tab}`} className="min-h-80">
              {tab === 'overview' && (
                <OverviewPanel key={id} detail={detail} entries={entries} lastVisit={lastVisit} openTab={openTab} />
              )}
              {tab === 'prices' && (
                <SimilarPricesCard
                  key={id}
                  projectId={id}
                  referencePrice={row.estimate_budget}
                  isReferenceInDoubt={isEstimateInDoubt(row)}
                  comparedPrice={comparedPrice?.id === id ? comparedPrice : undefined}
                />
              )}
              {tab === 'changes' && <ChangesPanel key={id} entries={entries} lastVisit={lastVisit} />}
              {tab === 'bidders' && <BiddersPanel key={id} detail={detail} />}
              {tab === 'files' && (
                <>
                  <DocumentsCard key={id} row={row} mayAdd={!isDemoSession()} />
                  {!isDemoSession() && <DocumentQuestionCard key={`ask ${id}`} projectId={id} />}
                  <ProjectFilesPanel files={detail.attachments} lastVisit={lastVisit} />
                </>
              )}
            </BlockErrorBoundary>
          </div>
        </div>
      </div>
      <DataLine detail={detail} />
    </>
  )
}

type File = ProjectDetail['attachments'][number]

const STEP_ORDER: readonly string[] = PROJECT_MOVEMENTS.map(({ code }) => code)

function groupFilesByStep(files: readonly File[]): { step: string; files: File[] }[] {
  return [...Map.groupBy(files, ({ step }) => step)]
    .map(([step, stepFiles]) => ({
      step,
      files: stepFiles.toSorted((a, b) => ((a.published_date ?? '') < (b.published_date ?? '') ? 1 : -1)),
    }))
    .toSorted((a, b) => STEP_ORDER.indexOf(b.step) - STEP_ORDER.indexOf(a.step))
}

/** On the user's first visit, without a `lastVisit`, no file counts as new. */
function ProjectFilesPanel({ files, lastVisit }: { files: readonly File[]; lastVisit: string | null }) {
  if (files.length === 0) {
    return (
      <EmptyCard icon={FolderOpen} title="ยังไม่มีเอกสารแนบ">
        e-GP ยังไม่เผยแพร่เอกสารของโครงการนี้ หรือข้อมูลที่ระบบได้รับไม่มีลิงก์เอกสาร
      </EmptyCard>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      {groupFilesByStep(files).map(({ step, files: stepFiles }) => (
        <Card key={step} as="section" aria-label={getChoiceLabel(PROJECT_MOVEMENTS, step)} className="px-5 pt-4 pb-2">
          <h2 className="text-md font-semibold">
            {getChoiceLabel(PROJECT_MOVEMENTS, step)}{' '}
            <span className="text-sm font-normal text-ink-faint tabular-nums">{stepFiles.length} ไฟล์</span>
          </h2>
          <ul className="mt-1 divide-y divide-line">
            {stepFiles.map((file) => (
              <li key={file.url}>
                <FileLink url={file.url} className="-mx-2 flex items-start gap-3 rounded-control px-2 py-2.5">
                  <FileText aria-hidden className="mt-0.5 size-4.5 shrink-0 text-ink-faint" />
                  <span className="min-w-0 flex-1">
                    <span className="block font-medium [overflow-wrap:anywhere]">
                      {file.name}
                      {lastVisit !== null && file.first_seen_at > lastVisit && (
                        <Badge tone="new" className="ml-2 align-[1px] font-normal">
                          ใหม่
                        </Badge>
                      )}
                    </span>
                    <span className="block text-xs text-ink-muted tabular-nums">
                      {file.published_date === null
                        ? 'ไม่ทราบวันที่ประกาศ'
                        : `ประกาศ ${formatThaiDateShortOrOriginal(file.published_date)}`}
                      {' · '}พบครั้งแรก {formatThaiDateTime(file.first_seen_at)}
                    </span>
                  </span>
                </FileLink>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </div>
  )
}
