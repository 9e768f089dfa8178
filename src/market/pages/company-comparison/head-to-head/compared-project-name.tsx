import type { CommonProject } from '#contract/market/company-comparison.ts'
import { ProjectIdText } from '#src/ui/project/project-id.tsx'
import { ProjectLink } from '#src/ui/project/project-link.tsx'

type ProjectNameProps = {
  project: Pick<CommonProject, 'project_id' | 'name' | 'in_report'>
  isShort?: boolean
}

export function ComparedProjectName({
  project: { project_id: id, name, in_report: inReport },
  isShort = false,
}: ProjectNameProps) {
  return (
    <>
      <span className={isShort ? 'line-clamp-3 md:line-clamp-2' : 'block'} title={isShort ? name : undefined}>
        {inReport ? <ProjectLink id={id}>{name}</ProjectLink> : name}
      </span>
      <span className="text-xs text-ink-faint">
        <ProjectIdText id={id} />
        {!inReport && ' · ไม่อยู่ในรายงานขององค์กร'}
      </span>
    </>
  )
}
