import type { CommonProject } from '#contract/market/company-comparison.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { Badge } from '#src/ui/badge.tsx'
import { ProjectIdText } from '#src/ui/project/project-id.tsx'
import { ProjectLink } from '#src/ui/project/project-link.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import type { ComparisonCompany } from '../scope/comparison-company.ts'
import { useComparisonUrlState } from '../scope/use-comparison-url-state.ts'
import { computePriceRatio, hasLostWithinSmePreferenceBand } from './common-facts.ts'

export function CompanyPriceCell({ project, company }: { project: CommonProject; company: ComparisonCompany }) {
  const { smeBand } = useComparisonUrlState()
  const part = project.parts.find(({ company: index }) => index === company.index)
  if (!part) return <UnknownValue />
  const share = computePriceRatio(project, part.price)
  return (
    <span className="block tabular-nums">
      <span className={part.is_winner ? 'font-bold' : 'text-ink-muted'}>{formatOrUnknown(part.price, formatBaht)}</span>
      <span className="block text-xs text-ink-muted">
        {share !== undefined && formatPercent(share)}
        {share !== undefined && part.is_winner && ' · '}
        {part.is_winner && <span className="font-medium text-new">ชนะ</span>}
      </span>
      {hasLostWithinSmePreferenceBand(project, part, company.is_sme, smeBand) && (
        <Badge tone="updated" className="mt-0.5">
          SME แพ้ในแถบ {smeBand}%
        </Badge>
      )}
    </span>
  )
}

type ProjectNameProps = { project: Pick<CommonProject, 'project_id' | 'name' | 'in_report'>; isShort?: boolean }

export function ComparedProjectName({ project, isShort = false }: ProjectNameProps) {
  const { project_id: id, name, in_report: inReport } = project
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
