import { formatBaht, formatBahtCompact } from '#contract/thai-number.ts'
import { countText } from '#src/lib/money-text.ts'
import { ChartFigure } from '#src/ui/chart-figure.tsx'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import { type BlockProps, blockScope, winsText } from './block-props.ts'
import { ColumnChart } from './lazy-charts.ts'
import { OpenRows } from './open-rows.tsx'

const nameOf = (year: number) => (year === 0 ? 'ไม่ทราบปี' : String(year))

/** Value and wins year by year; a year that is not over says so. */
export function YearBlock({ detail: { by_year, figures, scope }, openRows }: BlockProps) {
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
