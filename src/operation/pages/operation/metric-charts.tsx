import { useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { useState } from 'react'
import { METRIC_PERIODS, type MetricPeriod, type OperationMetrics } from '#contract/operation/metrics.ts'
import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { operationMetricsQuery } from '#src/operation/api/overview.ts'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { ColumnChart } from '#src/ui/chart/column-chart.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Tabs } from '#src/ui/tabs.tsx'

type Point = OperationMetrics['points'][number]
type Figure = { readonly name: string; readonly of: (point: Point) => number | null; readonly unit: string }
type Chart = {
  readonly title: string
  readonly scope: string
  readonly main: Figure
  readonly more?: readonly Figure[]
  readonly bad?: Figure
}

const CHARTS: readonly Chart[] = [
  {
    title: 'คำขอ',
    scope: 'คำขอถึง API ทุกเซิร์ฟเวอร์',
    main: { name: 'คำขอ', of: ({ requests }) => requests, unit: 'คำขอ' },
    bad: { name: 'ตอบผิดพลาด (5xx)', of: ({ errors }) => errors, unit: 'คำขอผิดพลาด' },
  },
  {
    title: 'เวลาตอบของรายงาน',
    scope: '99% ของหน้ารายงานตอบเร็วกว่านี้ เป้าหมาย 150 มิลลิวินาที',
    main: { name: '99% ภายใน', of: ({ report_p99_ms: ms }) => ms, unit: 'มิลลิวินาที' },
    more: [
      { name: 'ครึ่งหนึ่งภายใน', of: ({ report_half_ms: ms }) => ms, unit: 'มิลลิวินาที' },
      { name: 'หน้า', of: ({ report_pages: pages }) => pages, unit: 'หน้า' },
    ],
  },
  {
    title: 'งานที่รอ',
    scope: 'งานเบื้องหลังที่ถึงกำหนดหรือกำลังทำ มากที่สุดในช่วง',
    main: { name: 'งานที่รอ', of: ({ jobs_due: due }) => due, unit: 'งาน' },
  },
  {
    title: 'งานที่จบ',
    scope: 'งานเบื้องหลังที่ทำเสร็จ ไม่นับอีเมล',
    main: { name: 'เสร็จ', of: ({ jobs_done: done }) => done, unit: 'งาน' },
    bad: { name: 'ทำไม่สำเร็จ', of: ({ jobs_dead: dead }) => dead, unit: 'งานทำไม่สำเร็จ' },
  },
  {
    title: 'อีเมล',
    scope: 'อีเมลที่เซิร์ฟเวอร์อีเมลรับไปแล้ว',
    main: { name: 'ส่งแล้ว', of: ({ mails_sent: sent }) => sent, unit: 'ฉบับ' },
    bad: { name: 'ส่งไม่สำเร็จ', of: ({ mails_failed: failed }) => failed, unit: 'ฉบับส่งไม่สำเร็จ' },
  },
  {
    title: 'ความหน่วงของเซิร์ฟเวอร์',
    scope: 'event loop ช้าไปเท่าใด (99%) ของเซิร์ฟเวอร์ที่ช้าที่สุด เกิน 200 ควรเพิ่มเซิร์ฟเวอร์',
    main: { name: 'ช้าไป', of: ({ loop_lag_ms: ms }) => ms, unit: 'มิลลิวินาที' },
    more: [{ name: 'หน่วยความจำ', of: ({ memory_mb: mb }) => mb, unit: 'MB' }],
  },
]

const PERIODS: readonly { readonly value: MetricPeriod; readonly label: string }[] = [
  { value: 'hour', label: '1 ชั่วโมง' },
  { value: 'day', label: '24 ชั่วโมง' },
  { value: 'two-days', label: '48 ชั่วโมง' },
]

const figureText = (value: number) => formatCount(Math.round(value))

const text = ({ unit, of }: Figure, point: Point) => {
  const value = of(point)
  return value === null ? 'ไม่มีข้อมูล' : `${figureText(value)} ${unit}`
}

const clock = (at: string) => formatBangkokTime(new Date(at)).slice(-5)

export function OperationMetricCharts() {
  const [period, setPeriod] = useState<MetricPeriod>('hour')
  const metrics = useQuery(operationMetricsQuery(period))

  return (
    <section aria-labelledby="metric-charts" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="metric-charts" className="text-lg font-semibold">
          ตัวเลขของระบบ
        </h2>
        <Tabs label="ช่วงเวลาของกราฟ" variant="segment" items={PERIODS} value={period} onChange={setPeriod} />
      </div>
      <QueryView
        query={metrics}
        task="โหลดตัวเลขของระบบ"
        notesStale
        barsClassName="grid gap-4 md:grid-cols-2 xl:grid-cols-3"
        bars={CHARTS.map(() => 'h-64 w-full')}
        isEmpty={(points) =>
          points.every((point) => point.requests === null && point.jobs_done + point.mails_sent === 0)
        }
        empty={
          <EmptyCard icon={Activity} title="ยังไม่มีตัวเลขในช่วงนี้">
            เซิร์ฟเวอร์บันทึกทุกนาที รอสักครู่แล้วกดตรวจใหม่
          </EmptyCard>
        }
      >
        {(points) => (
          <div
            aria-busy={metrics.isPlaceholderData}
            className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3 aria-busy:opacity-60"
          >
            {CHARTS.map((chart) => (
              <MetricChart key={chart.title} chart={chart} points={points} step={METRIC_PERIODS[period].step} />
            ))}
          </div>
        )}
      </QueryView>
    </section>
  )
}

function MetricChart({ chart, points, step }: { chart: Chart; points: readonly Point[]; step: number }) {
  const { title, scope, main, more = [], bad } = chart
  const figures = [main, ...(bad ? [bad] : []), ...more]
  const hasBad = bad !== undefined && points.some((point) => (bad.of(point) ?? 0) > 0)
  const isEmpty = points.every((point) => main.of(point) === null)
  const columnText = step >= 60 ? `แท่งละ ${step / 60} ชั่วโมง` : `แท่งละ ${step} นาที`
  return (
    <ChartFigure
      title={title}
      scope={`${scope} · ${columnText}`}
      empty={isEmpty ? 'ไม่มีข้อมูลในช่วงนี้' : undefined}
      table={{
        caption: `${title} ${columnText}`,
        columns: ['ตั้งแต่', ...figures.map(({ name }) => name)],
        rows: points.map((point) => ({
          key: point.at,
          cells: [formatThaiDateTime(point.at), ...figures.map((figure) => text(figure, point))],
        })),
      }}
    >
      <ColumnChart
        label={title}
        columns={points.map((point, index) => ({
          key: point.at,
          label: clock(point.at),
          value: main.of(point),
          text: [main, ...more]
            .map((figure) => (more.length > 0 ? `${figure.name} ` : '') + text(figure, point))
            .join(' · '),
          ...(hasBad && { line: bad.of(point), lineText: text(bad, point) }),
          isOpen: index === points.length - 1,
        }))}
        formatValue={figureText}
        isSmall
        openLabel="ช่วงที่ยังไม่จบ"
        {...(hasBad && { valueLabel: main.name, lineLabel: bad.name })}
      />
    </ChartFigure>
  )
}
