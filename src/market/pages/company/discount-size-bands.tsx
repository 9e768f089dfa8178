import { formatCountWithSeparators, formatPercent } from '#src/lib/figure-text.ts'
import { ShowStatisticProjectsButton } from '#src/market/statistics-scope/show-project-rows-button.tsx'
import { formatStatisticsBlockScope } from '#src/market/statistics-scope/statistics-scope-text.ts'
import { Card } from '#src/ui/card.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'
import { type CompanyBlockProps, formatWinCount } from './company-block-props.ts'
import { buildDiscountSizeBandRowFilter, formatDiscountSizeBand } from './discount-text.ts'

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
        <Bands bands={bands} openRows={openRows} />
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

type BandsProps = Pick<CompanyBlockProps, 'openRows'> & { bands: CompanyBlockProps['detail']['discount_by_size'] }

function Bands({ bands, openRows }: BandsProps) {
  return (
    <table className="mt-3 w-full text-table tabular-nums">
      <caption className="sr-only">ส่วนลดตามขนาดราคากลาง</caption>
      <thead className="border-b border-line text-xs text-ink-muted">
        <tr>
          <th scope="col" className="py-1.5 pr-2 text-left font-medium">
            ราคากลาง
          </th>
          <th scope="col" className="px-2 py-1.5 text-right font-medium">
            งาน
          </th>
          <th scope="col" className="px-2 py-1.5 text-right font-medium">
            ถ่วงน้ำหนัก
          </th>
          <th scope="col" className="py-1.5 pl-2 text-right font-medium">
            มัธยฐาน
          </th>
        </tr>
      </thead>
      <tbody>
        {bands.map((band) => {
          const rows = buildDiscountSizeBandRowFilter(band)
          const label = formatDiscountSizeBand(rows.slice('size:'.length))
          const { n, weighted, median } = band.discount
          return (
            <tr key={rows} className="border-b border-line last:border-0">
              <th scope="row" className="py-1 pr-2 text-left font-normal">
                {label}
              </th>
              <td className="px-2 py-1 text-right">
                <ShowStatisticProjectsButton onOpen={() => openRows(rows)} of={`ราคากลาง ${label}`}>
                  {formatCountWithSeparators(n)}
                </ShowStatisticProjectsButton>
              </td>
              <td className="px-2 py-1 text-right">{weighted === null ? <UnknownValue /> : formatPercent(weighted)}</td>
              <td className="py-1 pl-2 text-right">{median === null ? <UnknownValue /> : formatPercent(median)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
