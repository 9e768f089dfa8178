import { formatPercent } from '#src/lib/figure-text.ts'
import {
  ShowStatisticProjectsButton,
  StatisticProjectsCount,
} from '#src/market/statistics-scope/show-project-rows-button.tsx'
import { formatStatisticsBlockScope } from '#src/market/statistics-scope/statistics-scope-text.ts'
import { Card } from '#src/ui/card.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { type CompanyBlockProps, formatWinCount } from './company-block-props.ts'
import { buildDiscountSizeBandRowFilter, formatDiscountSizeBand } from './discount-text.ts'

const labelOf = (band: CompanyBlockProps['detail']['discount_by_size'][number]) =>
  formatDiscountSizeBand(buildDiscountSizeBandRowFilter(band).slice('size:'.length))

/**
 * Shows discounts by size of the reference price, because large jobs are priced differently. Discounts against the
 * budget are shown separately.
 */
export function DiscountsByProjectSize({ detail: { discount_by_size, figures, scope }, openRows }: CompanyBlockProps) {
  const bands = discount_by_size.filter(({ discount }) => discount.n > 0)
  const { n, against_budget: budgetDiscount } = figures.discount
  return (
    <Card as="section" aria-labelledby="size-bands" className="min-w-0 p-4 lg:p-5">
      <h2 id="size-bands" className="text-lg font-semibold">
        ส่วนลดตามขนาดงาน
      </h2>
      <p className="text-xs text-ink-muted">{formatStatisticsBlockScope(scope, n, 'งานที่รู้ราคากลางและมีผู้ชนะรายเดียว')}</p>
      {bands.length === 0 ? (
        <p className="py-6 text-center text-ink-muted">ยังไม่มีงานที่ชนะรายเดียวและรู้ราคากลาง</p>
      ) : (
        <DataTable
          caption="ส่วนลดตามขนาดราคากลาง"
          className="mt-3"
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
            {formatWinCount(budgetDiscount.n)}
          </ShowStatisticProjectsButton>{' '}
          ไม่มีราคากลางหรือราคากลางน่าสงสัย เทียบได้กับงบประมาณเท่านั้น จึงแยกไว้
          {budgetDiscount.median !== null && ` (มัธยฐาน ${formatPercent(budgetDiscount.median)})`}
        </p>
      )}
    </Card>
  )
}
