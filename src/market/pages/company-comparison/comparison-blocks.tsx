import { type ReactNode, useState } from 'react'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { COMPANY_COMPARISON_TABS, type CompanyComparisonTab } from '#contract/market/company-params.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { getColumnSorting } from '#src/market/column-sorting.ts'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { Button } from '#src/ui/button.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import {
  type CommonProjectOrder,
  computePriceSpread,
  hasLostWithinSmePreferenceBand,
  sortCommonProjects,
} from './block/common-facts.ts'
import { CompanyPriceCell, ComparedProjectName } from './block/common-project-cells.tsx'
import { getCompanyColumns } from './block/compared-company-name.tsx'
import { ComparisonDepartmentTable } from './block/comparison-department-table.tsx'
import { ComparisonMixPanel } from './block/comparison-mix-panel.tsx'
import { ComparisonPricePlot, ComparisonTimeline } from './block/comparison-price-plot.tsx'
import { ComparisonSummaryTable } from './block/comparison-summary-table.tsx'
import { CompanyHeadToHeadMatrix } from './head-to-head/company-head-to-head-matrix.tsx'
import { CompanyHeadToHeadPanel } from './head-to-head/company-head-to-head-panel.tsx'
import type { ComparisonBlockProps } from './scope/comparison-company.ts'
import { useComparisonUrlState } from './scope/use-comparison-url-state.ts'

const PANEL_ID = 'comparison-panel'
const TAB_NAMES: Readonly<Record<CompanyComparisonTab, string>> = {
  summary: 'สรุป',
  common: 'โครงการที่พบกัน',
  prices: 'ราคา',
  departments: 'หน่วยงาน',
  mix: 'ลักษณะงาน',
  timeline: 'เส้นเวลา',
}
const WIDE_MEDIA_QUERY = '(width >= 64rem)'
/** Above this number of companies, summary and matrix do not fit next to each other in 1,272 px. */
const MAX_SIDE_BY_SIDE = 4
const scrollToStart = (block: Element | null) => block?.scrollIntoView?.({ block: 'start' })

export function ComparisonBlocks(props: ComparisonBlockProps) {
  const { search, change } = useComparisonUrlState()
  const isWide = useMediaQuery(WIDE_MEDIA_QUERY)
  const tab = search.tab ?? 'summary'
  const resetKey = JSON.stringify(search)
  const section = (name: CompanyComparisonTab, content: ReactNode) => (
    <div
      ref={isWide && name === search.tab ? scrollToStart : undefined}
      className={classNames('min-w-0 print:block', name !== tab && 'max-lg:hidden')}
    >
      <BlockErrorBoundary name={TAB_NAMES[name]} resetKey={resetKey}>
        {content}
      </BlockErrorBoundary>
    </div>
  )
  return (
    <>
      {!isWide && (
        <Tabs<CompanyComparisonTab>
          label="ส่วนของการเปรียบเทียบ"
          items={COMPANY_COMPARISON_TABS.map((value) => ({ value, label: TAB_NAMES[value] }))}
          value={tab}
          onChange={(next) => change({ tab: next === 'summary' ? undefined : next })}
          panelId={PANEL_ID}
          className="-mx-4 border-b border-line px-4 print:hidden"
        />
      )}
      <div
        id={PANEL_ID}
        {...(isWide ? {} : { role: 'tabpanel', 'aria-label': TAB_NAMES[tab] })}
        className="flex flex-col gap-4"
      >
        {section(
          'summary',
          <div
            className={classNames('grid gap-4', props.companies.length <= MAX_SIDE_BY_SIDE && 'xl:grid-cols-[7fr_5fr]')}
          >
            <ComparisonSummaryTable {...props} />
            <CompanyHeadToHeadMatrix {...props} />
          </div>,
        )}
        {section('prices', <ComparisonPricePlot {...props} />)}
        {section('common', <CommonProjects {...props} />)}
        {section('departments', <ComparisonDepartmentTable {...props} />)}
        {section('mix', <ComparisonMixPanel {...props} />)}
        {section('timeline', <ComparisonTimeline {...props} />)}
      </div>
      <BlockErrorBoundary name="โครงการที่พบกัน" resetKey={resetKey}>
        <CompanyHeadToHeadPanel {...props} />
      </BlockErrorBoundary>
    </>
  )
}

/** Rows per step, because rendering five hundred rows with five prices each is slow. */
const PAGE_SIZE = 20

type CommonProject = CompanyComparison['common_projects'][number]

function CommonProjects({ comparison, companies }: ComparisonBlockProps) {
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
