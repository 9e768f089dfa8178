import { FlexRender, type Header, useTable } from '@tanstack/react-table'
import type { CompanyRow } from '#contract/market/company.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { SortButton } from '#src/ui/data-table.tsx'
import { ExplainButton } from '#src/ui/overlay/explain-button.tsx'
import {
  type CompanySorting,
  companyColumns,
  companyTableFeatures,
  formatCompanyOrdering,
  getNextCompanySorting,
  parseCompanySorting,
} from './companies-columns.tsx'
import { type CompaniesSelection, CompanyCheckbox } from './companies-selection.tsx'
import { CompanyLink } from './company-link.tsx'
import type { ChangeCompaniesSearchFn } from './use-companies-url-state.ts'

type CompaniesTableProps = {
  rows: readonly CompanyRow[]
  search: CompanySearch
  change: ChangeCompaniesSearchFn
  selection: CompaniesSelection
  total: number
  offset: number
  caption: string
  isBusy: boolean
}

const PINNED = 'sticky left-0 z-10 bg-surface'
const CELL = 'border-b border-line px-2.5 py-2 align-top'

export function CompaniesTable(props: CompaniesTableProps) {
  const { rows, search, change, selection, total, offset, caption, isBusy } = props
  const table = useTable({
    features: companyTableFeatures,
    columns: companyColumns,
    data: rows,
    getRowId: ({ id }) => String(id),
  })
  const sorting = parseCompanySorting(search.ordering)
  return (
    <section
      tabIndex={0}
      aria-label="ตารางบริษัท เลื่อนได้"
      aria-busy={isBusy}
      className="relative isolate overflow-x-auto print:overflow-visible rounded-card border border-line bg-surface focus-visible:-outline-offset-2"
    >
      <table
        aria-rowcount={total + 1}
        className="w-full min-w-[1250px] border-separate border-spacing-0 text-table leading-[22px] tabular-nums"
      >
        <caption className="sr-only">{caption}</caption>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} aria-rowindex={1}>
              {group.headers.map((header) => (
                <HeaderCell
                  key={header.id}
                  header={header}
                  sorting={sorting}
                  onSort={(next) => change({ ordering: formatCompanyOrdering(next) })}
                />
              ))}
            </tr>
          ))}
        </thead>
        <tbody className={classNames('transition-opacity', isBusy && 'opacity-50')}>
          {table.getRowModel().rows.map((row) => {
            const company = row.original
            const isChosen = selection.has(company.id)
            return (
              <tr
                key={row.id}
                aria-rowindex={offset + row.index + 2}
                className={classNames(
                  'group/row break-inside-avoid',
                  isChosen ? 'bg-accent-soft' : 'hover:bg-surface-muted',
                )}
              >
                {row.getAllCells().map((cell) => {
                  const meta = cell.column.columnDef.meta
                  if (cell.column.id === 'name')
                    return (
                      <th
                        key={cell.id}
                        scope="row"
                        className={classNames(
                          CELL,
                          PINNED,
                          'w-80 min-w-64 text-left font-normal group-hover/row:bg-surface-muted',
                          isChosen && 'bg-accent-soft!',
                        )}
                      >
                        <div className="flex items-start gap-2.5">
                          <CompanyCheckbox company={company} selection={selection} className="print:hidden" />
                          <div className="min-w-0">
                            <CompanyLink
                              ref={nameElement(`company ${row.id}`)}
                              company={company}
                              search={search}
                              className="font-medium"
                            >
                              <span data-company-name>{truncateName(company.name)}</span>
                            </CompanyLink>
                            <p className="text-xs text-ink-faint">
                              {company.tax_id ?? 'ไม่ทราบเลขประจำตัวผู้เสียภาษี'}
                              {company.is_sme !== null && (company.is_sme ? ' · SME' : ' · ไม่ใช่ SME')}
                            </p>
                          </div>
                        </div>
                      </th>
                    )
                  return (
                    <td
                      key={cell.id}
                      className={classNames(CELL, meta?.alignEnd ? 'text-right whitespace-nowrap' : 'text-left')}
                    >
                      {meta?.rows !== undefined ? (
                        <CompanyLink company={company} search={search} rows={meta.rows} title="ดูโครงการของตัวเลขนี้">
                          <FlexRender cell={cell} />
                        </CompanyLink>
                      ) : (
                        <FlexRender cell={cell} />
                      )}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

type HeaderCellProps = {
  header: Header<typeof companyTableFeatures, CompanyRow>
  sorting: CompanySorting
  onSort: (sorting: CompanySorting) => void
}

function HeaderCell({ header, sorting, onSort }: HeaderCellProps) {
  const { sort, alignEnd = false, title, means } = header.column.columnDef.meta ?? {}
  const sortedOrder = sorting.isDescending ? 'descending' : 'ascending'
  const order = sort && (sorting.field === sort ? sortedOrder : 'none')
  return (
    <th
      scope="col"
      title={title}
      aria-sort={order}
      className={classNames(
        'border-b border-line bg-surface-muted px-2.5 py-2 font-medium whitespace-nowrap text-ink-muted touch:py-0',
        alignEnd ? 'text-right' : 'text-left',
        header.column.id === 'name' && 'sticky left-0 z-20',
      )}
    >
      {order === undefined ? (
        <FlexRender header={header} />
      ) : (
        <SortButton order={order} onSort={() => onSort(getNextCompanySorting(sorting, sort!))}>
          <FlexRender header={header} />
        </SortButton>
      )}
      {means && (
        <ExplainButton
          subject={String(header.column.columnDef.header)}
          className="-my-1 -mr-1.5 ml-0.5 size-6! touch:size-11!"
        >
          {means}
        </ExplainButton>
      )}
    </th>
  )
}
