import { FlexRender, useTable } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { CompanyProject } from '#contract/market/company.ts'
import { classNames } from '#src/lib/class-names.ts'
import {
  type CompanyProjectSort,
  companyProjectColumns,
  companyProjectTableFeatures,
} from './company-project-columns.tsx'

const firstOrder = (sort: CompanyProjectSort) => (sort === 'name' ? sort : `-${sort}`)

export function getNextCompanyProjectOrdering(now: string, sort: CompanyProjectSort): string {
  const first = firstOrder(sort)
  return now === first ? (first === sort ? `-${sort}` : sort) : first
}

type ProjectTableProps = {
  projects: readonly CompanyProject[]
  total: number
  offset: number
  ordering: string
  onOrder: (ordering: string) => void
  caption: string
}

export function CompanyProjectTable({ projects, total, offset, ordering, onOrder, caption }: ProjectTableProps) {
  const table = useTable({
    features: companyProjectTableFeatures,
    columns: companyProjectColumns,
    data: projects,
    getRowId: ({ project_id }) => project_id,
  })
  return (
    <section
      aria-label="ตารางโครงการของบริษัท เลื่อนได้"
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line bg-surface"
    >
      <table
        aria-rowcount={total + 1}
        className="w-full min-w-[68rem] text-table leading-[22px] [&_.text-xs]:leading-5"
      >
        <caption className="sr-only">{caption}</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} aria-rowindex={1}>
              {group.headers.map((header) => {
                const { alignEnd, sort } = header.column.columnDef.meta!
                const isSorted = sort !== undefined && (ordering === sort || ordering === `-${sort}`)
                const isDown = ordering.startsWith('-')
                const Icon = !isSorted ? ChevronsUpDown : isDown ? ArrowDown : ArrowUp
                return (
                  <th
                    key={header.id}
                    scope="col"
                    aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}
                    className={classNames(
                      'border-b border-line bg-surface-muted px-3 py-2 font-medium whitespace-nowrap text-ink-muted',
                      alignEnd ? 'text-right' : 'text-left',
                    )}
                  >
                    {sort === undefined ? (
                      <FlexRender header={header} />
                    ) : (
                      <button
                        type="button"
                        onClick={() => onOrder(getNextCompanyProjectOrdering(ordering, sort))}
                        className={classNames(
                          '-mx-1 inline-flex min-h-6 items-center gap-1 rounded-control px-1 hover:text-ink touch:min-h-11',
                          alignEnd && 'flex-row-reverse',
                        )}
                      >
                        <FlexRender header={header} />
                        <Icon
                          aria-hidden
                          className={classNames('size-3.5', isSorted ? 'text-ink' : 'text-ink-faint')}
                        />
                      </button>
                    )}
                  </th>
                )
              })}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} aria-rowindex={offset + row.index + 2} className="group/row hover:bg-accent-soft">
              {row.getAllCells().map((cell) => {
                const Element = cell.column.id === 'name' ? 'th' : 'td'
                return (
                  <Element
                    key={cell.id}
                    scope={cell.column.id === 'name' ? 'row' : undefined}
                    className={classNames(
                      'border-b border-line px-3 py-2.5 align-top font-normal',
                      cell.column.columnDef.meta!.alignEnd ? 'text-right tabular-nums' : 'text-left',
                      WIDTHS[cell.column.id],
                    )}
                  >
                    <FlexRender cell={cell} />
                  </Element>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const WIDTHS: Readonly<Record<string, string>> = {
  name: 'min-w-72',
  dept_sub_name: 'min-w-44',
  result: 'min-w-36 max-w-56',
  decided_date: 'whitespace-nowrap',
  method: 'min-w-24',
}
