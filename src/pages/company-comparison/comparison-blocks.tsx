import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { Comparison } from '#contract/company-comparison.ts'
import { COMPARISON_TABS, type ComparisonTab } from '#contract/company-params.ts'
import { BlockBoundary } from '#src/features/block-boundary/block-boundary.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { Tabs } from '#src/ui/tabs.tsx'
import type { CommonOrder } from './common-facts.ts'
import { CommonProjects } from './common-projects.tsx'
import { comparedOf } from './compared.ts'
import { DepartmentTable } from './department-table.tsx'
import { MeetingMatrix } from './meeting-matrix.tsx'
import { printCell, readCell } from './meeting-side.ts'
import { MixPanel } from './mix-panel.tsx'
import { PricePlot } from './price-plot.tsx'
import { SummaryTable } from './summary-table.tsx'
import { TimelinePanel } from './timeline-panel.tsx'
import type { ComparisonAddress } from './use-comparison-address.ts'

const MeetingPanel = lazyPart(() => import('./meeting-panel.tsx'), 'MeetingPanel')

const PANEL_ID = 'comparison-panel'
const NAMES: Readonly<Record<ComparisonTab, string>> = {
  summary: 'สรุป',
  common: 'โครงการที่พบกัน',
  prices: 'ราคา',
  departments: 'หน่วยงาน',
  mix: 'ลักษณะงาน',
  timeline: 'เส้นเวลา',
}
/** The blocks stand one below the other from here on; below it they are tabs. */
const WIDE = '(width >= 64rem)'

type ComparisonBlocksProps = {
  comparison: Comparison
  address: Pick<ComparisonAddress, 'search' | 'smeBand' | 'change'>
}

/** Everything that is compared: all of it on a wide screen and on paper, one tab at a time on a phone. */
export function ComparisonBlocks({ comparison, address: { search, smeBand, change } }: ComparisonBlocksProps) {
  const isWide = useMediaQuery(WIDE)
  const companies = useMemo(() => comparedOf(comparison, search.us), [comparison, search.us])
  const tab = (search.tab ?? 'summary') as ComparisonTab
  const cell = readCell(search.rows)
  const criteria = search.project_criteria_for_consideration
  const blocks = useRef<HTMLDivElement>(null)
  const tabs = useRef<HTMLDivElement>(null)
  // A link to a section leads there; on a phone its tab is open.
  useEffect(() => {
    if (isWide && search.tab !== undefined)
      blocks.current?.querySelector(`[data-block="${search.tab}"]`)?.scrollIntoView?.({ block: 'start' })
    // The row of tabs is wider than a phone.
    if (!isWide)
      tabs.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [isWide, search.tab])
  const resetKey = JSON.stringify(search)
  const section = (name: ComparisonTab, content: ReactNode) => (
    <div data-block={name} className={classNames('min-w-0 print:block', name !== tab && 'max-lg:hidden')}>
      <BlockBoundary name={NAMES[name]} resetKey={resetKey}>
        {content}
      </BlockBoundary>
    </div>
  )
  return (
    <>
      {!isWide && (
        <div ref={tabs}>
          <Tabs<ComparisonTab>
            label="ส่วนของการเปรียบเทียบ"
            items={COMPARISON_TABS.map((value) => ({ value, label: NAMES[value] }))}
            value={tab}
            onChange={(next) => change({ tab: next === 'summary' ? undefined : next })}
            panelId={PANEL_ID}
            className="-mx-4 border-b border-line px-4 print:hidden"
          />
        </div>
      )}
      <div
        ref={blocks}
        id={PANEL_ID}
        {...(isWide ? {} : { role: 'tabpanel', 'aria-label': NAMES[tab] })}
        className="flex flex-col gap-4"
      >
        {section(
          'summary',
          <div className="grid gap-4 xl:grid-cols-[7fr_5fr]">
            <SummaryTable comparison={comparison} companies={companies} />
            <MeetingMatrix
              comparison={comparison}
              companies={companies}
              onOpen={(open) => change({ rows: printCell(open), page: undefined })}
            />
          </div>,
        )}
        {section('prices', <PricePlot {...{ comparison, companies, smeBand, criteria, change }} />)}
        {section(
          'common',
          <CommonProjects
            {...{ comparison, companies, smeBand, change }}
            order={(search.common_order ?? '-date') as CommonOrder}
          />,
        )}
        {section(
          'departments',
          <DepartmentTable {...{ comparison, companies, change }} of={search.departments_of ?? 'all'} />,
        )}
        {section('mix', <MixPanel {...{ comparison, companies, search }} />)}
        {section('timeline', <TimelinePanel {...{ comparison, companies, criteria }} />)}
      </div>
      <BlockBoundary name="โครงการที่พบกัน" resetKey={resetKey}>
        <MeetingPanel {...{ comparison, companies, cell, search, smeBand, change }} />
      </BlockBoundary>
    </>
  )
}
