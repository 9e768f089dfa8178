import { Tag } from 'lucide-react'
import { useUser } from '#src/api/users.ts'
import { countText } from '#src/lib/money-text.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { LabelRow } from './label-row.tsx'

/** The list of the user's labels, to rename, recolour and delete them. */
export function LabelManager({ onClose }: { onClose: () => void }) {
  const { project_labels: labels, project_label_assignments: assignments, label_metadata: metadata } = useUser()
  const counts = new Map<string, number>()
  for (const id of Object.values(assignments).flat()) counts.set(id, (counts.get(id) ?? 0) + 1)
  return (
    <Modal
      open
      onClose={onClose}
      title="จัดการป้ายกำกับ"
      description={`ใช้ ${countText(metadata.currentCount)} จาก ${countText(metadata.maxLabels)} ป้าย`}
    >
      {labels.length === 0 ? (
        <EmptyState icon={Tag} title="ยังไม่มีป้ายกำกับ">
          สร้างป้ายแรกจากปุ่ม “ป้าย” ใต้ชื่อโครงการ
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {labels.map((label) => (
            <LabelRow
              key={label.id}
              label={label}
              others={labels.filter(({ id }) => id !== label.id)}
              projects={counts.get(label.id) ?? 0}
            />
          ))}
        </ul>
      )}
    </Modal>
  )
}
