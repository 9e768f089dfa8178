import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { AgencyDaysToSignatureStatistics } from '#contract/market/agency.ts'
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
import type { AgencyBlockProps } from './agency-block-props.ts'
import { formatDayCount, formatDaysSpread } from './agency-figures.tsx'

type TimesProps = Pick<AgencyBlockProps, 'answer' | 'openRows'>

export function AgencyProcurementTimes(props: TimesProps) {
  return (
    <>
      <Months {...props} />
      <Years {...props} />
      <Speed {...props} />
    </>
  )
}

const monthly = (months: readonly number[]) => toFiscalYearMonths(months.map((n, at) => ({ month: at + 1, n })))

function Months({ answer: { announced, awarded, scope }, openRows }: TimesProps) {
  const invited = monthly(announced.months)
  const won = new Map(monthly(awarded.months).map(({ month, n }) => [month, n]))
  const usual = findUsualAnnouncementMonths(announced.months.map((n, at) => ({ month: at + 1, n })))
  const figure = (n: number, rows: string, of: string) => (
    <StatisticProjectsCount key={rows} onOpen={() => openRows(rows)} of={of} count={n} />
  )
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
        columns: ['เดือน', 'ประกาศเชิญชวน', 'ประกาศผล'],
        numeric: [1, 2],
        rows: invited.map(({ month, n }) => {
          const { full } = THAI_MONTHS[month - 1]!
          const decided = won.get(month) ?? 0
          return {
            key: String(month),
            cells: [
              full,
              figure(n, `announced:${month}`, `ประกาศเชิญชวนเดือน${full}`),
              figure(decided, `calendar_month:${month}`, `ประกาศผลเดือน${full}`),
            ],
          }
        }),
      }}
    >
      <h3 className="text-sm font-medium">ประกาศเชิญชวน</h3>
      <MonthColumns months={invited} columnTitle="ประกาศเชิญชวน" figure="announced" openRows={openRows} />
      <h3 className="mt-3 text-sm font-medium">ประกาศผล</h3>
      <MonthColumns
        months={monthly(awarded.months)}
        columnTitle="ประกาศผล"
        figure="calendar_month"
        openRows={openRows}
      />
    </ChartFigure>
  )
}

type MonthColumnsProps = {
  months: ReturnType<typeof toFiscalYearMonths>
  columnTitle: string
  /** Name of the row filter that a click on a month applies, such as `announced:3`. */
  figure: 'announced' | 'calendar_month'
  openRows: (rows: string) => void
}

function MonthColumns({ months, columnTitle, figure, openRows }: MonthColumnsProps) {
  return (
    <ColumnChart
      label={`${columnTitle}ตามเดือนของปีงบประมาณ`}
      columns={months.map(({ month, n }) => ({
        key: String(month),
        label: THAI_MONTHS[month - 1]!.short,
        value: n,
        text: `${THAI_MONTHS[month - 1]!.full} ${columnTitle} ${formatCount(n)} โครงการ`,
        onOpen: n === 0 ? undefined : () => openRows(`${figure}:${month}`),
      }))}
      formatValue={formatCount}
    />
  )
}

const yearText = (year: number) => (year === 0 ? 'ไม่ทราบปีงบประมาณ' : `ปีงบประมาณ ${year}`)
function Years({ answer: { by_year, decided, scope }, openRows }: TimesProps) {
  return (
    <BreakdownChart
      title="ซื้อปีละเท่าไร"
      column="ปีงบประมาณ"
      projects="งานที่รู้ผล"
      scope={formatStatisticsBlockScope(scope, decided, 'งานที่รู้ผล รวมที่บุคคลธรรมดาชนะ')}
      rows={by_year.map(({ year, ...row }) => ({ ...row, rows: `year:${year}`, label: yearText(year) }))}
      openRows={openRows}
    />
  )
}

const days = (value: number | null) => formatOrUnknown(value, formatDayCount)

function Speed({ answer: { speed, decided, scope }, openRows }: TimesProps) {
  const rows = [
    { key: 'all', name: 'ทุกวิธี', figure: 'timed', of: speed as AgencyDaysToSignatureStatistics },
    ...speed.by_method.map((row) => ({
      key: row.method,
      name: getChoiceLabel(PROCUREMENT_METHODS, row.method),
      figure: `timed:${row.method}`,
      of: row as AgencyDaysToSignatureStatistics,
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
        numeric: [1, 2, 3, 4],
        rows: rows.map(({ key, name, figure, of }) => ({
          key,
          cells: [
            name,
            <StatisticProjectsCount key="n" onOpen={() => openRows(figure)} of={name} count={of.n} />,
            days(of.lower),
            days(of.median),
            days(of.upper),
          ],
        })),
      }}
    >
      <BarChart
        label="วันจากประกาศเชิญชวนถึงสัญญาแรก (มัธยฐาน)"
        rows={rows.map(({ key, name, figure, of }) => ({
          key,
          label: name,
          value: of.median,
          text: of.median === null ? '–' : `${formatDayCount(of.median)} วัน`,
          note: formatDaysSpread(of),
          onOpen: () => openRows(figure),
        }))}
      />
    </ChartFigure>
  )
}
