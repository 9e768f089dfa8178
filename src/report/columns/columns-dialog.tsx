import { useState } from 'react'
import type { ColumnLayout } from '#contract/catalogue/column.ts'
import { DEFAULT_REPORT_COLUMN_ORDER } from '#contract/catalogue/report-columns.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { isSameReportColumnLayout } from './column-layout-edits.ts'
import { ReportColumnsEditor, ReportColumnsEditorActions } from './columns-editor.tsx'
import { saveReportColumns } from './save-columns.ts'

type ColumnsDialogProps = { open: boolean; layout: ColumnLayout; onClose: () => void }

export function ReportColumnsDialog({ open, layout, onClose }: ColumnsDialogProps) {
  const [draft, setDraft] = useState(layout)
  // Another tab may store columns meanwhile, so compare the draft with the layout from when the dialog opened.
  const [stored] = useState(layout)
  const [announcement, setAnnouncement] = useState('')
  const [isAsking, setAsking] = useState(false)

  const isChanged = !isSameReportColumnLayout(draft, stored)
  const close = () => (isChanged ? setAsking(true) : onClose())
  const save = () => {
    if (isChanged) void saveReportColumns(draft)
    onClose()
  }
  const { size: hidden } = draft.hidden

  return (
    <Modal
      open={open}
      onClose={close}
      title="คอลัมน์ในตาราง"
      className="sm:h-[min(760px,calc(100dvh-32px))]"
      footer={
        isAsking ? (
          <>
            <p role="alert" className="mr-auto self-center font-medium">
              ยังไม่ได้บันทึกที่แก้ไว้
            </p>
            <Button variant="quiet" className="text-urgent" onClick={onClose}>
              ทิ้งที่แก้
            </Button>
            <Button autoFocus onClick={() => setAsking(false)}>
              แก้ต่อ
            </Button>
          </>
        ) : (
          <ReportColumnsEditorActions
            draft={draft}
            onDraft={setDraft}
            onAnnounce={setAnnouncement}
            onCancel={close}
            onSave={save}
          />
        )
      }
    >
      <ReportColumnsEditor
        draft={draft}
        onDraft={setDraft}
        onAnnounce={setAnnouncement}
        trailing={hidden === 0 ? `แสดงทั้ง ${DEFAULT_REPORT_COLUMN_ORDER.length}` : `ซ่อนอยู่ ${hidden}`}
      />
      <p className="px-4 pt-1 pb-3 text-xs text-ink-faint">คอลัมน์ที่ปักหมุดอยู่ซ้ายสุดและไม่เลื่อนตาม</p>
      <VisuallyHidden live>{announcement}</VisuallyHidden>
    </Modal>
  )
}
