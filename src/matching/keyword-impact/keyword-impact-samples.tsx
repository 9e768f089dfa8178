import { TextButton } from '#src/ui/text-button.tsx'
import { type ReactNode, useState } from 'react'
import type { KeywordImpactProject } from '#contract/matching/keyword-impact.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { ProjectLink } from '#src/ui/project/project-link.tsx'

type ImpactSamplesProps = {
  title: ReactNode
  projects: readonly KeywordImpactProject[]
  first?: number
  against?: readonly string[] | undefined
  areInReport?: boolean
}

export function KeywordImpactSamples({ title, projects, first = 5, against, areInReport = false }: ImpactSamplesProps) {
  const [showsAll, setShowsAll] = useState(false)
  if (projects.length === 0) return null
  const nameOf = ({ name, words }: KeywordImpactProject) => (
    <HighlightedText text={name} words={words} against={against} />
  )
  const visibleProjects = showsAll ? projects : projects.slice(0, first)
  return (
    <div>
      <p className="text-xs text-ink-muted">{title}</p>
      <ul className="divide-y divide-line">
        {visibleProjects.map((project) => (
          <li key={project.project_id} className="py-1.5">
            <p className="line-clamp-2" title={project.name}>
              {areInReport ? <ProjectLink id={project.project_id}>{nameOf(project)}</ProjectLink> : nameOf(project)}
            </p>
            <p className="truncate text-xs text-ink-faint">
              {project.dept_sub_name || project.dept_name}
              {project.budget !== null && ` · ${formatBahtCompact(project.budget)}`}
              {project.movement_date !== null && ` · ${formatThaiDateShortOrOriginal(project.movement_date)}`}
              {project.page !== undefined && ` · พบในเอกสาร หน้า ${project.page}`}
            </p>
          </li>
        ))}
      </ul>
      {visibleProjects.length < projects.length && (
        <TextButton onClick={() => setShowsAll(true)} className="text-sm font-medium">
          ดูตัวอย่างอีก {projects.length - visibleProjects.length} โครงการ
        </TextButton>
      )}
    </div>
  )
}
