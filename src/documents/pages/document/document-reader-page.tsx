import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, Download, FileX, Info, Link2, Lock, Search } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { DOCUMENT_KIND_LABELS, UNREADABLE_DOCUMENT_REASONS } from '#contract/documents/document.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { documentQuery } from '#src/documents/api/documents.ts'
import {
  DocumentQuestionForm,
  useDocumentAnswerSettings,
} from '#src/documents/document-answers/document-question-form.tsx'
import { DocumentMismatchNotice } from '#src/documents/project-documents/document-row.tsx'
import {
  DOCUMENT_READ_FROM_IMAGE_TEXT,
  DocumentTextRecognitionStatus,
} from '#src/documents/project-documents/image-reading-status.tsx'
import { useDocumentDownload } from '#src/documents/use-document-download.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { DocumentComparisonPane } from './document-comparison-pane.tsx'
import { DocumentPageList } from './document-page-list.tsx'
import { DocumentPrintButton } from './document-print-button.tsx'
import { DocumentReaderToolbar } from './document-reader-toolbar.tsx'
import { DocumentRequirementsPane } from './document-requirements-pane.tsx'
import { DocumentFactsPane, DocumentSearchPane } from './side-panes.tsx'
import { type DocumentComparisonState, useDocumentComparison } from './use-document-comparison.ts'
import { type DocumentReaderState, useDocumentReader } from './use-document-reader.ts'

const route = getRouteApi('/_app/report/$id/documents/$doc')
const WIDE_SCREEN = '(min-width: 64rem)'

export function DocumentReaderPage() {
  const { id, doc } = route.useParams()
  const document = useQuery(documentQuery(doc))
  return (
    <QueryView
      query={document}
      task="เปิดเอกสาร"
      barsClassName="flex flex-col gap-3"
      bars={['w-1/2', 'h-[60vh] w-full']}
      forbidden={
        <EmptyState icon={Lock} title="บัญชีของคุณไม่มีสิทธิ์ดูเอกสาร">
          ติดต่อผู้ดูแลองค์กรของคุณเพื่อขอสิทธิ์
        </EmptyState>
      }
      notFound={
        <EmptyState icon={FileX} title="ไม่พบเอกสารนี้">
          เอกสารอาจถูกลบไปแล้ว หรือเป็นเอกสารขององค์กรอื่น
        </EmptyState>
      }
      frame={(screen) => (
        <div className="mx-auto flex w-full max-w-[820px] flex-col gap-4 px-4 py-6">
          <h1 className="sr-only">เอกสาร</h1>
          <BackLink projectId={id} />
          {screen}
        </div>
      )}
    >
      {(projectDocument) => <DocumentReader key={doc} document={projectDocument} projectId={id} />}
    </QueryView>
  )
}

function BackLink({ projectId }: { projectId: string }) {
  return (
    <Link
      to="/report/$id"
      params={{ id: projectId }}
      search={{ tab: 'files' }}
      className="inline-flex shrink-0 items-center gap-1.5 rounded-control text-sm text-ink-muted hover:text-ink hover:underline touch:min-h-11"
    >
      <ArrowLeft aria-hidden className="size-4" />
      กลับไปยังโครงการ
    </Link>
  )
}

