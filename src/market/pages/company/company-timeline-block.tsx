import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { CompanyDetail, CompanyTimeline } from '#contract/market/company.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { ProjectName } from '#src/catalogue/project-name.tsx'
import { joinParts } from '#src/lib/join-parts.ts'
import { useInView } from '#src/lib/use-in-view.ts'
import { companyTimelineQuery } from '#src/market/api/company-details.ts'
import { formatStatisticsBlockScope } from '#src/market/statistics-scope/statistics-scope-filters.ts'
import { Card } from '#src/ui/card.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import type { ChartColour } from '#src/ui/chart/chart-tone.ts'
import { SwimLaneChart } from '#src/ui/chart/swim-lane-chart.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { useCompanyUrlState } from './use-company-url-state.ts'

/** With more methods, the most frequent ones have their own lane, and all others share the last one. */
const MAX_LANES = 5
const OTHER_LANE = { key: 'others', label: 'วิธีอื่น', tone: 8 } as const

type Lane = { readonly key: string; readonly label: string; readonly tone: ChartColour }

export function groupTimelinePointsByMethod(points: readonly { readonly method: string }[]): {
  lanes: Lane[]
  laneOf: (method: string) => string
} {
  const byMethod = Map.groupBy(points, ({ method }) => method)
  const methods = [...byMethod].toSorted(([, a], [, b]) => b.length - a.length).map(([method]) => method)
  const laneMethods = methods.slice(0, methods.length > MAX_LANES ? MAX_LANES - 1 : MAX_LANES)
  const lanes = laneMethods.map((method, index) => ({
    key: method,
    label: getChoiceLabel(PROCUREMENT_METHODS, method),
    tone: (index + 1) as ChartColour,
  }))
  return {
    lanes: methods.length > laneMethods.length ? [...lanes, OTHER_LANE] : lanes,
    laneOf: (method) => (laneMethods.includes(method) ? method : OTHER_LANE.key),
  }
}

export function CompanyTimelineBlock({ detail }: { detail: CompanyDetail }) {
  const { name, search } = useCompanyUrlState()
  const [isSeen, frameRef] = useInView()
  const timeline = useQuery({ ...companyTimelineQuery(name, search), enabled: isSeen })
  return (
    <div ref={frameRef} className="min-w-0">
      <QueryView
        query={timeline}
        task="โหลดเส้นเวลา"
        skeleton={
          <Card className="p-5">
            <SkeletonGroup label="กำลังโหลดเส้นเวลา" className="flex flex-col gap-3" bars={['w-1/3', 'h-48']} />
          </Card>
        }
      >
        {(data) => <Timeline {...data} scope={detail.scope} />}
      </QueryView>
    </div>
  )
}

function Timeline({ total, results, scope }: CompanyTimeline & Pick<CompanyDetail, 'scope'>) {
  const router = useRouter()
  const { lanes, laneOf } = groupTimelinePointsByMethod(results)
  const largest = Math.max(1, ...results.map(({ value }) => value ?? 0))
  return (
    <ChartFigure
      title="เส้นเวลา"
      scope={
        <>
          {formatStatisticsBlockScope(scope, total, 'โครงการที่รู้วันตัดสิน')} · จุดทึบ = ชนะ จุดโปร่ง = ยื่นแต่ไม่ชนะ ขนาด = มูลค่า
          {total > results.length && ` · แสดง ${formatCount(results.length)} โครงการล่าสุด`}
        </>
      }
      empty={results.length === 0 ? 'ไม่มีโครงการที่รู้วันตัดสินในขอบเขตนี้' : undefined}
      table={{
        caption: 'งานที่ชนะและที่ยื่นตามวันตัดสิน ใหม่ก่อน',
        columns: ['โครงการ', 'วันตัดสิน', 'ผล', 'วิธีจัดหา', 'มูลค่า (บาท)'],
        numeric: [4],
        rows: results.toReversed().map((point) => ({
          key: point.project_id,
          cells: [
            <ProjectName key="name" project={point} />,
            formatThaiDateShortOrOriginal(point.date),
            point.is_winner ? 'ชนะ' : 'ไม่ชนะ',
            getChoiceLabel(PROCUREMENT_METHODS, point.method),
            formatOrUnknown(point.value, formatBaht),
          ],
        })),
      }}
    >
      <SwimLaneChart
        label="งานที่ชนะและที่ยื่นตามเวลา แยกตามวิธีจัดหา"
        lanes={lanes}
        points={results.map((point) => ({
          key: point.project_id,
          lane: laneOf(point.method),
          at: point.date,
          size: (point.value ?? 0) / largest,
          isFilled: point.is_winner,
          text: joinParts(
            formatThaiDateShortOrOriginal(point.date),
            point.is_winner ? 'ชนะ' : 'ยื่นแต่ไม่ชนะ',
            point.name,
            getChoiceLabel(PROCUREMENT_METHODS, point.method),
            point.value !== null && `${formatBahtCompact(point.value)} บาท`,
          ),
          onOpen: point.in_report
            ? () => void router.navigate({ to: '/report/$id', params: { id: point.project_id } })
            : undefined,
        }))}
      />
    </ChartFigure>
  )
}
