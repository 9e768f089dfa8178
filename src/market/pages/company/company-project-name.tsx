import { Link } from '@tanstack/react-router'
import type { CompanyProject } from '#contract/market/company.ts'

export function CompanyProjectName({
  project,
}: {
  project: Pick<CompanyProject, 'project_id' | 'name' | 'in_report'>
}) {
  const { project_id: id, name, in_report } = project
  if (!in_report)
    return (
      <span className="[overflow-wrap:anywhere]" title="ไม่อยู่ในรายงานขององค์กร จึงเปิดไม่ได้">
        {name}
      </span>
    )
  return (
    <Link
      to="/report/$id"
      params={{ id }}
      className="rounded-control decoration-line-strong underline-offset-4 [overflow-wrap:anywhere] hover:underline"
    >
      {name}
    </Link>
  )
}
