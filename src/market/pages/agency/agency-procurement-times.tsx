import { Fragment } from 'react'
import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { Agency } from '#contract/market/agency.ts'
import { THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { findUsualAnnouncementMonths, toFiscalYearMonths } from '#src/catalogue/announced-months/announced-months.ts'
import { BreakdownChart } from '#src/market/breakdown-chart.tsx'
import {
  ShowStatisticProjectsButton,
  StatisticProjectsCount,
} from '#src/market/statistics-scope/show-project-rows-button.tsx'
import { formatStatisticsBlockScope } from '#src/market/statistics-scope/statistics-scope-filters.ts'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { ColumnChart } from '#src/ui/chart/column-chart.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { formatDayCount, formatDaysSpread } from './agency-figures.tsx'
import { useAgencyUrlState } from './use-agency-url-state.ts'

export function AgencyProcurementTimes({ answer }: { answer: Agency }) {
  const { openRows } = useAgencyUrlState()
  const { by_year, decided, scope } = answer
  return (
    <>
      <Months {...answer} />
      <BreakdownChart
        title="ซื้อปีละเท่าไร"
        column="ปีงบประมาณ"
        projects="งานที่รู้ผล"
        scope={formatStatisticsBlockScope(scope, decided, 'งานที่รู้ผล รวมที่บุคคลธรรมดาชนะ')}
        rows={by_year.map(({ year, ...row }) => ({
          ...row,
          rows: `year:${year}`,
          label: year === 0 ? 'ไม่ทราบปีงบประมาณ' : `ปีงบประมาณ ${year}`,
        }))}
        openRows={openRows}
      />
      <Speed {...answer} />
    </>
  )
}

function Months({ announced, awarded, scope }: Agency) {
  const { openRows } = useAgencyUrlState()
  const monthly = announced.months.map((n, at) => ({ month: at + 1, n }))
  const won = toFiscalYearMonths(awarded.months.map((n, at) => ({ month: at + 1, n })))
  const months = toFiscalYearMonths(monthly).map(({ month, n }, at) => ({
    ...THAI_MONTHS[month - 1]!,
    month: String(month),
    announced: n,
    calendar_month: won[at]!.n,
  }))
  const usual = findUsualAnnouncementMonths(monthly)
  return (
    <ChartFigure
      title="ประกาศและรู้ผลเดือนไหน"
      scope={
        <>
          {formatStatisticsBlockScope(scope, announced.n, 'โครงการที่รู้วันประกาศเชิญชวน')} · รู้วันประกาศผล{' '}
          {formatCount(awarded.n)} งานที่บริษัทชนะ
          {announced.n >= 5 && usual.length > 0 && (
            <span className="block">ประกาศมากสุด {usual.map((month) => THAI_MONTHS[month - 1]!.short).join(', ')}</span>
          )}
        </>
      }
      empty={announced.n + awarded.n === 0 ? 'ไม่รู้วันประกาศหรือวันรู้ผลของโครงการใดในขอบเขตนี้' : undefined}
      table={{
        caption: 'โครงการตามเดือนของปีงบประมาณ',
        columns: ['เดือน', ...EVENTS.map(({ th }) => th)],
        rows: months.map(({ month, full, ...counts }) => ({
          key: month,
          cells: [
            full,
            ...EVENTS.map(({ filter, th }) => (
              <StatisticProjectsCount
                key={filter}
                onOpen={() => openRows(`${filter}:${month}`)}
                of={`${th}เดือน${full}`}
                count={counts[filter]}
              />
            )),
          ],
        })),
      }}
    >
      {EVENTS.map(({ filter, th }) => (
        <Fragment key={filter}>
          <h3 className="mt-3 text-sm font-medium first:mt-0">{th}</h3>
          <ColumnChart
            label={`${th}ตามเดือนของปีงบประมาณ`}
            columns={months.map(({ month, short, full, [filter]: n }) => ({
              key: month,
              label: short,
              value: n,
              text: `${full} ${th} ${formatCount(n)} โครงการ`,
              onOpen: n === 0 ? undefined : () => openRows(`${filter}:${month}`),
            }))}
            formatValue={formatCount}
          />
        </Fragment>
      ))}
    </ChartFigure>
  )
}

/** Monthly events. `filter` is the name of the row filter that a click on a month applies, such as `announced:3`. */
const EVENTS = [
  { filter: 'announced', th: 'ประกาศเชิญชวน' },
  { filter: 'calendar_month', th: 'ประกาศผล' },
] as const

function Speed({ speed, decided, scope }: Agency) {
  const { openRows } = useAgencyUrlState()
  const rows = [
    { ...speed, name: 'ทุกวิธี', figure: 'timed' },
    ...speed.by_method.map((row) => ({
      ...row,
      name: getChoiceLabel(PROCUREMENT_METHODS, row.method),
      figure: `timed:${row.method}`,
    })),
  ]
  return (
    <ChartFigure
      title="จากประกาศถึงสัญญากี่วัน"
      scope={
        <>
          {formatStatisticsBlockScope(scope, speed.n, `งานที่รู้ทั้งสองวัน จาก ${formatCount(decided)} งานที่รู้ผล`)} · วันตามปฏิทิน
          จากประกาศเชิญชวนถึงสัญญาแรก
          {speed.backwards > 0 && (
            <span className="block">
              ไม่รวม{' '}
              <ShowStatisticProjectsButton onOpen={() => openRows('backwards')} of="งานที่วันทำสัญญามาก่อนวันประกาศ">
                {formatCount(speed.backwards)} งานที่วันทำสัญญามาก่อนวันประกาศ
              </ShowStatisticProjectsButton>
            </span>
          )}
        </>
      }
      empty={speed.n === 0 ? 'ไม่มีงานที่รู้ทั้งวันประกาศและวันทำสัญญา' : undefined}
      table={{
        caption: 'วันจากประกาศเชิญชวนถึงสัญญาแรก',
        columns: ['วิธีจัดหา', 'งาน', 'ควอร์ไทล์ล่าง', 'มัธยฐาน', 'ควอร์ไทล์บน'],
        rows: rows.map(({ name, figure, n, lower, median, upper }) => ({
          key: figure,
          cells: [
            name,
            <StatisticProjectsCount key="n" onOpen={() => openRows(figure)} of={name} count={n} />,
            ...[lower, median, upper].map((value) => formatOrUnknown(value, formatDayCount)),
          ],
        })),
      }}
    >
      <BarChart
        label="วันจากประกาศเชิญชวนถึงสัญญาแรก (มัธยฐาน)"
        rows={rows.map((row) => ({
          key: row.figure,
          label: row.name,
          value: row.median,
          text: row.median === null ? '–' : `${formatDayCount(row.median)} วัน`,
          note: formatDaysSpread(row),
          onOpen: () => openRows(row.figure),
        }))}
      />
    </ChartFigure>
  )
}
