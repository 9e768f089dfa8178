import { useUser } from '#src/api/users.ts'
import { countText } from '#src/lib/money-text.ts'
import { Modal } from '#src/ui/modal.tsx'
import { LabelList } from './label-list.tsx'

/** The list of the user's labels, to rename, recolour and delete them. */
export function LabelManager({ onClose }: { onClose: () => void }) {
  const { label_metadata: metadata } = useUser()
  return (
    <Modal
      open
      onClose={onClose}
      title="จัดการป้ายกำกับ"
      description={`ใช้ ${countText(metadata.currentCount)} จาก ${countText(metadata.maxLabels)} ป้าย`}
    >
      <LabelList>สร้างป้ายแรกจากปุ่ม “ป้าย” ใต้ชื่อโครงการ</LabelList>
    </Modal>
  )
}
