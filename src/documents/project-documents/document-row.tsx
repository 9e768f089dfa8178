import { useMutation } from '@tanstack/react-query'
import { Download, FileArchive, FileText, Image, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { DOCUMENT_KIND_LABELS, type DocumentKind, UNREADABLE_DOCUMENT_REASONS } from '#contract/documents/document.ts'
import { DOCUMENT_MISMATCH_TITLE, formatDocumentMismatchReason } from '#contract/documents/document-mismatch.ts'
import { OMITTED_BUNDLE_FILE_REASONS, type ProjectDocument } from '#contract/documents/project-document.ts'
import { groupDigits } from '#contract/thai/thai-number.ts'
import { removeDocument } from '#src/documents/api/documents.ts'
import { DocumentLink } from '#src/documents/document-link.tsx'
import { useDocumentDownload } from '#src/documents/use-document-download.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { ConfirmDialog } from '#src/ui/overlay/confirm-dialog.tsx'
import { showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'
import { Spinner } from '#src/ui/spinner.tsx'
import {
  type EgpSubmissionDeadline,
  formatDocumentDeadlineConflict,
  formatDocumentFactValue,
  getDocumentFactLabel,
  getMissingDocumentFactReason,
  selectMainDocumentFacts,
} from './fact-text.ts'
import { DocumentTextRecognitionStatus } from './image-reading-status.tsx'

export const formatFileSize = (bytes: number): string =>
  bytes >= 1_000_000 ? `${groupDigits(bytes / 1_000_000, 1)} MB` : `${groupDigits(Math.max(1, bytes / 1_000), 0)} kB`

const KINDS_WITH_REQUIREMENTS: readonly DocumentKind[] = ['tor', 'bidding-document', 'draft', 'invitation']

export function DocumentRow({ document, row }: { document: ProjectDocument; row: EgpSubmissionDeadline }) {
  const { name, type, kind, page_count, bytes, added_at, added_by, bundle_id, fetched_at } = document
  const { state, reason, member_count, left_out } = document
  const badge = STATE_BADGES[state]
  const leftOutText = left_out.map((file) => `${file.name} (${OMITTED_BUNDLE_FILE_REASONS[file.reason]})`).join(', ')
  const conflict = formatDocumentDeadlineConflict(document, row)
  const isBundle = type === 'zip'
  const target = { projectId: document.project_id, documentId: document.id }
  const Icon = isBundle ? FileArchive : type === 'pdf' ? FileText : Image
  return (
    <div className={classNames('flex items-start gap-3 py-3', bundle_id !== null && 'pl-7')}>
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">
          {isBundle ? (
            name
          ) : (
            <DocumentLink {...target} className="hover:text-accent-ink hover:underline">
              {name}
            </DocumentLink>
          )}{' '}
          {badge && (
            <Badge tone={badge.tone} className="align-[1px]">
              {state === 'waiting' && <Spinner className="size-3" />} {badge.text}
            </Badge>
          )}
        </p>
        <p className="text-xs text-ink-muted tabular-nums">
          {isBundle && 'ชุดเอกสาร ZIP · '}
          {kind !== null && kind !== 'other' && state === 'scan' && `${DOCUMENT_KIND_LABELS[kind]} · `}
          {kind !== null && state === 'read' && !isBundle && `${DOCUMENT_KIND_LABELS[kind]} · `}
          {page_count > 0 && `${page_count} หน้า · `}
          {formatFileSize(bytes)} ·{' '}
          {fetched_at === null ? `เพิ่ม ${formatThaiDateTime(added_at)}` : `ดึงจาก e-GP ${formatThaiDateTime(fetched_at)}`}
          {added_by !== null && ` โดย ${added_by}`}
        </p>
        {state === 'unreadable' ? (
          <p className="mt-1 text-sm text-ink-muted">
            {reason === null ? 'ระบบอ่านไฟล์นี้ไม่ได้' : UNREADABLE_DOCUMENT_REASONS[reason]} ดาวน์โหลดไปเปิดเอง หรือเพิ่มไฟล์ฉบับอื่น
          </p>
        ) : (
          <DocumentTextRecognitionStatus document={document} />
        )}
        {isBundle && state === 'read' && (
          <p className="mt-1 text-sm text-ink-muted [overflow-wrap:anywhere]">
            ได้เอกสาร {member_count} ไฟล์
            {left_out.length > 0 && ` ไม่ได้นำเข้า ${left_out.length} ไฟล์: ${leftOutText}`}
          </p>
        )}
        <DocumentMismatchNotice document={document} className="mt-2" />
        <MainFacts document={document} />
        {kind !== null && state === 'read' && KINDS_WITH_REQUIREMENTS.includes(kind) && (
          <p className="mt-1.5 text-sm">
            <DocumentLink {...target} search={{ side: 'requirements' }} className="text-accent-ink hover:underline">
              ข้อกำหนดของผู้ยื่น: เราทำได้ไหม
            </DocumentLink>
          </p>
        )}
        {conflict && (
          <p className="mt-2 flex items-start gap-2 rounded-control border border-updated-line bg-updated-soft px-3 py-2 text-sm">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-updated" />
            {conflict}
          </p>
        )}
      </div>
      <DocumentActions document={document} />
    </div>
  )
}

const STATE_BADGES: Readonly<Partial<Record<ProjectDocument['state'], { tone: BadgeTone; text: string }>>> = {
  waiting: { tone: 'accent', text: 'กำลังอ่าน' },
  scan: { tone: 'neutral', text: 'ภาพสแกน' },
  unreadable: { tone: 'urgent', text: 'อ่านไม่ได้' },
}

/** Shows facts quoted from the document with their pages. They do not affect sorting or warnings. */
function MainFacts({ document }: { document: ProjectDocument }) {
  const facts = selectMainDocumentFacts(document)
  if (facts.length === 0) return null
  return (
    <dl aria-label="ข้อมูลจากเอกสาร" className="mt-2 grid gap-x-5 gap-y-1.5 text-sm sm:grid-cols-2">
      {facts.map(({ fact, state, value, sentence, page, is_unchecked }) => (
        <div key={fact} className="min-w-0">
          <dt className="text-xs text-ink-muted">
            {getDocumentFactLabel(fact)} ·{' '}
            <DocumentLink
              projectId={document.project_id}
              documentId={document.id}
              search={{ page }}
              className="text-accent-ink hover:underline"
            >
              หน้า {page}
            </DocumentLink>
            {state === 'unsure' && (
              <span className="text-updated"> · {getMissingDocumentFactReason({ is_unchecked })}</span>
            )}
          </dt>
          <dd className={state === 'clear' ? 'font-medium tabular-nums' : 'line-clamp-2 text-ink-muted'}>
            {formatDocumentFactValue(value) ?? `“${sentence}”`}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function DocumentActions({ document }: { document: ProjectDocument }) {
  const [isConfirming, setConfirming] = useState(false)
  const { name } = document
  const download = useDocumentDownload(document)
  const remove = useMutation({
    mutationFn: () => removeDocument(document),
    onSuccess: () => setConfirming(false),
    onError: (error) => showFailureToast('ลบเอกสารไม่สำเร็จ', error),
  })
  return (
    <span className="flex shrink-0">
      <IconButton icon={Download} label={`ดาวน์โหลด ${name}`} onClick={() => download.mutate()} />
      {document.is_removable && <IconButton icon={Trash2} label={`ลบ ${name}`} onClick={() => setConfirming(true)} />}
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title="ลบเอกสารนี้หรือไม่"
        description={name}
        no="ไม่ลบ"
        yes="ลบเอกสาร"
        onYes={() => remove.mutate()}
        pending={remove.isPending}
      >
        {document.type === 'zip' ? 'ชุดนี้ เอกสารที่ได้จากชุด' : 'ไฟล์'} ข้อความ และข้อมูลที่อ่านได้จะหายไปจากทุกคนในองค์กร นำกลับมาไม่ได้
      </ConfirmDialog>
    </span>
  )
}

type MismatchNoticeProps = { document: Pick<ProjectDocument, 'mismatch'>; className?: string }

export function DocumentMismatchNotice({ document: { mismatch }, className }: MismatchNoticeProps) {
  if (!mismatch) return null
  return (
    <div
      role="note"
      className={classNames(
        'flex items-start gap-2 rounded-control border border-updated-line bg-updated-soft px-3 py-2 text-sm',
        className,
      )}
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-updated" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">{DOCUMENT_MISMATCH_TITLE}</p>
        <ul className="list-disc pl-4">
          {mismatch.reasons.map((reason) => (
            <li key={reason.fact}>{formatDocumentMismatchReason(reason)}</li>
          ))}
        </ul>
        <p className="text-ink-muted">ระบบจึงไม่ใช้ตัวเลขและวันที่จากเอกสารนี้ ถ้าเพิ่มผิดโครงการให้ลบแล้วเพิ่มในโครงการที่ถูกต้อง</p>
      </div>
    </div>
  )
}