function DocumentReader({ document, projectId }: { document: ProjectDocument; projectId: string }) {
  const routeSearch = route.useSearch()
  const navigate = route.useNavigate()
  const reader = useDocumentReader(document, routeSearch, {
    change: (search) =>
      void navigate({ search: { ...search, compare: routeSearch.compare }, replace: true, resetScroll: false }),
    leave: () => void navigate({ to: '/report/$id', params: { id: projectId }, search: { tab: 'files' } }),
  })
  const isWide = useMediaQuery(WIDE_SCREEN)
  const [beginsWithRequirements] = useState(routeSearch.side === 'requirements')
  const compare = (id: string | undefined) => {
    void navigate({ search: { ...routeSearch, compare: id }, replace: true, resetScroll: false })
  }
  const comparison = useDocumentComparison(document, routeSearch.compare, reader.openPassage)
  const { data: differences } = comparison.query
  const side = (
    <DocumentSideTabs
      document={document}
      comparison={comparison}
      isComparing={routeSearch.compare !== undefined}
      onCompare={compare}
      beginsWithRequirements={beginsWithRequirements}
      reader={reader}
    />
  )
  const search = <DocumentSearchPane reader={reader} />
  return (
    <div className="flex h-[calc(100dvh-3.5rem)] min-h-96 flex-col print:hidden">
      <ReaderBar document={document} projectId={projectId} reader={reader} />
      <div className="grid min-h-0 flex-1 lg:grid-cols-[240px_minmax(0,1fr)_320px] xl:grid-cols-[260px_minmax(0,1fr)_400px]">
        {isWide && (
          <Pane label="ค้นหา" className="border-r">
            {search}
          </Pane>
        )}
        <div className="relative flex min-h-0 min-w-0 flex-col bg-surface-muted">
          <DocumentMismatchNotice document={document} className="m-2 shrink-0" />
          <StateNotice document={document} />
          <DocumentPageList document={document} reader={reader} />
        </div>
        {isWide && (
          <Pane label="ข้อมูลจากเอกสาร" className="border-l">
            {side}
          </Pane>
        )}
      </div>
      <DocumentReaderToolbar reader={reader} />
      {!isWide && (
        <Sheets
          reader={reader}
          label={joinParts(`ข้อมูล ${document.facts.length}`, differences && `ต่าง ${differences.total}`)}
          facts={side}
          search={search}
        />
      )}
    </div>
  )
}

function Pane({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    <aside aria-label={label} className={`min-h-0 overflow-y-auto border-line bg-surface print:hidden ${className}`}>
      {children}
    </aside>
  )
}

type ReaderBarProps = { document: ProjectDocument; projectId: string; reader: DocumentReaderState }

function ReaderBar({ document, projectId, reader: { file, pageCount, page } }: ReaderBarProps) {
  const { name, kind, page_count, state, pictures } = document
  const copy = () =>
    copyWithToast(location.href, 'คัดลอกลิงก์แล้ว เปิดได้เฉพาะคนในองค์กรของคุณ', 'คัดลอกลิงก์ไม่สำเร็จ คัดลอกจากช่องที่อยู่แทน')
  const download = useDocumentDownload(document)
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-2 print:hidden">
      <BackLink projectId={projectId} />
      <div className="min-w-0 flex-1 basis-48">
        <h1 className="truncate font-semibold">{name}</h1>
        <p className="flex items-center gap-2 text-xs text-ink-muted">
          {kind !== null && state === 'read' && DOCUMENT_KIND_LABELS[kind]}
          {page_count > 0 && <span className="tabular-nums">{page_count} หน้า</span>}
          {state === 'scan' && <Badge>ภาพสแกน</Badge>}
          {pictures.done > pictures.failed && <Badge tone="accent">{DOCUMENT_READ_FROM_IMAGE_TEXT}</Badge>}
        </p>
      </div>
      <IconButton icon={Link2} label="คัดลอกลิงก์" onClick={() => void copy()} />
      {file && <DocumentPrintButton file={file} pageCount={pageCount} page={page} />}
      <Button icon={Download} onClick={() => download.mutate()}>
        ดาวน์โหลด
      </Button>
    </header>
  )
}

function StateNotice({ document }: { document: ProjectDocument }) {
  const { state, reason } = document
  if (state === 'scan' || (state === 'read' && document.pictures.state !== 'none')) {
    return (
      <div className="border-b border-line bg-surface px-4 pt-1 pb-2 print:hidden">
        <DocumentTextRecognitionStatus document={document} />
      </div>
    )
  }
  if (state === 'read') return null
  const text =
    state === 'waiting'
      ? 'ระบบกำลังอ่านเอกสารนี้ ค้นหาและข้อมูลจะตามมา'
      : `${reason === null ? 'ระบบอ่านไฟล์นี้ไม่ได้' : UNREADABLE_DOCUMENT_REASONS[reason]} ลองดาวน์โหลดไปเปิดเอง หรือเพิ่มไฟล์ฉบับอื่น`
  return (
    <p role="status" className="flex items-center gap-2 border-b border-line bg-surface px-4 py-2 text-sm">
      <Info aria-hidden className="size-4 shrink-0 text-accent-ink" /> {text}
    </p>
  )
}

