import { useMemo } from 'react'
import type { Comparison } from '#contract/company-comparison.ts'
import { labelOf, PROJECT_CRITERIA } from '#contract/project.ts'
import { thaiDay } from '#contract/thai-date.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { countText, percentText } from '#src/lib/money-text.ts'
import { ChartFigure } from '#src/ui/chart-figure.tsx'
import type { Compared } from './compared.ts'
import { openProject } from './open-project.ts'
import { SeriesKey } from './series-key.tsx'

const SwimLanes = lazyPart(() => import('#src/ui/swim-lanes.tsx'), 'SwimLanes')

/** Every dot alike: how much a bid was worth stands in the other blocks. */
const DOT = 0.06

type TimelinePanelProps = {
  comparison: Comparison
  companies: readonly Compared[]
  /** The filter of the prices, which are what is drawn. */
  criteria: readonly string[] | undefined
}

/** When each of them bid and won. */
export function TimelinePanel({ comparison, companies, criteria = [] }: TimelinePanelProps) {
  const { prices, prices_total: total, has_meetings: hasMeetings } = comparison
  const points = useMemo(
    () =>
      prices.flatMap((price) => {
        const company = companies[price.company]
        if (!company) return []
        return {
          key: `${price.project_id} ${price.company}`,
          lane: String(company.id),
          at: price.date,
          size: DOT,
          isFilled: price.is_winner,
          text: `${thaiDay(price.date)} · ${company.letter} ${company.shortName} ${price.is_winner ? 'ชนะ' : 'ยื่น ไม่ชนะ'} · ${price.name}`,
          onOpen: price.in_report ? () => openProject(price.project_id) : undefined,
        }
      }),
    [prices, companies],
  )
  return (
    <ChartFigure
      title="เส้นเวลา"
      scope={
        <span className="tabular-nums">
          n = {countText(total)} {hasMeetings ? 'ครั้งที่ยื่นหรือชนะ' : 'ครั้งที่ชนะ'} ที่รู้ราคา ราคากลาง และวันที่
          {prices.length < total && ` แสดง ${countText(prices.length)} ครั้งล่าสุด`}
          {criteria.length > 0 && ` · เฉพาะ${criteria.map((code) => labelOf(PROJECT_CRITERIA, code)).join(', ')}`}
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
            thaiDay(price.date),
            `${companies[price.company]?.letter} ${companies[price.company]?.shortName}`,
            price.name,
            price.is_winner ? 'ชนะ' : 'ไม่ชนะ',
            percentText(price.ratio),
          ],
        })),
      }}
    >
      <SeriesKey companies={companies} filled="ชนะ" hollow="ยื่น ไม่ชนะ" />
      <SwimLanes
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
