import { ScanText } from 'lucide-react'
import { OCR_FAILURE_REASONS, type ProjectDocument } from '#contract/documents/project-document.ts'
import { ActionButton } from '#src/account/form-refusal/action-button.tsx'
import { requestTextRecognition } from '#src/documents/api/documents.ts'
import { ProgressBar } from '#src/ui/progress-bar.tsx'

export const DOCUMENT_READ_FROM_IMAGE_TEXT = 'อ่านจากภาพ'

function getTextRecognitionStatusText({ state, pictures }: ProjectDocument): string | undefined {
  const { total, done, failed, reason } = pictures
  const pages = state === 'scan' ? 'เอกสารเป็นภาพ หรือข้อความในไฟล์เสีย' : `มี ${total} หน้าที่เป็นภาพหรือข้อความเสีย`
  switch (pictures.state) {
    case 'none':
      return undefined
    case 'off':
      return `${pages} ${OCR_FAILURE_REASONS['not-set-up']} เปิดอ่านเอง หรือขอไฟล์ PDF ที่มีข้อความ`
    case 'askable':
      return `${pages} ยังค้นข้อความไม่ได้`
    case 'waiting':
      return reason === 'day-limit'
        ? `อ่านจากภาพแล้ว ${done}/${total} หน้า ${OCR_FAILURE_REASONS['day-limit']}`
        : `กำลังอ่านจากภาพ ${done}/${total} หน้า`
    case 'done': {
      const missed = failed > 0 ? ` อ่านไม่ได้ ${failed} หน้า` : ''
      return `อ่านจากภาพแล้ว ${done - failed} หน้า${missed} ค้นหาได้ ตัวเลขและวันที่ให้ดูจากภาพเท่านั้น`
    }
    case 'failed':
      return `อ่านจากภาพไม่สำเร็จ: ${OCR_FAILURE_REASONS[reason ?? 'crashed']}`
  }
}

export function DocumentTextRecognitionStatus({ document }: { document: ProjectDocument }) {
  const text = getTextRecognitionStatusText(document)
  if (text === undefined) return null
  const { state, done, total } = document.pictures
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-muted">
      <p className="min-w-0" role={state === 'waiting' ? 'status' : undefined}>
        {text}
      </p>
      {state === 'waiting' && <ProgressBar label="อ่านจากภาพ" value={done} max={total} className="w-28" />}
      {(state === 'askable' || state === 'failed') && (
        <ActionButton
          size="sm"
          icon={ScanText}
          run={() => requestTextRecognition(document)}
          failed="สั่งอ่านจากภาพไม่สำเร็จ"
        >
          {state === 'askable' ? DOCUMENT_READ_FROM_IMAGE_TEXT : 'ลองอ่านจากภาพอีกครั้ง'}
        </ActionButton>
      )}
    </div>
  )
}