type SheetsProps = { reader: DocumentReaderState; label: string; facts: ReactNode; search: ReactNode }

function Sheets({ reader, label, facts, search }: SheetsProps) {
  const [sheet, setSheet] = useState<{ content: 'facts' | 'search'; at: number }>()
  const isOpen = sheet !== undefined && sheet.at === reader.jumps
  const show = (content: 'facts' | 'search') => setSheet({ content, at: reader.jumps })
  return (
    <div className="flex gap-2 border-t border-line bg-surface px-4 py-2 print:hidden">
      <Button className="flex-1" icon={Search} onClick={() => show('search')}>
        ค้นหา
      </Button>
      <Button className="flex-1" icon={Info} onClick={() => show('facts')}>
        {label}
      </Button>
      <Modal
        open={isOpen}
        onClose={() => setSheet(undefined)}
        variant="sheet"
        title={sheet?.content === 'search' ? 'ค้นในเอกสาร' : 'ข้อมูลจากเอกสาร'}
      >
        {sheet?.content === 'search' ? search : facts}
      </Modal>
    </div>
  )
}

type SideTabsProps = {
  document: ProjectDocument
  comparison: DocumentComparisonState
  isComparing: boolean
  onCompare: (id: string | undefined) => void
  beginsWithRequirements: boolean
  reader: DocumentReaderState
}

function DocumentSideTabs({
  document,
  comparison,
  isComparing,
  onCompare,
  beginsWithRequirements,
  reader: { passage, openPassage },
}: SideTabsProps) {
  const panel = useId()
  const [chosen, setChosen] = useState<'facts' | 'requirements' | 'answers'>(
    beginsWithRequirements ? 'requirements' : 'facts',
  )
  const tab = isComparing ? 'differences' : chosen
  const isAskable = useDocumentAnswerSettings() !== undefined
  const {
    before,
    query: { data },
  } = comparison
  const isDraft = before?.kind === 'draft' || before?.kind === 'tor'
  const differs = isDraft ? 'ต่างจากร่าง' : 'ต่างจากฉบับเดิม'
  const count = data && data.facts.length + data.total
  return (
    <>
      <Tabs
        label="ด้านข้างเอกสาร"
        panelId={panel}
        className="border-b border-line px-3"
        value={tab}
        onChange={(next) => {
          if (next !== 'differences') setChosen(next)
          onCompare(next === 'differences' ? (before?.id ?? 'auto') : undefined)
        }}
        items={[
          { value: 'facts', label: 'ข้อมูล', count: document.facts.length },
          { value: 'requirements', label: 'ข้อกำหนด' },
          { value: 'differences', label: differs, ...(count === undefined ? {} : { count }) },
          ...(isAskable ? [{ value: 'answers' as const, label: 'ถาม' }] : []),
        ]}
      />
      <div
        id={panel}
        role="tabpanel"
        aria-label={
          { facts: 'ข้อมูลจากเอกสาร', requirements: 'ข้อกำหนดของผู้ยื่น', differences: differs, answers: 'ถามเอกสาร' }[tab]
        }
      >
        {tab === 'requirements' ? (
          <DocumentRequirementsPane document={document} current={passage} onPassage={openPassage} />
        ) : tab === 'differences' ? (
          <DocumentComparisonPane comparison={comparison} onChoose={onCompare} />
        ) : tab === 'answers' ? (
          <div className="px-5 py-4">
            <DocumentQuestionForm
              projectId={document.project_id}
              open={{ id: document.id, show: ({ page, quote }) => openPassage({ page, sentence: quote }) }}
            />
          </div>
        ) : (
          <DocumentFactsPane document={document} current={passage} onFact={openPassage} />
        )}
      </div>
    </>
  )
}
