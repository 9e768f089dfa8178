import type { ReactNode } from 'react'
import type { CompanyDetail } from '#contract/market/company.ts'
import { formatBaht, formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import {
  ShowStatisticProjectsButton,
  StatisticProjectsCount,
} from '#src/market/statistics-scope/show-project-rows-button.tsx'
import { formatStatisticsBlockScope } from '#src/market/statistics-scope/statistics-scope-filters.ts'
import { getDiscountChartPosition } from '#src/report/similar-prices/similar-prices-discount-bins.ts'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { ColumnChart } from '#src/ui/chart/column-chart.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import { SectionTabs, TabbedSection } from '#src/ui/section-tabs.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { CompanyCompetitorBlock } from './company-competitor-block.tsx'
import { CompanyFigures } from './company-figures.tsx'
import { CompanyBreakdown } from './company-mix-blocks.tsx'
import { CompanyProjects } from './company-projects.tsx'
import { CompanyTimelineBlock } from './company-timeline-block.tsx'
import {
  buildDiscountSizeBandRowFilter,
  fillDiscountBins,
  formatDiscountBin,
  formatDiscountBinEdge,
  formatDiscountSizeBand,
} from './discount-text.ts'
import { useCompanyUrlState } from './use-company-url-state.ts'

const SECTIONS = [
  { name: 'figures', th: 'ตัวเลขหลัก' },
  { name: 'breakdown', th: 'หน่วยงานและลักษณะงาน' },
  { name: 'competitors', th: 'คู่แข่ง' },
  { name: 'timeline', th: 'เส้นเวลา' },
  { name: 'projects', th: 'โครงการ' },
] as const

/** Shows discounts against the reference price only (D20). */
function DiscountBlock({ figures, scope, discount_bins }: CompanyDetail) {
  const { openRows } = useCompanyUrlState()
  const { discount } = figures
  const bins = fillDiscountBins(discount_bins)
  return (
    <ChartFigure
      title="ส่วนลดจากราคากลาง"
      scope={formatStatisticsBlockScope(scope, discount.n, 'งานที่รู้ราคากลางและมีผู้ชนะรายเดียว')}
      empty={bins.length === 0 ? 'ยังไม่มีงานที่ชนะรายเดียวและรู้ราคากลาง จึงบอกส่วนลดไม่ได้' : undefined}
      table={{
        caption: 'จำนวนงานตามช่วงส่วนลดจากราคากลาง',
        columns: ['ส่วนลด', 'งาน', 'สัดส่วน'],
        rows: bins.map(({ from, count }) => ({
          key: String(from),
          cells: [
            formatDiscountBin(from),
            <StatisticProjectsCount
              key="count"
              onOpen={() => openRows(`discount:${from}`)}
              of={`ส่วนลด ${formatDiscountBin(from)}`}
              count={count}
            />,
            formatPercent(count / Math.max(1, discount.n)),
          ],
        })),
      }}
    >
      <ColumnChart
        label="จำนวนงานตามช่วงส่วนลด"
        columns={bins.map(({ from, count }) => ({
          key: String(from),
          label: formatDiscountBinEdge(from),
          value: count,
          text: `ส่วนลด ${formatDiscountBin(from)}: ${formatCount(count)} งาน`,
          onOpen: count === 0 ? undefined : () => openRows(`discount:${from}`),
        }))}
        formatValue={formatCount}
        valueLabel="จำนวนงาน"
        markers={
          discount.median === null
            ? []
            : [
                {
                  at: getDiscountChartPosition(bins, discount.median),
                  label: `มัธยฐาน ${formatPercent(discount.median)}`,
                },
              ]
        }
      />
    </ChartFigure>
  )
}

const formatYear = (year: number) => (year === 0 ? 'ไม่ทราบปี' : String(year))

function YearBlock({ by_year, figures, scope }: CompanyDetail) {
  const { openRows } = useCompanyUrlState()
  return (
    <ChartFigure
      title="มูลค่าและงานที่ชนะรายปี"
      scope={formatStatisticsBlockScope(scope, figures.wins)}
      empty={by_year.length === 0 ? 'ไม่มีงานที่ชนะในขอบเขตนี้' : undefined}
      table={{
        caption: 'มูลค่าและจำนวนงานที่ชนะตามปีงบประมาณ',
        columns: ['ปีงบประมาณ', 'งานที่ชนะ', 'มูลค่า (บาท)'],
        rows: by_year.map(({ year, wins, value, is_open }) => ({
          key: String(year),
          cells: [
            `${formatYear(year)}${is_open ? ' (ถึงวันนี้)' : ''}`,
            <StatisticProjectsCount
              key="wins"
              onOpen={() => openRows(`year:${year}`)}
              of={`ปี ${formatYear(year)}`}
              count={wins}
            />,
            formatOrUnknown(value, formatBaht),
          ],
        })),
      }}
    >
      <ColumnChart
        label="มูลค่าที่ชนะตามปีงบประมาณ"
        columns={by_year.map(({ year, wins, value, is_open }) => ({
          key: String(year),
          label: is_open ? `${formatYear(year)} ถึงวันนี้` : formatYear(year),
          value,
          text: value !== null ? `${formatBahtCompact(value)} บาท` : wins === 0 ? 'ไม่มีงานที่ชนะ' : 'ไม่ทราบมูลค่า',
          line: wins,
          lineText: `${formatCount(wins)} งาน`,
          isOpen: is_open,
          onOpen: wins === 0 ? undefined : () => openRows(`year:${year}`),
        }))}
        formatValue={formatBahtCompact}
        valueLabel="มูลค่าที่ชนะ (บาท)"
        lineLabel="จำนวนงาน"
      />
    </ChartFigure>
  )
}

const COLUMN = 'flex min-w-0 flex-col gap-4'

export function CompanyBlocks({ detail }: { detail: CompanyDetail }) {
  const { search } = useCompanyUrlState()
  const resetKey = `${detail.company.id} ${JSON.stringify(search)}`
  const block = (title: string, content: ReactNode) => (
    <BlockErrorBoundary name={title} resetKey={resetKey}>
      {content}
    </BlockErrorBoundary>
  )
  return (
    <>
      <SectionTabs sections={SECTIONS.filter(({ name: of }) => of !== 'breakdown' || detail.figures.wins > 0)} />
      <TabbedSection name="figures">
        <CompanyFigures detail={detail} />
      </TabbedSection>
      {detail.figures.wins > 0 && (
        <TabbedSection name="breakdown" className="grid gap-4 lg:grid-cols-2">
          <div className={COLUMN}>
            {block('รายปี', <YearBlock {...detail} />)}
            {block('หน่วยงาน', <CompanyBreakdown by="department" detail={detail} />)}
          </div>
          <div className={COLUMN}>
            {block('ส่วนลด', <DiscountBlock {...detail} />)}
            {block('ส่วนลดตามขนาดงาน', <DiscountsByProjectSize {...detail} />)}
            {block('วิธีจัดหา', <CompanyBreakdown by="method" detail={detail} />)}
            {block('ประเภทการจัดหา', <CompanyBreakdown by="type" detail={detail} />)}
            {block('เกณฑ์การพิจารณา', <CompanyBreakdown by="criteria" detail={detail} />)}
          </div>
          <div className="min-w-0 lg:col-span-2">
            {block('จังหวัด', <CompanyBreakdown by="province" detail={detail} />)}
          </div>
        </TabbedSection>
      )}
      <TabbedSection name="competitors">{block('คู่แข่ง', <CompanyCompetitorBlock detail={detail} />)}</TabbedSection>
      <TabbedSection name="timeline">{block('เส้นเวลา', <CompanyTimelineBlock detail={detail} />)}</TabbedSection>
      <CompanyProjects detail={detail} />
    </>
  )
}

const labelOf = (band: CompanyDetail['discount_by_size'][number]) =>
  formatDiscountSizeBand(buildDiscountSizeBandRowFilter(band).slice('size:'.length))

/** Large jobs are priced differently. Discounts against the budget are shown separately. */
function DiscountsByProjectSize({ discount_by_size, figures, scope }: CompanyDetail) {
  const { openRows } = useCompanyUrlState()
  const bands = discount_by_size.filter(({ discount }) => discount.n > 0)
  const { n, against_budget: budgetDiscount } = figures.discount
  return (
    <SectionCard title="ส่วนลดตามขนาดงาน" scope={formatStatisticsBlockScope(scope, n, 'งานที่รู้ราคากลางและมีผู้ชนะรายเดียว')}>
      {bands.length === 0 ? (
        <p className="py-6 text-center text-ink-muted">ยังไม่มีงานที่ชนะรายเดียวและรู้ราคากลาง</p>
      ) : (
        <DataTable
          caption="ส่วนลดตามขนาดราคากลาง"
          rows={bands}
          getKey={buildDiscountSizeBandRowFilter}
          columns={[
            { head: 'ราคากลาง', cell: labelOf },
            {
              head: 'งาน',
              isNumeric: true,
              cell: (band) => (
                <StatisticProjectsCount
                  onOpen={() => openRows(buildDiscountSizeBandRowFilter(band))}
                  of={`ราคากลาง ${labelOf(band)}`}
                  count={band.discount.n}
                />
              ),
            },
            {
              head: 'ถ่วงน้ำหนัก',
              isNumeric: true,
              cell: ({ discount }) => formatOrUnknown(discount.weighted, formatPercent),
            },
            {
              head: 'มัธยฐาน',
              isNumeric: true,
              cell: ({ discount }) => formatOrUnknown(discount.median, formatPercent),
            },
          ]}
        />
      )}
      {budgetDiscount.n > 0 && (
        <p className="mt-3 text-sm text-ink-muted">
          อีก{' '}
          <ShowStatisticProjectsButton onOpen={() => openRows('against_budget')} of="ส่วนลดเทียบงบประมาณ">
            {formatCount(budgetDiscount.n)} งาน
          </ShowStatisticProjectsButton>{' '}
          ไม่มีราคากลางหรือราคากลางน่าสงสัย เทียบได้กับงบประมาณเท่านั้น จึงแยกไว้
          {budgetDiscount.median !== null && ` (มัธยฐาน ${formatPercent(budgetDiscount.median)})`}
        </p>
      )}
    </SectionCard>
  )
}
