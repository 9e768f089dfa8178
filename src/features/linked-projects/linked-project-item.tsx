import { Link } from '@tanstack/react-router'
import { labelOf, PROJECT_MOVEMENTS } from '#contract/project.ts'
import type { LinkedProject } from '#contract/project-detail.ts'
import { thaiDay } from '#contract/thai-date.ts'
import { formatBahtCompact } from '#contract/thai-number.ts'
import { Badge } from '#src/ui/badge.tsx'
import { KIND_NOTES } from './link-words.ts'

/** One linked project; its name opens its page where the report holds it. */
export function LinkedProjectItem({ project }: { project: LinkedProject }) {
  const note = KIND_NOTES[project.kind]
  const { budget, winner_name: winner, winner_budget: price } = project
  return (
    <li className="py-2.5">
      {note && (
        <p className="mb-0.5">
          <Badge tone={project.kind === 'retendered_as' ? 'updated' : 'neutral'}>{note}</Badge>
        </p>
      )}
      {project.in_report ? (
        <Link
          to="/report/$id"
          params={{ id: project.project_id }}
          className="rounded-control font-medium text-accent-ink hover:underline"
        >
          {project.name}
        </Link>
      ) : (
        <p className="font-medium">{project.name}</p>
      )}
      <p className="text-sm text-ink-muted">
        {[project.dept_sub_name || project.dept_name, project.fiscal_year && `ปีงบประมาณ ${project.fiscal_year}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-ink-muted tabular-nums">
        <span>งบ {budget === null ? 'ไม่มีข้อมูล' : formatBahtCompact(budget)}</span>
        {winner !== null && (
          <span>
            ผู้ชนะ <span className="text-ink">{winner}</span>
            {price !== null && ` ${formatBahtCompact(price)}`}
          </span>
        )}
      </p>
      <p className="text-xs text-ink-faint">
        {labelOf(PROJECT_MOVEMENTS, project.movement)}
        {project.movement_date && ` ${thaiDay(project.movement_date)}`}
        {!project.in_report && ' · อยู่นอกรายงานขององค์กร จึงเปิดดูรายละเอียดไม่ได้'}
      </p>
    </li>
  )
}
