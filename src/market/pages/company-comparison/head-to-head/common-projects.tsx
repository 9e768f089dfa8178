import { useState } from 'react'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
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

const HEAD = 'border-b border-line-strong pb-1.5 align-bottom font-medium text-xs text-ink-muted'
const CELL = 'border-b border-line py-2 pl-4 align-top'

export function CommonProjects({ comparison, companies, order, smeBand, change, className }: CommonProjectsProps) {
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE)
  const { common_projects: projects, common_total: total, has_meetings: hasMeetings } = comparison
  const sorted = sortCommonProjects(projects, order)
  const flagged = projects.filter((project) =>
    project.parts.some((part) =>
      hasLostWithinSmePreferenceBand(project, part, companies[part.company]?.is_sme ?? null, smeBand),
    ),
  ).length
  const sort = (by: 'date' | 'gap') => {
    const next = order === `-${by}` ? by : (`-${by}` as const)
    change({ common_order: next === '-date' ? undefined : next })
  }
  const ariaSort = (by: 'date' | 'gap') =>
    order === by ? ('ascending' as const) : order === `-${by}` ? ('descending' as const) : undefined
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
        <section
          aria-label="ตารางโครงการที่พบกัน เลื่อนไปด้านข้างได้"
          tabIndex={0}
          className="relative overflow-x-auto print:overflow-visible"
        >
          <table className="w-full border-separate border-spacing-0 text-table">
            <caption className="sr-only">โครงการที่พบกัน ราคาของแต่ละบริษัท และผู้ชนะ</caption>
            <thead>
              <tr>
                <th scope="col" className={classNames(HEAD, 'sticky left-0 z-10 bg-surface pr-3 text-left')}>
                  โครงการ
                </th>
                <SortHead label="วันที่" by="date" order={order} ariaSort={ariaSort('date')} onSort={sort} />
                <th scope="col" className={classNames(HEAD, 'pl-4 text-left')}>
                  หน่วยงาน
                </th>
                <th scope="col" className={classNames(HEAD, 'pl-4 text-right whitespace-nowrap')}>
                  ราคากลาง
                </th>
                {companies.map(({ id, letter, tone, shortName }) => (
                  <th
                    key={id}
                    scope="col"
                    title={shortName}
                    className={classNames(HEAD, 'max-w-36 min-w-28 pl-4 text-right')}
                  >
                    <span className="line-clamp-1">
                      <ChartColourDot tone={tone} />
                      {letter} {shortName}
                    </span>
                  </th>
                ))}
                <SortHead label="ห่างกัน" by="gap" order={order} ariaSort={ariaSort('gap')} onSort={sort} isRight />
                <th scope="col" className={classNames(HEAD, 'pl-4 text-left')}>
                  ผู้ชนะ
                </th>
              </tr>
            </thead>
            <tbody>
              {sorted.slice(0, visibleCount).map((project) => {
                const spread = computePriceSpread(project)
                return (
                  <tr key={project.project_id} className="break-inside-avoid">
                    <th
                      scope="row"
                      className="sticky left-0 z-10 max-w-40 min-w-40 border-b border-line bg-surface py-2 pr-3 text-left align-top font-normal md:max-w-72 md:min-w-60"
                    >
                      <ComparedProjectName project={project} isShort />
                    </th>
                    <td className={classNames(CELL, 'whitespace-nowrap')}>
                      {formatOrUnknown(project.decided_date, formatThaiDateShortOrOriginal)}
                    </td>
                    <td className={classNames(CELL, 'min-w-36')}>{project.dept_sub_name || project.dept_name}</td>
                    <td className={classNames(CELL, 'text-right tabular-nums')}>
                      {formatOrUnknown(project.estimate_budget, formatBaht)}
                    </td>
                    {companies.map((company) => (
                      <td key={company.id} className={classNames(CELL, 'text-right')}>
                        <CompanyPriceCell project={project} company={company} smeBand={smeBand} />
                      </td>
                    ))}
                    <td className={classNames(CELL, 'text-right whitespace-nowrap tabular-nums')}>
                      {formatOrUnknown(spread, formatPercent)}
                    </td>
                    <td className={classNames(CELL, 'min-w-36')}>{project.winner_name ?? <UnknownValue />}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </section>
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

type SortHeadProps = {
  label: string
  by: 'date' | 'gap'
  order: CommonProjectOrder
  ariaSort: 'ascending' | 'descending' | undefined
  onSort: (by: 'date' | 'gap') => void
  isRight?: boolean
}

function SortHead({ label, by, ariaSort, onSort, isRight = false }: SortHeadProps) {
  const arrow = ariaSort === undefined ? '↕' : ariaSort === 'ascending' ? '↑' : '↓'
  return (
    <th
      scope="col"
      aria-sort={ariaSort}
      className={classNames(HEAD, 'pl-4 whitespace-nowrap', isRight ? 'text-right' : 'text-left')}
    >
      <button type="button" onClick={() => onSort(by)} className="rounded-control hover:text-ink touch:min-h-11">
        {label} <span aria-hidden>{arrow}</span>
      </button>
    </th>
  )
}
