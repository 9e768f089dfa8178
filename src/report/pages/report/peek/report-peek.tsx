import { useQuery } from '@tanstack/react-query'
import { Eye, EyeOff, MessageCircle, SearchX, Star, Tag, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { getEgpProjectHref } from '#contract/report/egp-href.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { DocumentPassages } from '#src/documents/document-passages/document-passages.tsx'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { reportProjectQuery } from '#src/report/api/report-projects.ts'
import { setBookmarks } from '#src/report/bookmarks/set-bookmarks.ts'
import { setProjectsHidden } from '#src/report/hidden-projects/set-projects-hidden.ts'
import { LazyLabelPanels, openLabelPicker } from '#src/report/labels/label-panel.tsx'
import {
  closeReportPeek,
  getLastReportPageNumber,
  moveReportCursor,
} from '#src/report/pages/report/keyboard/report-commands.ts'
import type { ReportInteractionState } from '#src/report/pages/report/keyboard/use-report-interaction-state.ts'
import { PreviousNextButtons, type PreviousNextButtonsProps } from '#src/report/project-peek/previous-next-buttons.tsx'
import { ProjectFacts } from '#src/report/project-row/project-facts.tsx'
import { useProjectRowDisplayData } from '#src/report/project-row/project-row-display-data.ts'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { PossibleDuplicatesInPeekPanel } from '#src/team/linked-projects/possible-duplicate-lines.tsx'
import { PursuitPanel } from '#src/team/pursuit/pursuit-panel.tsx'
import { getButtonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { NewTabLink } from '#src/ui/new-tab-link.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { QueryView } from '#src/ui/query-view.tsx'

type ReportPeekProps = { id: string; tools: ReportInteractionState; isSidePanel: boolean }

export function ReportPeek({ id, tools, isSidePanel }: ReportPeekProps) {
  const { rows, page } = tools
  const { inDocuments } = useProjectRowDisplayData()
  const at = rows.findIndex((row) => row.project_id === id)
  const projectQuery = useQuery({ ...reportProjectQuery(id), enabled: at === -1 })
  const row = rows[at] ?? projectQuery.data ?? undefined
  const Panel = isSidePanel ? SidePanel : Sheet
  const positionText =
    page && at !== -1
      ? `${formatCount((page.page - 1) * page.page_size + at + 1)} จาก ${formatCount(page.total_project)}`
      : undefined
  return (
    <Panel
      positionText={positionText}
      onClose={() => closeReportPeek(tools)}
      onPrevious={at > 0 || (at === 0 && page && page.page > 1) ? () => moveReportCursor(-1, tools) : undefined}
      onNext={
        at >= 0 && (at < rows.length - 1 || (page && page.page < getLastReportPageNumber(page)))
          ? () => moveReportCursor(1, tools)
          : undefined
      }
      projectId={id}
      actions={row && <PeekActions row={row} />}
    >
      {row ? (
        <>
          <ProjectFacts row={row} />
          {inDocuments && (
            <BlockErrorBoundary name="พบในเอกสาร" resetKey={id} className="mt-4 min-h-20">
              <DocumentPassages projectId={id} query={inDocuments} className="mt-4" />
            </BlockErrorBoundary>
          )}
          {!isDemoSession() && (
            <BlockErrorBoundary name="งานของเรา" resetKey={id} className="mt-4 min-h-60">
              <PursuitPanel row={row} look="plain" />
            </BlockErrorBoundary>
          )}
          <PossibleDuplicatesInPeekPanel projectId={id} />
        </>
      ) : (
        <QueryView
          query={projectQuery}
          task="เปิดโครงการ"
          barsClassName="flex flex-col gap-4 py-2"
          bars={['w-1/2', 'w-full', 'w-5/6', 'w-2/3', 'w-full', 'w-3/4']}
        >
          {() => (
            <EmptyState icon={SearchX} title="ไม่มีโครงการนี้ในรายงานขององค์กร">
              โครงการ {id.slice(0, 40)} อาจไม่ตรงคำติดตามขององค์กรคุณ หรืออยู่นอกช่วงรายงาน
            </EmptyState>
          )}
        </QueryView>
      )}
    </Panel>
  )
}

function PeekActions({ row }: { row: ReportRow }) {
  const user = useUser()
  const { project_id: id } = row
  const isStarred = user.project_bookmark.includes(id)
  const isHidden = user.project_hidden.includes(id)
  const egp = getEgpProjectHref(row)
  const { hrefOf } = useProjectRowDisplayData()
  return (
    <>
      <a
        href={hrefOf(id)}
        data-project-link={id}
        title="เปิดหน้าโครงการ (Enter)"
        className={getButtonClasses('primary', 'sm', 'mr-auto')}
      >
        เปิดหน้าโครงการ
      </a>
      <IconButton
        icon={Star}
        label="ติดดาว"
        aria-pressed={isStarred}
        title={isStarred ? 'เอาดาวออก (B)' : 'ติดดาว (B)'}
        onClick={() => void setBookmarks([id], !isStarred)}
        iconClassName={isStarred ? 'fill-star text-star' : ''}
      />
      <IconButton
        icon={Tag}
        label="ป้าย"
        aria-haspopup="dialog"
        title="ป้ายกำกับ (L)"
        onPointerEnter={LazyLabelPanels.preload}
        onFocus={LazyLabelPanels.preload}
        onClick={(event) => openLabelPicker([id], event.currentTarget)}
      />
      <IconButton
        icon={isHidden ? Eye : EyeOff}
        label={isHidden ? 'เลิกซ่อน' : 'ซ่อน'}
        title={isHidden ? 'เลิกซ่อน (X)' : 'ซ่อนโครงการนี้ (X)'}
        onClick={() => void setProjectsHidden([id], !isHidden)}
      />
      <IconButton
        icon={MessageCircle}
        label="LINE"
        title="คัดลอกสำหรับ LINE (C)"
        onClick={() => void copyProjectsForLineChat([row])}
      />
      {egp && (
        <NewTabLink href={egp} className={getButtonClasses('quiet', 'sm')}>
          e-GP
        </NewTabLink>
      )}
    </>
  )
}

type PeekPanelProps = PreviousNextButtonsProps & {
  onClose: () => void
  /** Position in the list, e.g. `4 จาก 630`; undefined for a project that is not on the page. */
  positionText: string | undefined
  projectId: string
  actions: ReactNode
  children: ReactNode
}

const TITLE = 'ดูย่อ'

/** Panel over the end of the table, which does not move. The focus stays in its row. */
function SidePanel({ onClose, projectId, actions, children, ...moves }: PeekPanelProps) {
  const content = useRef<HTMLDivElement>(null)
  useOnChange(projectId, () => {
    if (content.current) content.current.scrollTop = 0
  })
  return (
    <aside
      tabIndex={-1}
      aria-label="ดูย่อโครงการ"
      data-answers-keys
      className="appear absolute inset-y-0 right-0 z-30 flex w-[400px] max-w-full flex-col rounded-card border border-line-strong bg-surface shadow-float focus-visible:-outline-offset-2 2xl:w-[440px] print:hidden"
    >
      <div className="flex h-11 shrink-0 items-center gap-0.5 border-b border-line pr-2 pl-4">
        <h2 className="font-semibold">{TITLE}</h2>
        <PeekNavigation {...moves} />
        <IconButton icon={X} label="ปิด (Esc)" size="sm" onClick={onClose} />
      </div>
      <section
        ref={content}
        tabIndex={0}
        aria-label="ข้อมูลโครงการ"
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-3 focus-visible:-outline-offset-2"
      >
        {children}
      </section>
      {actions && <div className="flex shrink-0 items-center gap-1 border-t border-line px-3 py-2">{actions}</div>}
    </aside>
  )
}

function Sheet({ onClose, actions, children, ...moves }: PeekPanelProps) {
  return (
    <Modal open onClose={onClose} variant="sheet" isTall title={TITLE} footer={actions}>
      <div data-answers-keys className="px-4 pt-2 pb-4">
        <div className="-mr-2 flex items-center">
          <PeekNavigation {...moves} />
        </div>
        {children}
      </div>
    </Modal>
  )
}

function PeekNavigation({ positionText, ...moves }: PreviousNextButtonsProps & Pick<PeekPanelProps, 'positionText'>) {
  return (
    <>
      <span className="mr-auto px-2 text-ink-muted tabular-nums max-lg:pl-0">{positionText}</span>
      <PreviousNextButtons {...moves} />
    </>
  )
}
