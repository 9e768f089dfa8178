import type { ReactNode } from 'react'
import { formatBaht, formatBahtCompact } from '#contract/thai/thai-number.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { countText, percentText } from '#src/lib/money-text.ts'
import { OpenRows } from '#src/market/figure-scope/open-rows.tsx'
import { blockScope } from '#src/market/figure-scope/scope-text.ts'
import { BlockBoundary } from '#src/shell/block-boundary.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import { Section, SectionTabs } from '#src/ui/section-tabs.tsx'
import { type BlockProps, winsText } from './block-props.ts'
import { CompanyFigures } from './company-figures.tsx'
import { DepartmentBlock } from './department-block.tsx'
import { binLabel, columnPositionOf, edgeText, fillBins } from './discount-text.ts'
import { ColumnChart } from './lazy-charts.ts'
import { CriteriaBlock, MethodBlock, ProvinceBlock, TypeBlock } from './mix-blocks.tsx'
import { SizeBands } from './size-bands.tsx'

const SECTIONS = [
  { name: 'figures', th: 'ตัวเลขหลัก' },
  { name: 'breakdown', th: 'หน่วยงานและลักษณะงาน' },
  { name: 'competitors', th: 'คู่แข่ง' },
  { name: 'timeline', th: 'เส้นเวลา' },
  { name: 'projects', th: 'โครงการ' },
] as const

/** Against the reference price only (D20). */
function DiscountBlock({ detail, openRows }: BlockProps) {
  const { figures, scope, discount_bins } = detail
  const { discount } = figures
  const bins = fillBins(discount_bins)
  return (
    <ChartFigure
      title="ส่วนลดจากราคากลาง"
      scope={blockScope(scope, discount.n, 'งานที่รู้ราคากลางและมีผู้ชนะรายเดียว')}
      empty={bins.length === 0 ? 'ยังไม่มีงานที่ชนะรายเดียวและรู้ราคากลาง จึงบอกส่วนลดไม่ได้' : undefined}
      table={{
        caption: 'จำนวนงานตามช่วงส่วนลดจากราคากลาง',
        columns: ['ส่วนลด', 'งาน', 'สัดส่วน'],
        numeric: [1, 2],
        rows: bins.map(({ from, count }) => ({
          key: String(from),
          cells: [
            binLabel(from),
            count === 0 ? (
              '0'
            ) : (
              <OpenRows key="count" onOpen={() => openRows(`discount:${from}`)} of={`ส่วนลด ${binLabel(from)}`}>
                {countText(count)}
              </OpenRows>
            ),
            percentText(count / Math.max(1, discount.n)),
          ],
        })),
      }}
    >
      <ColumnChart
        label="จำนวนงานตามช่วงส่วนลด"
        columns={bins.map(({ from, count }) => ({
          key: String(from),
          label: edgeText(from),
          value: count,
          text: `ส่วนลด ${binLabel(from)}: ${winsText(count)}`,
          onOpen: count === 0 ? undefined : () => openRows(`discount:${from}`),
        }))}
        formatValue={countText}
        valueLabel="จำนวนงาน"
        marker={
          discount.median === null
            ? undefined
            : { at: columnPositionOf(bins, discount.median), label: `มัธยฐาน ${percentText(discount.median)}` }
        }
      />
    </ChartFigure>
  )
}

const nameOf = (year: number) => (year === 0 ? 'ไม่ทราบปี' : String(year))

function YearBlock({ detail: { by_year, figures, scope }, openRows }: BlockProps) {
  return (
    <ChartFigure
      title="มูลค่าและงานที่ชนะรายปี"
      scope={blockScope(scope, figures.wins)}
      empty={by_year.length === 0 ? 'ไม่มีงานที่ชนะในขอบเขตนี้' : undefined}
      table={{
        caption: 'มูลค่าและจำนวนงานที่ชนะตามปีงบประมาณ',
        columns: ['ปีงบประมาณ', 'งานที่ชนะ', 'มูลค่า (บาท)'],
        numeric: [1, 2],
        rows: by_year.map(({ year, wins, value, is_open }) => ({
          key: String(year),
          cells: [
            `${nameOf(year)}${is_open ? ' (ถึงวันนี้)' : ''}`,
            wins === 0 ? (
              '0'
            ) : (
              <OpenRows key="wins" onOpen={() => openRows(`year:${year}`)} of={`ปี ${nameOf(year)}`}>
                {countText(wins)}
              </OpenRows>
            ),
            value === null ? <EmptyValue key="value" /> : formatBaht(value),
          ],
        })),
      }}
    >
      <ColumnChart
        label="มูลค่าที่ชนะตามปีงบประมาณ"
        columns={by_year.map(({ year, wins, value, is_open }) => ({
          key: String(year),
          label: is_open ? `${nameOf(year)} ถึงวันนี้` : nameOf(year),
          value,
          text: value !== null ? `${formatBahtCompact(value)} บาท` : wins === 0 ? 'ไม่มีงานที่ชนะ' : 'ไม่ทราบมูลค่า',
          line: wins,
          lineText: winsText(wins),
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

const CompetitorBlock = lazyComponent(() => import('./competitor-block.tsx'), 'CompetitorBlock')
const TimelineBlock = lazyComponent(() => import('./timeline-block.tsx'), 'TimelineBlock')

const COLUMN = 'flex min-w-0 flex-col gap-4'

type CompanyBlocksProps = BlockProps & {
  name: string
  children: ReactNode
}

export function CompanyBlocks({ name, children, ...props }: CompanyBlocksProps) {
  const { detail } = props
  const resetKey = `${detail.company.id} ${JSON.stringify(props.search)}`
  const block = (title: string, content: ReactNode) => (
    <BlockBoundary name={title} resetKey={resetKey}>
      {content}
    </BlockBoundary>
  )
  return (
    <>
      <SectionTabs sections={SECTIONS.filter(({ name: of }) => of !== 'breakdown' || detail.figures.wins > 0)} />
      <Section name="figures">
        <CompanyFigures {...props} />
      </Section>
      {detail.figures.wins > 0 && (
        <Section name="breakdown" className="grid gap-4 lg:grid-cols-2">
          <div className={COLUMN}>
            {block('รายปี', <YearBlock {...props} />)}
            {block('หน่วยงาน', <DepartmentBlock {...props} />)}
          </div>
          <div className={COLUMN}>
            {block('ส่วนลด', <DiscountBlock {...props} />)}
            {block('ส่วนลดตามขนาดงาน', <SizeBands {...props} />)}
            {block('วิธีจัดหา', <MethodBlock {...props} />)}
            {block('ประเภทการจัดหา', <TypeBlock {...props} />)}
            {block('เกณฑ์การพิจารณา', <CriteriaBlock {...props} />)}
          </div>
          <div className="min-w-0 lg:col-span-2">{block('จังหวัด', <ProvinceBlock {...props} />)}</div>
        </Section>
      )}
      <Section name="competitors">{block('คู่แข่ง', <CompetitorBlock {...props} />)}</Section>
      <Section name="timeline">
        {block('เส้นเวลา', <TimelineBlock name={name} detail={detail} search={props.search} />)}
      </Section>
      {children}
    </>
  )
}
