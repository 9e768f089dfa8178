import { useId } from 'react'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getChartColourClasses } from '#src/ui/chart/chart-tone.ts'
import { DataTable } from '#src/ui/data-table.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import type { ComparisonBlockProps } from '../scope/comparison-company.ts'
import { useComparisonUrlState } from '../scope/use-comparison-url-state.ts'
import { CompanyPageLink, getCompanyColumns } from './compared-company-name.tsx'

type Row = CompanyComparison['departments'][number]

export function isDepartmentShownInComparison({ cells }: Row, view: string): boolean {
  const winners = cells.flatMap(({ wins }, index) => (wins > 0 ? [index] : []))
  if (view === 'all') return true
  if (view === 'both') return winners.length > 1
  return winners.length === 1 && winners[0] === Number(view) - 1
}

const POSITIONS = ['1', '2', '3', '4', '5'] as const

export function ComparisonDepartmentTable({ comparison, companies }: ComparisonBlockProps) {
  const panel = useId()
  const { search, change } = useComparisonUrlState()
  const { departments, departments_total: total } = comparison
  const maxWins = Math.max(1, ...departments.flatMap(({ cells }) => cells.map(({ wins }) => wins)))
  const views = [
    { value: 'all' as const, label: 'ทุกราย' },
    { value: 'both' as const, label: 'ร่วมกัน' },
    ...companies.map(({ index, letter }) => ({ value: POSITIONS[index]!, label: `เฉพาะ ${letter}` })),
  ].map((view) => ({ ...view, rows: departments.filter((row) => isDepartmentShownInComparison(row, view.value)) }))
  const view = views.find(({ value }) => value === search.departments_of) ?? views[0]!
  return (
    <SectionCard
      title="หน่วยงาน"
      scope={
        <span className="tabular-nums">
          {formatCount(total)} หน่วยงานที่มีผู้ชนะในบริษัทที่เทียบ
          {departments.length < total && ` แสดง ${formatCount(departments.length)} หน่วยงานที่ชนะมากที่สุด`}
        </span>
      }
    >
      <Tabs
        label="หน่วยงานของใคร"
        items={views.map(({ value, label, rows }) => ({ value, label, count: rows.length }))}
        value={view.value}
        onChange={(next) => change({ departments_of: next === 'all' ? undefined : next })}
        panelId={panel}
        className="mb-3 border-b border-line print:hidden"
      />
      <div id={panel} role="tabpanel" aria-label={`หน่วยงาน${view.label}`}>
        {view.rows.length === 0 ? (
          <p className="py-6 text-center text-ink-muted">
            {departments.length === 0 ? 'ไม่มีงานที่ชนะในขอบเขตนี้' : 'ไม่มีหน่วยงานในกลุ่มนี้'}
          </p>
        ) : (
          <DataTable
            caption="งานที่ชนะและมูลค่าของแต่ละบริษัทในแต่ละหน่วยงาน"
            frame="relative max-h-[32rem] overflow-auto print:max-h-none print:overflow-visible"
            rows={view.rows}
            getKey={({ department }) => department}
            columns={[
              {
                head: 'หน่วยงาน',
                className: 'sticky left-0 z-10 max-w-40 min-w-32 bg-surface md:max-w-md',
                cell: ({ department }) => department || 'ไม่ระบุหน่วยงาน',
              },
              ...getCompanyColumns(companies, 'relative min-w-28', ({ department, cells }: Row, company) => {
                const { wins, value } = cells[company.index]!
                if (wins === 0) return <span className="text-ink-muted">0</span>
                return (
                  <>
                    <span
                      aria-hidden
                      className={classNames('absolute inset-0', getChartColourClasses(company.tone).background)}
                      style={{ opacity: 0.08 + 0.24 * (wins / maxWins) }}
                    />
                    <span className="relative block">
                      <CompanyPageLink company={company} rows={`department:${department}`}>
                        {formatCount(wins)} งาน
                      </CompanyPageLink>
                      <span className="block text-xs">{formatOrUnknown(value, formatBahtCompact)}</span>
                    </span>
                  </>
                )
              }),
            ]}
          />
        )}
      </div>
    </SectionCard>
  )
}
