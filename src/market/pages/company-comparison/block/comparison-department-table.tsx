import { useId } from 'react'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getChartColourClasses } from '#src/ui/chart/chart-tone.ts'
import { SectionCard } from '#src/ui/section-card.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { CompanyPageLink } from './company-page-link.tsx'
import type { ComparisonBlockProps } from './comparison-block-props.ts'
import { ChartColourDot } from './comparison-series-legend.tsx'

type Row = CompanyComparison['departments'][number]

export function isDepartmentShownInComparison({ cells }: Row, view: string): boolean {
  const winners = cells.flatMap(({ wins }, index) => (wins > 0 ? [index] : []))
  if (view === 'all') return true
  if (view === 'both') return winners.length > 1
  return winners.length === 1 && winners[0] === Number(view) - 1
}

const tint = (wins: number, maxWins: number) => (wins === 0 ? 0 : 0.08 + 0.24 * (wins / maxWins))

const POSITIONS = ['1', '2', '3', '4', '5'] as const

export function ComparisonDepartmentTable({ comparison, companies, search, change }: ComparisonBlockProps) {
  const panel = useId()
  const { departments, departments_total: total } = comparison
  const { departments_of: of = 'all' } = search
  const view = of === 'all' || of === 'both' || Number(of) <= companies.length ? of : 'all'
  const visibleDepartments = departments.filter((row) => isDepartmentShownInComparison(row, view))
  const maxWins = Math.max(1, ...departments.flatMap(({ cells }) => cells.map(({ wins }) => wins)))
  const count = (value: string) => departments.filter((row) => isDepartmentShownInComparison(row, value)).length
  const views = [
    { value: 'all' as const, label: 'ทุกราย' },
    { value: 'both' as const, label: 'ร่วมกัน' },
    ...companies.map(({ index, letter }) => ({ value: POSITIONS[index]!, label: `เฉพาะ ${letter}` })),
  ]
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
        items={views.map((item) => ({ ...item, count: count(item.value) }))}
        value={view}
        onChange={(next) => change({ departments_of: next === 'all' ? undefined : next })}
        panelId={panel}
        className="mb-3 border-b border-line print:hidden"
      />
      <div id={panel} role="tabpanel" aria-label={`หน่วยงาน${views.find(({ value }) => value === view)?.label}`}>
        {visibleDepartments.length === 0 ? (
          <p className="py-6 text-center text-ink-muted">
            {departments.length === 0 ? 'ไม่มีงานที่ชนะในขอบเขตนี้' : 'ไม่มีหน่วยงานในกลุ่มนี้'}
          </p>
        ) : (
          <section
            aria-label="ตารางหน่วยงาน เลื่อนไปด้านข้างได้"
            tabIndex={0}
            className="relative max-h-[32rem] overflow-auto print:max-h-none print:overflow-visible"
          >
            <table className="w-full border-separate border-spacing-x-1.5 border-spacing-y-1">
              <caption className="sr-only">งานที่ชนะและมูลค่าของแต่ละบริษัทในแต่ละหน่วยงาน</caption>
              <thead>
                <tr>
                  <th
                    scope="col"
                    className="sticky top-0 left-0 z-20 bg-surface text-left text-xs font-medium text-ink-muted"
                  >
                    หน่วยงาน
                  </th>
                  {companies.map(({ id, letter, shortName, tone }) => (
                    <th
                      key={id}
                      scope="col"
                      className="sticky top-0 z-10 min-w-28 bg-surface px-2 text-right text-xs font-medium text-ink-muted"
                    >
                      <span className="line-clamp-1">
                        <ChartColourDot tone={tone} className="mr-1.5 size-2" />
                        {letter} {shortName}
                      </span>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="tabular-nums">
                {visibleDepartments.map(({ department, cells }) => (
                  <tr key={department} className="break-inside-avoid">
                    <th
                      scope="row"
                      className="sticky left-0 z-10 max-w-40 min-w-32 bg-surface pr-2 text-left font-normal md:max-w-md"
                    >
                      {department === '' ? 'ไม่ระบุหน่วยงาน' : department}
                    </th>
                    {cells.map(({ wins, value }, index) => {
                      const company = companies[index]!
                      return (
                        <td key={company.id} className="relative rounded-control px-2 py-1 text-right">
                          <span
                            aria-hidden
                            className={classNames(
                              'absolute inset-0 rounded-control',
                              getChartColourClasses(company.tone).background,
                            )}
                            style={{ opacity: tint(wins, maxWins) }}
                          />
                          {wins === 0 ? (
                            <span className="relative text-ink-muted">0</span>
                          ) : (
                            <span className="relative block">
                              <CompanyPageLink company={company} rows={`department:${department}`}>
                                {formatCount(wins)} งาน
                              </CompanyPageLink>
                              <span className="block text-xs">{formatOrUnknown(value, formatBahtCompact)}</span>
                            </span>
                          )}
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </div>
    </SectionCard>
  )
}
