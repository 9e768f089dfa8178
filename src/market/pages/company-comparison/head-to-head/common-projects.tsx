import { useState } from 'react'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { formatCountWithSeparators, formatPercent } from '#src/lib/figure-text.ts'
import {
  type CommonProjectOrder,
  computePriceSpread,
  hasLostWithinSmePreferenceBand,
  sortCommonProjects,
} from '#src/market/pages/company-comparison/block/common-facts.ts'
import { CompanyPriceCell } from '#src/market/pages/company-comparison/block/company-price-cell.tsx'
import { ComparisonBlock } from '#src/market/pages/company-comparison/block/comparison-block.tsx'
import { ChartColourDot } from '#src/market/pages/company-comparison/block/comparison-series-legend.tsx'
import type { ComparisonCompany } from '#src/market/pages/company-comparison/scope/comparison-company.ts'
import type { ChangeComparisonSearchFn } from '#src/market/pages/company-comparison/scope/use-comparison-url-state.ts'
import { Button } from '#src/ui/button.tsx'
import { DataTable, getColumnOrder } from '#src/ui/data-table.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { ComparedProjectName } from './compared-project-name.tsx'

/** Rows per step, because rendering five hundred rows with five prices each is slow. */
const PAGE_SIZE = 20

type CommonProjectsProps = {
  comparison: CompanyComparison
  companies: readonly ComparisonCompany[]
  order: CommonProjectOrder
  smeBand: number
  change: ChangeComparisonSearchFn
  className?: string
}

type CommonProject = CompanyComparison['common_projects'][number]

export function CommonProjects({ comparison, companies, order, smeBand, change, className }: CommonProjectsProps) {
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE)
  const { common_projects: projects, common_total: total, has_meetings: hasMeetings } = comparison
  const sorted = sortCommonProjects(projects, order)
  const flagged = projects.filter((project) =>
    project.parts.some((part) =>
      hasLostWithinSmePreferenceBand(project, part, companies[part.company]?.is_sme ?? null, smeBand),
    ),
  ).length
  const sorting = (by: 'date' | 'gap') => ({
    order: getColumnOrder(order, by),
    onSort: () => {
      const next = order === `-${by}` ? by : (`-${by}` as const)
      change({ common_order: next === '-date' ? undefined : next })
    },
  })
  return (
    <ComparisonBlock
      title="โครงการที่พบกัน"
      className={className}
      scope={
        <>
          <span className="tabular-nums">{formatCountWithSeparators(total)} โครงการ</span>
          {projects.length < total && ` แสดง ${formatCountWithSeparators(projects.length)} โครงการล่าสุด`}
          {flagged > 0 && ` · SME แพ้ในแถบ ${smeBand}% ${formatCountWithSeparators(flagged)} โครงการ`}
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
            ...companies.map((company) => ({
              head: `${company.letter} ${company.shortName}`,
              headContent: (
                <span title={company.shortName} className="line-clamp-1 whitespace-normal">
                  <ChartColourDot tone={company.tone} />
                  {company.letter} {company.shortName}
                </span>
              ),
              isNumeric: true,
              className: 'max-w-36 min-w-28',
              cell: (project: CommonProject) => (
                <CompanyPriceCell project={project} company={company} smeBand={smeBand} />
              ),
            })),
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
            แสดงเพิ่ม (อีก {formatCountWithSeparators(sorted.length - visibleCount)} โครงการ)
          </Button>
        </p>
      )}
      {projects.length > 0 && (
        <p className="mt-2 text-xs text-ink-faint">
          % = ราคาเทียบราคากลาง · ห่างกัน = ราคาสูงสุดลบต่ำสุดของบริษัทที่เทียบ ÷ ราคากลาง · SME แพ้ในแถบ = เป็น SME
          และเสนอไม่เกินราคาต่ำสุด +{smeBand}% แต่ไม่ชนะ
        </p>
      )}
    </ComparisonBlock>
  )
}
