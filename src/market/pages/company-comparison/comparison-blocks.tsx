import { type ReactNode, useState } from 'react'
import { AWARD_CRITERIA, getChoiceLabel } from '#contract/catalogue/project.ts'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { COMPANY_COMPARISON_TABS, type CompanyComparisonTab } from '#contract/market/company-params.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { CompanyPriceCell } from '#src/market/pages/company-comparison/block/company-price-cell.tsx'
import { ComparisonBlock } from '#src/market/pages/company-comparison/block/comparison-block.tsx'
import { ComparedProjectName } from '#src/market/pages/company-comparison/head-to-head/compared-project-name.tsx'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { Button } from '#src/ui/button.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { SwimLaneChart } from '#src/ui/chart/swim-lane-chart.tsx'
import { DataTable, getColumnOrder } from '#src/ui/data-table.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import {
  type CommonProjectOrder,
  computePriceSpread,
  hasLostWithinSmePreferenceBand,
  sortCommonProjects,
} from './block/common-facts.ts'
import { ComparisonDepartmentTable } from './block/comparison-department-table.tsx'
import { ComparisonMixPanel } from './block/comparison-mix-panel.tsx'
import { ComparisonPricePlot } from './block/comparison-price-plot.tsx'
import { ChartColourDot, ComparisonSeriesLegend } from './block/comparison-series-legend.tsx'
import { ComparisonSummaryTable } from './block/comparison-summary-table.tsx'
import { openProjectInNewTab } from './block/open-project.ts'
import { CompanyHeadToHeadMatrix } from './head-to-head/company-head-to-head-matrix.tsx'
import { CompanyHeadToHeadPanel } from './head-to-head/company-head-to-head-panel.tsx'
import { formatHeadToHeadCell, parseHeadToHeadCell } from './head-to-head/company-head-to-head-side.ts'
import { type ComparisonCompany, toComparisonCompanies } from './scope/comparison-company.ts'
import type { ChangeComparisonSearchFn, ComparisonUrlState } from './scope/use-comparison-url-state.ts'

const DOT = 0.06

type TimelinePanelProps = {
  comparison: CompanyComparison
  companies: readonly ComparisonCompany[]
  /** The page's price criteria filter, which also applies here because the dots are prices. */
  criteria: readonly string[] | undefined
}

function TimelinePanel({ comparison, companies, criteria = [] }: TimelinePanelProps) {
  const { prices, prices_total: total, has_meetings: hasMeetings } = comparison
  const points = prices.flatMap((price) => {
    const company = companies[price.company]
    if (!company) return []
    return {
      key: `${price.project_id} ${price.company}`,
      lane: String(company.id),
      at: price.date,
      size: DOT,
      isFilled: price.is_winner,
      text: `${formatThaiDateShortOrOriginal(price.date)} · ${company.letter} ${company.shortName} ${price.is_winner ? 'ชนะ' : 'ยื่น ไม่ชนะ'} · ${price.name}`,
      onOpen: price.in_report ? () => openProjectInNewTab(price.project_id) : undefined,
    }
  })
  return (
    <ChartFigure
      title="เส้นเวลา"
      scope={
        <span className="tabular-nums">
          n={formatCount(total)} {hasMeetings ? 'ครั้งที่ยื่นหรือชนะ' : 'ครั้งที่ชนะ'} ที่รู้ราคา ราคากลาง และวันที่
          {prices.length < total && ` แสดง ${formatCount(prices.length)} ครั้งล่าสุด`}
          {criteria.length > 0 && ` · เฉพาะ${criteria.map((code) => getChoiceLabel(AWARD_CRITERIA, code)).join(', ')}`}
        </span>
      }
      empty={prices.length === 0 ? 'ไม่มีโครงการที่รู้ทั้งราคา ราคากลาง และวันที่ในขอบเขตนี้' : undefined}
      table={{
        caption: 'การยื่นและการชนะ ใหม่ก่อน',
        columns: ['วันที่', 'บริษัท', 'โครงการ', 'ผล', '% ของราคากลาง'],
        numeric: [4],
        rows: prices.toReversed().map((price) => ({
          key: `${price.project_id} ${price.company}`,
          cells: [
            formatThaiDateShortOrOriginal(price.date),
            `${companies[price.company]?.letter} ${companies[price.company]?.shortName}`,
            price.name,
            price.is_winner ? 'ชนะ' : 'ไม่ชนะ',
            formatPercent(price.ratio),
          ],
        })),
      }}
    >
      <ComparisonSeriesLegend companies={companies} filled="ชนะ" hollow="ยื่น ไม่ชนะ" />
      <SwimLaneChart
        label="การยื่นและการชนะของแต่ละบริษัทตามเวลา"
        lanes={companies.map(({ id, letter, shortName, tone }) => ({
          key: String(id),
          label: `${letter} ${shortName}`,
          tone,
        }))}
        points={points}
      />
    </ChartFigure>
  )
}

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
const scrollToStart = (block: Element | null) => block?.scrollIntoView?.({ block: 'start' })

type ComparisonBlocksProps = {
  comparison: CompanyComparison
  address: Pick<ComparisonUrlState, 'search' | 'smeBand' | 'change'>
}

export function ComparisonBlocks({ comparison, address: { search, smeBand, change } }: ComparisonBlocksProps) {
  const isWide = useMediaQuery(WIDE_MEDIA_QUERY)
  const companies = toComparisonCompanies(comparison, search.us)
  const tab = search.tab ?? 'summary'
  const cell = parseHeadToHeadCell(search.rows)
  const criteria = search.project_criteria_for_consideration
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
          <div className="grid gap-4 xl:grid-cols-[7fr_5fr]">
            <ComparisonSummaryTable comparison={comparison} companies={companies} />
            <CompanyHeadToHeadMatrix
              comparison={comparison}
              companies={companies}
              onOpen={(openCell) => change({ rows: formatHeadToHeadCell(openCell), page: undefined })}
            />
          </div>,
        )}
        {section('prices', <ComparisonPricePlot {...{ comparison, companies, smeBand, criteria, change }} />)}
        {section(
          'common',
          <CommonProjects
            {...{ comparison, companies, smeBand, change }}
            order={(search.common_order ?? '-date') as CommonProjectOrder}
          />,
        )}
        {section(
          'departments',
          <ComparisonDepartmentTable {...{ comparison, companies, change }} of={search.departments_of ?? 'all'} />,
        )}
        {section('mix', <ComparisonMixPanel {...{ comparison, companies, search }} />)}
        {section('timeline', <TimelinePanel {...{ comparison, companies, criteria }} />)}
      </div>
      <BlockErrorBoundary name="โครงการที่พบกัน" resetKey={resetKey}>
        <CompanyHeadToHeadPanel {...{ comparison, companies, cell, search, smeBand, change }} />
      </BlockErrorBoundary>
    </>
  )
}

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

function CommonProjects({ comparison, companies, order, smeBand, change, className }: CommonProjectsProps) {
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
    </ComparisonBlock>
  )
}
