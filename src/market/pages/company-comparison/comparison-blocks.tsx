import type { ReactNode } from 'react'
import { COMPANY_COMPARISON_TABS, type CompanyComparisonTab } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { CommonProjects } from './block/common-projects.tsx'
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
