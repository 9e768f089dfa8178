import { TriangleAlert } from 'lucide-react'
import { DOCUMENT_MISMATCH_TITLE, formatDocumentMismatchReason } from '#contract/documents/document-mismatch.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { classNames } from '#src/lib/class-names.ts'

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
