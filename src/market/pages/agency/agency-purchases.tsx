import { Link } from '@tanstack/react-router'
import { getChoiceLabel, PROCUREMENT_METHOD_TYPES, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { Agency } from '#contract/market/agency.ts'
import { formatAgencySearch } from '#contract/market/agency-params.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatKnownBaht } from '#src/lib/figure-text.ts'
import { useShowMore } from '#src/lib/use-show-more.ts'
import { BreakdownChart } from '#src/market/breakdown-chart.tsx'
import {
  ShowStatisticProjectsButton,
  StatisticProjectsCount,
} from '#src/market/statistics-scope/show-project-rows-button.tsx'
import { formatStatisticsBlockScope } from '#src/market/statistics-scope/statistics-scope-filters.ts'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { ShowMoreButton } from '#src/ui/show-more-button.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { useAgencyUrlState } from './use-agency-url-state.ts'

export function AgencyPurchases({ answer }: { answer: Agency }) {
  const { openRows } = useAgencyUrlState()
  const { scope, decided, by_type, by_method, by_group } = answer
  const decidedScope = formatStatisticsBlockScope(scope, decided, 'งานที่รู้ผล รวมที่บุคคลธรรมดาชนะ')
  const matched = by_group.reduce((sum, { n }) => sum + n, 0)
  return (
    <>
      <BreakdownChart
        title="ซื้ออะไร"
        column="ประเภทการจัดหา"
        projects="งานที่รู้ผล"
        scope={decidedScope}
        rows={by_type.map(({ method_type: type, ...row }) => ({
          ...row,
          rows: `type:${type}`,
          label: getChoiceLabel(PROCUREMENT_METHOD_TYPES, type),
        }))}
        openRows={openRows}
      />
      <BreakdownChart
        title="ซื้อด้วยวิธีใด"
        column="วิธีจัดหา"
        projects="งานที่รู้ผล"
        scope={decidedScope}
        rows={by_method.map(({ method, ...row }) => ({
          ...row,
          rows: `method:${method}`,
          label: getChoiceLabel(PROCUREMENT_METHODS, method),
        }))}
        openRows={openRows}
      />
      <BreakdownChart
        title="ตรงกลุ่มคำของเรา"
        column="กลุ่มคำ"
        projects="โครงการของเรา"
        scope={`โครงการของเราที่หน่วยงานนี้ในขอบเขต ทั้งที่รู้ผลและยังไม่รู้ผล มูลค่านับเฉพาะที่รู้ผล โครงการหนึ่งอยู่ได้หลายกลุ่ม · ${formatCount(matched)} ครั้ง`}
        rows={by_group.map(({ group, ...row }) => ({
          ...row,
          rows: `group:${group?.id ?? ''}`,
          label: group?.name ?? 'คำที่ไม่จัดกลุ่ม',
        }))}
        openRows={openRows}
      />
    </>
  )
}

export function AgencyPurchasingUnits({ answer }: { answer: Agency }) {
  const { search, openRows } = useAgencyUrlState()
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
              {formatKnownBaht(value)}
              <span className="block text-xs text-ink-muted">
                <ShowStatisticProjectsButton onOpen={() => openRows(`unit:${unit}`)} of={unit}>
                  {formatCount(n)} งาน
                </ShowStatisticProjectsButton>
              </span>
            </span>
          </li>
        ))}
      </ul>
      <ShowMoreButton count={nextCount} onClick={showMore} size="sm" variant="quiet" className="mt-2" />
    </ChartFigure>
  )
}
