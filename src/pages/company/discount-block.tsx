import { countText, percentText } from '#src/lib/money-text.ts'
import { ChartFigure } from '#src/ui/chart-figure.tsx'
import { type BlockProps, blockScope, winsText } from './block-props.ts'
import { binLabel, edgeText, placeAmong, wholeBins } from './discount-words.ts'
import { ColumnChart } from './lazy-charts.ts'
import { OpenRows } from './open-rows.tsx'

/** At which discount they won, against the reference price alone. */
export function DiscountBlock({ detail, openRows }: BlockProps) {
  const { figures, scope, discount_bins } = detail
  const { discount } = figures
  const bins = wholeBins(discount_bins)
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
            : { at: placeAmong(bins, discount.median), label: `มัธยฐาน ${percentText(discount.median)}` }
        }
      />
    </ChartFigure>
  )
}
