import { Tag } from 'lucide-react'
import type { ReactNode } from 'react'
import { useUser } from '#src/api/user/users.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { LabelRow } from './label-row.tsx'

/** The user's labels with how many projects carry each; `children` says how to make the first. */
export function LabelList({ children }: { children: ReactNode }) {
  const { project_labels: labels, project_label_assignments: assignments } = useUser()
  const counts = new Map<string, number>()
  for (const id of Object.values(assignments).flat()) counts.set(id, (counts.get(id) ?? 0) + 1)
  if (labels.length === 0) {
    return (
      <EmptyState icon={Tag} title="ยังไม่มีป้ายกำกับ">
        ป้ายช่วยแยกงาน เช่น ยื่นแน่ รอราคา และกรองรายงานตามป้ายได้ {children}
      </EmptyState>
    )
  }
  return (
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
  )
}
