import { Link } from '@tanstack/react-router'
import { getChoiceLabel, PROCUREMENT_METHOD_TYPES, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { formatAgencySearch } from '#contract/market/agency-params.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { useShowMore } from '#src/lib/use-show-more.ts'
import {
  ShowStatisticProjectsButton,
  StatisticProjectsCount,
} from '#src/market/statistics-scope/show-project-rows-button.tsx'
import { formatStatisticsBlockScope } from '#src/market/statistics-scope/statistics-scope-text.ts'
import { Button } from '#src/ui/button.tsx'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import type { AgencyBlockProps } from './agency-block-props.ts'

type Row = {
  readonly key: string
  readonly name: string
  readonly n: number
  readonly value: number | null
  readonly rows: string
}

const money = (value: number | null) => (value === null ? 'ไม่ทราบมูลค่า' : `${formatBahtCompact(value)} บาท`)

type KindsProps = {
  title: string
  columnTitle: string
  scope: string
  empty: string
  rows: readonly Row[]
  openRows: (rows: string) => void
}

function KindsChart({ title, columnTitle, scope, empty, rows, openRows }: KindsProps) {
  const { visibleRows, nextCount, showMore } = useShowMore(rows)
  return (
    <ChartFigure
      title={title}
      scope={scope}
      empty={rows.length === 0 ? empty : undefined}
      table={{
        caption: title,
        columns: [columnTitle, 'งาน', 'มูลค่า (บาท)'],
        numeric: [1, 2],
        rows: rows.map(({ key, name, n, value, rows: figure }) => ({
          key,
          cells: [
            name,
            <StatisticProjectsCount key="n" onOpen={() => openRows(figure)} of={name} count={n} />,
            formatOrUnknown(value, formatBahtCompact),
          ],
        })),
      }}
    >
      <BarChart
        label={title}
        rows={visibleRows.map(({ key, name, n, value, rows: figure }) => ({
          key,
          label: name,
          value,
          text: money(value),
          note: `${formatCount(n)} งาน`,
          onOpen: () => openRows(figure),
        }))}
      />
      {nextCount > 0 && (
        <Button size="sm" variant="quiet" onClick={showMore} className="mt-2">
          แสดงอีก {formatCount(nextCount)}
        </Button>
      )}
    </ChartFigure>
  )
}

export function AgencyPurchases({ answer, openRows }: Pick<AgencyBlockProps, 'answer' | 'openRows'>) {
  const { scope, decided, by_type, by_method, by_group } = answer
  const ofAll = formatStatisticsBlockScope(scope, decided, 'งานที่รู้ผล รวมที่บุคคลธรรมดาชนะ')
  const matched = by_group.reduce((sum, { n }) => sum + n, 0)
  return (
    <>
      <KindsChart
        title="ซื้ออะไร"
        columnTitle="ประเภทการจัดหา"
        scope={ofAll}
        empty="ยังไม่มีงานที่รู้ผลในขอบเขตนี้"
        rows={by_type.map(({ method_type: type, n, value }) => ({
          key: type,
          name: getChoiceLabel(PROCUREMENT_METHOD_TYPES, type),
          n,
          value,
          rows: `type:${type}`,
        }))}
        openRows={openRows}
      />
      <KindsChart
        title="ซื้อด้วยวิธีใด"
        columnTitle="วิธีจัดหา"
        scope={ofAll}
        empty="ยังไม่มีงานที่รู้ผลในขอบเขตนี้"
        rows={by_method.map(({ method, n, value }) => ({
          key: method,
          name: getChoiceLabel(PROCUREMENT_METHODS, method),
          n,
          value,
          rows: `method:${method}`,
        }))}
        openRows={openRows}
      />
      <KindsChart
        title="ตรงกลุ่มคำของเรา"
        columnTitle="กลุ่มคำ"
        scope={`โครงการของเราที่หน่วยงานนี้ในขอบเขต ทั้งที่รู้ผลและยังไม่รู้ผล มูลค่านับเฉพาะที่รู้ผล โครงการหนึ่งอยู่ได้หลายกลุ่ม · ${formatCount(matched)} ครั้ง`}
        empty="ไม่มีโครงการของหน่วยงานนี้ที่ตรงคำติดตามในขอบเขตนี้"
        rows={by_group.map(({ group, n, value }) => ({
          key: String(group?.id ?? ''),
          name: group?.name ?? 'คำที่ไม่จัดกลุ่ม',
          n,
          value,
          rows: `group:${group?.id ?? ''}`,
        }))}
        openRows={openRows}
      />
    </>
  )
}

export function AgencyPurchasingUnits({
  answer,
  search,
  openRows,
}: Pick<AgencyBlockProps, 'answer' | 'search' | 'openRows'>) {
  const { results, total } = answer.units
  const { visibleRows: visibleUnits, nextCount, showMore } = useShowMore(results)
  if (total < 2) return null
  const { rows: _rows, page: _page, ...scopeSearch } = search
  return (
    <ChartFigure
      title="หน่วยซื้อในสังกัด"
      scope={`งานที่รู้ผลของทั้งหน่วยงาน ตามมูลค่า · ${formatCount(total)} หน่วยซื้อ${total > results.length ? ` แสดง ${formatCount(results.length)} แรก` : ''}`}
      table={{
        caption: 'หน่วยซื้อในสังกัด',
        columns: ['หน่วยซื้อ', 'งาน', 'มูลค่า (บาท)'],
        numeric: [1, 2],
        rows: results.map(({ unit, n, value }) => ({
          key: unit,
          cells: [
            unit,
            <StatisticProjectsCount key="n" onOpen={() => openRows(`unit:${unit}`)} of={unit} count={n} />,
            formatOrUnknown(value, formatBahtCompact),
          ],
        })),
      }}
    >
      <ul aria-label="หน่วยซื้อในสังกัด" className="gap-x-8 lg:columns-2">
        {visibleUnits.map(({ unit, n, value }) => (
          <li
            key={unit}
            className="flex break-inside-avoid items-baseline justify-between gap-3 border-b border-line py-1.5"
          >
            <Link
              to="/agencies/$code"
              params={(now) => now as { code: string }}
              search={formatAgencySearch({ ...scopeSearch, ...(unit === search.unit ? {} : { unit }) })}
              aria-current={unit === search.unit || undefined}
              className="min-w-0 rounded-control decoration-line-strong underline-offset-4 hover:underline touch:min-h-11 aria-[current]:font-semibold"
            >
              {unit === answer.agency.name ? `${unit} (ไม่ระบุหน่วยซื้อ)` : unit}
            </Link>
            <span className="shrink-0 text-right tabular-nums">
              {money(value)}
              <span className="block text-xs text-ink-muted">
                <ShowStatisticProjectsButton onOpen={() => openRows(`unit:${unit}`)} of={unit}>
                  {formatCount(n)} งาน
                </ShowStatisticProjectsButton>
              </span>
            </span>
          </li>
        ))}
      </ul>
      {nextCount > 0 && (
        <Button size="sm" variant="quiet" onClick={showMore} className="mt-2">
          แสดงอีก {formatCount(nextCount)}
        </Button>
      )}
    </ChartFigure>
  )
}
