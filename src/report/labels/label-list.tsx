import { Tag, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LabelAssignments } from '#contract/account/label.ts'
import { canEditTeamLabel } from '#contract/report/apply-team-label-action.ts'
import type { TeamLabel } from '#contract/report/team-label.ts'
import { usePursuitSettings } from '#src/account/api/pursuit-settings.ts'
import { useUser } from '#src/account/api/users.ts'
import { useTeamLabelsAndViews } from '#src/report/api/team-labels-and-views.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { LabelRow } from './label-row.tsx'

function countProjectsByLabel(assignments: LabelAssignments): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const id of Object.values(assignments).flat()) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

export function LabelList({ children }: { children: ReactNode }) {
  const { project_labels: labels, project_label_assignments: assignments } = useUser()
  const counts = countProjectsByLabel(assignments)
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
          otherLabels={labels.filter(({ id }) => id !== label.id)}
          projects={counts.get(label.id) ?? 0}
        />
      ))}
    </ul>
  )
}

export function TeamLabelList() {
  const team = useTeamLabelsAndViews()
  const { data: settings } = usePursuitSettings(true)
  const { id, role } = useUser()
  if (!team) return null
  const { labels, assignments } = team
  const counts = countProjectsByLabel(assignments)
  const makerOf = ({ created_by: maker }: TeamLabel) =>
    settings?.members.find((member) => member.id === maker)?.name ?? 'อดีตเพื่อนร่วมงาน'
  if (labels.length === 0)
    return (
      <EmptyState icon={Users} title="ยังไม่มีป้ายทีม">
        ป้ายทีมเห็นทุกคนในองค์กร ติดและเอาออกได้ทุกคน สร้างป้ายแรกจากปุ่ม “ป้าย” ใต้ชื่อโครงการ
      </EmptyState>
    )
  return (
    <ul className="divide-y divide-line">
      {labels.map((label) => (
        <LabelRow
          key={label.id}
          label={label}
          otherLabels={labels.filter((candidate) => candidate.id !== label.id)}
          projects={counts.get(label.id) ?? 0}
          scope="team"
          creator={canEditTeamLabel(label, { id: Number(id), role }) ? undefined : makerOf(label)}
        />
      ))}
    </ul>
  )
}
