import { useState } from 'react'
import type { CommonProject } from '#contract/market/company-comparison.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { getColumnSorting } from '#src/market/column-sorting.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { ProjectIdText } from '#src/ui/project/project-id.tsx'
import { ProjectLink } from '#src/ui/project/project-link.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import type { ComparisonBlockProps, ComparisonCompany } from '../scope/comparison-company.ts'
import { useComparisonUrlState } from '../scope/use-comparison-url-state.ts'
import { getCompanyColumns } from './compared-company-name.tsx'

/** Rows per step, because rendering five hundred rows with five prices each is slow. */
const PAGE_SIZE = 20

export function CommonProjects({ comparison, companies }: ComparisonBlockProps) {
  const { search, smeBand, change } = useComparisonUrlState()
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE)
  const { common_projects: projects, common_total: total, has_meetings: hasMeetings } = comparison
  const order = (search.common_order ?? '-date') as CommonProjectOrder
  const sorted = sortCommonProjects(projects, order)
  const flagged = projects.filter((project) =>
    project.parts.some((part) =>
      hasLostWithinSmePreferenceBand(project, part, companies[part.company]?.is_sme ?? null, smeBand),
    ),
  ).length
  const sorting = (by: 'date' | 'gap') =>
    getColumnSorting(order, by, (next) =>
      change({ common_order: next === '-date' ? undefined : (next as CommonProjectOrder) }),
    )
  return (
    <SectionCard
      title="โครงการที่พบกัน"
      scope={
        <>
          <span className="tabular-nums">{formatCount(total)} โครงการ</span>
          {projects.length < total && ` แสดง ${formatCount(projects.length)} โครงการล่าสุด`}
          {flagged > 0 && ` · SME แพ้ในแถบ ${smeBand}% ${formatCount(flagged)} โครงการ`}
        </>
      }
    >
      {projects.length === 0 ? (
        <p className="py-6 text-center text-ink-muted">
          {hasMeetings ? 'ไม่มีโครงการที่บริษัทเหล่านี้ยื่นด้วยกันในขอบเขตนี้' : 'ไม่มีโครงการที่บริษัทเหล่านี้ชนะร่วมกัน และไม่รู้ว่าใครยื่นแข่งกับใคร'}
        </p>
      ) : (
        <DataTable
          caption="โครงการที่พบกัน ราคาของแต่ละบริษัท และผู้ชนะ"
          frame="relative overflow-x-auto print:overflow-visible"
          rows={sorted.slice(0, visibleCount)}
          getKey={({ project_id }) => project_id}
          columns={[
            {
              head: 'โครงการ',
              className: 'sticky left-0 z-10 bg-surface max-w-40 min-w-40 md:max-w-72 md:min-w-60',
              cell: (project) => <ComparedProjectName project={project} isShort />,
            },
            {
              head: 'วันที่',
              sorting: sorting('date'),
              className: 'whitespace-nowrap',
              cell: ({ decided_date }) => formatOrUnknown(decided_date, formatThaiDateShortOrOriginal),
            },
            {
              head: 'หน่วยงาน',
              className: 'min-w-36',
              cell: ({ dept_sub_name, dept_name }) => dept_sub_name || dept_name,
            },
            {
              head: 'ราคากลาง',
              isNumeric: true,
              cell: ({ estimate_budget }) => formatOrUnknown(estimate_budget, formatBaht),
            },
            ...getCompanyColumns(companies, 'max-w-36 min-w-28', (project: CommonProject, company) => (
              <CompanyPriceCell project={project} company={company} />
            )),
            {
              head: 'ห่างกัน',
              isNumeric: true,
              sorting: sorting('gap'),
              cell: (project) => formatOrUnknown(computePriceSpread(project), formatPercent),
            },
            { head: 'ผู้ชนะ', className: 'min-w-36', cell: ({ winner_name }) => winner_name ?? <UnknownValue /> },
          ]}
        />
      )}
      {sorted.length > visibleCount && (
        <p className="mt-3 text-center print:hidden">
          <Button size="sm" onClick={() => setVisibleCount(visibleCount + PAGE_SIZE * 5)}>
            แสดงเพิ่ม (อีก {formatCount(sorted.length - visibleCount)} โครงการ)
          </Button>
        </p>
      )}
      {projects.length > 0 && (
        <p className="mt-2 text-xs text-ink-faint">
          % = ราคาเทียบราคากลาง · ห่างกัน = ราคาสูงสุดลบต่ำสุดของบริษัทที่เทียบ ÷ ราคากลาง · SME แพ้ในแถบ = เป็น SME
          และเสนอไม่เกินราคาต่ำสุด +{smeBand}% แต่ไม่ชนะ
        </p>
      )}
    </SectionCard>
  )
}

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

function computePriceRatio(project: Pick<CommonProject, 'estimate_budget'>, price: number | null): number | undefined {
  const reference = project.estimate_budget
  return price === null || reference === null || reference <= 0 ? undefined : price / reference
}

/** Returns the spread of the known prices as a share of the reference price; undefined for fewer than two prices. */
export function computePriceSpread(project: CommonProject): number | undefined {
  const shares = project.parts.flatMap(({ price }) => computePriceRatio(project, price) ?? [])
  return shares.length < 2 ? undefined : Math.max(...shares) - Math.min(...shares)
}

/**
 * True for an SME that lost although its price was within the band above the lowest bid, where the law prefers SMEs
 * (N5). `band` in percent.
 */
export function hasLostWithinSmePreferenceBand(
  project: Pick<CommonProject, 'lowest_price' | 'winner_name'>,
  part: Pick<CommonProject['parts'][number], 'price' | 'is_winner'>,
  isSme: ComparisonCompany['is_sme'],
  band: number,
): boolean {
  const { lowest_price: lowest, winner_name: winner } = project
  if (isSme !== true || part.is_winner || winner === null || part.price === null || lowest === null) return false
  // Compare in satang, because 110 % of a price is not exact in floating point.
  return Math.round(part.price * 100) <= Math.round(lowest * (100 + band))
}

type CommonProjectOrder = '-date' | 'date' | 'gap' | '-gap'

/** Sorts the projects; those without a date or gap come last. */
export function sortCommonProjects(projects: readonly CommonProject[], order: CommonProjectOrder): CommonProject[] {
  const sign = order.startsWith('-') ? -1 : 1
  const sortedBy = (project: CommonProject) =>
    order.endsWith('date') ? project.decided_date : computePriceSpread(project)
  return projects.toSorted((a, b) => {
    const [firstValue, second] = [sortedBy(a), sortedBy(b)]
    if (firstValue === second) return a.project_id < b.project_id ? 1 : -1
    if (firstValue === undefined || firstValue === null) return 1
    if (second === undefined || second === null) return -1
    return (firstValue < second ? -1 : 1) * sign
  })
}
