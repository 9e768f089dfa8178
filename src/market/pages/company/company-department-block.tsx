import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { StatisticProjectsCount } from '#src/market/statistics-scope/show-project-rows-button.tsx'
import { formatStatisticsBlockScope } from '#src/market/statistics-scope/statistics-scope-text.ts'
import { AgencyIconLink } from '#src/report/agency-link/agency-link.tsx'
import { AgencyLink } from '#src/report/agency-link/agency-link.tsx'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { type CompanyBlockProps, formatWinCount } from './company-block-props.ts'

type Department = CompanyBlockProps['detail']['by_department'][number]

const nameOf = ({ department, departments }: Department) => department ?? `อื่นๆ อีก ${formatCount(departments)} หน่วยงาน`
const rowsOf = ({ department }: Department) => (department === null ? 'other_departments' : `department:${department}`)

const shareText = (share: number) => (share > 0 && share < 0.0005 ? 'ไม่ถึง 0.1%' : formatPercent(share))

function noteOf({ wins, share, first_win_date, last_win_date }: Department): string {
  const days = [...new Set([first_win_date, last_win_date])]
    .filter((day) => day !== null)
    .map(formatThaiDateShortOrOriginal)
  return joinParts(
    formatWinCount(wins),
    share !== null && `${shareText(share)} ของที่หน่วยงานใช้`,
    days.length > 0 && days.join(' ถึง '),
  )
}

export function CompanyDepartmentBlock({ detail: { by_department, figures, scope }, openRows }: CompanyBlockProps) {
  return (
    <ChartFigure
      title="หน่วยงานที่ชนะงาน"
      scope={formatStatisticsBlockScope(scope, figures.wins)}
      empty={by_department.length === 0 ? 'ไม่มีงานที่ชนะในขอบเขตนี้' : undefined}
      table={{
        caption: 'งานที่ชนะตามหน่วยงาน',
        columns: ['หน่วยงาน', 'งาน', 'มูลค่า (บาท)', 'ส่วนแบ่ง', 'ชนะครั้งแรก', 'ล่าสุด'],
        numeric: [1, 2, 3],
        rows: by_department.map((row) => ({
          key: row.department ?? 'others',
          cells: [
            <AgencyLink key="name" name={row.department ?? ''}>
              {nameOf(row)}
            </AgencyLink>,
            <StatisticProjectsCount
              key="wins"
              onOpen={() => openRows(rowsOf(row))}
              of={nameOf(row)}
              count={row.wins}
            />,
            formatOrUnknown(row.value, formatBaht),
            formatOrUnknown(row.share, shareText),
            formatOrUnknown(row.first_win_date, formatThaiDateShortOrOriginal),
            formatOrUnknown(row.last_win_date, formatThaiDateShortOrOriginal),
          ],
        })),
      }}
    >
      <BarChart
        label="มูลค่าที่ชนะตามหน่วยงาน"
        rows={by_department.map((row) => ({
          key: row.department ?? 'others',
          label: nameOf(row),
          value: row.value,
          text: row.value === null ? 'ไม่ทราบมูลค่า' : `${formatBahtCompact(row.value)} บาท`,
          note: noteOf(row),
          tone: row.department === null ? 8 : 1,
          onOpen: () => openRows(rowsOf(row)),
          aside: row.department === null ? undefined : <AgencyIconLink name={row.department} />,
        }))}
      />
    </ChartFigure>
  )
}
