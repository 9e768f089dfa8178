import { Lock } from 'lucide-react'
import { isDemo } from '#src/api/demo.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { ExportForm } from './export-form.tsx'
import type { ExportSource } from './export-host.tsx'
import { ExportList } from './export-list.tsx'
import { closeExport, type ExportPanel } from './export-panel.ts'

/** Asks for a file of the report, and lists those of the last day. What is being made goes on when the dialog is closed. */
export function ExportDialog({ panel, ...source }: ExportSource & { panel: ExportPanel }) {
  return (
    <Modal open={panel.isOpen} onClose={closeExport} title="ส่งออกรายงาน" className="sm:max-w-[560px]!">
      {isDemo() ? (
        <EmptyState icon={Lock} title="โหมดทดลองใช้งานส่งออกไฟล์ไม่ได้" actions={<Button onClick={closeExport}>ปิด</Button>}>
          ข้อมูลตัวอย่างใช้ร่วมกันหลายคน บัญชีขององค์กรคุณส่งออกเป็น Excel และ CSV ได้
        </EmptyState>
      ) : (
        <>
          <ExportForm source={source} selected={panel.selected} />
          <ExportList isOpen={panel.isOpen} />
        </>
      )}
    </Modal>
  )
}
