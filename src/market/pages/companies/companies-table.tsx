import type { CompanyRow } from '#contract/market/company.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { useShowMore } from '#src/lib/use-show-more.ts'
import { CompanyLink } from '#src/market/company-link.tsx'
import { SortButton } from '#src/ui/data-table.tsx'
import { Fact } from '#src/ui/fact.tsx'
import { BARE_CHECKBOX_CLASSES, Checkbox } from '#src/ui/form/checkbox.tsx'
import { ExplainButton } from '#src/ui/overlay/explain-button.tsx'
import { ShowMoreButton } from '#src/ui/show-more-button.tsx'
import {
  COMPANY_FIGURE_COLUMNS,
  type CompanyColumn,
  type CompanySorting,
  formatCompanyOrdering,
  getNextCompanySorting,
  parseCompanySorting,
} from './companies-columns.tsx'
import type { CompaniesSelection } from './use-companies-selection.ts'
import type { ChangeCompaniesSearchFn } from './use-companies-url-state.ts'

type CompaniesCardsProps = {
  rows: readonly CompanyRow[]
  search: CompanySearch
  selection: CompaniesSelection
  isBusy: boolean
}

type CompaniesTableProps = CompaniesCardsProps & {
  change: ChangeCompaniesSearchFn
  total: number
  offset: number
  caption: string
}

const PINNED = 'sticky left-0 z-10 bg-surface'
const CELL = 'border-b border-line px-2.5 py-2 align-top'
const NAME_COLUMN = { header: 'บริษัท', sort: 'name', isText: true } as const

export function CompaniesTable(props: CompaniesTableProps) {
  const { rows, search, change, selection, total, offset, caption, isBusy } = props
  const headerProps = {
    sorting: parseCompanySorting(search.ordering),
    onSort: (next: CompanySorting) => change({ ordering: formatCompanyOrdering(next) }),
  }
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
          <tr aria-rowindex={1}>
            <HeaderCell column={NAME_COLUMN} className="sticky left-0 z-20" {...headerProps} />
            {COMPANY_FIGURE_COLUMNS.map((column) => (
              <HeaderCell key={column.header} column={column} {...headerProps} />
            ))}
          </tr>
        </thead>
        <tbody className={classNames('transition-opacity', isBusy && 'opacity-50')}>
          {rows.map((company, index) => {
            const isChosen = selection.has(company.id)
            return (
              <tr
                key={company.id}
                aria-rowindex={offset + index + 2}
                className={classNames(
                  'group/row break-inside-avoid',
                  isChosen ? 'bg-accent-soft' : 'hover:bg-surface-muted',
                )}
              >
                <th
                  scope="row"
                  className={classNames(
                    CELL,
                    PINNED,
                    'w-80 min-w-64 text-left font-normal group-hover/row:bg-surface-muted',
                    isChosen && 'bg-accent-soft!',
                  )}
                >
                  <CompanyName company={company} search={search} selection={selection} className="font-medium" />
                </th>
                {COMPANY_FIGURE_COLUMNS.map((column) => (
                  <td
                    key={column.header}
                    className={classNames(CELL, column.isText ? 'text-left' : 'text-right whitespace-nowrap')}
                  >
                    <Figure column={column} company={company} search={search} />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

type HeaderCellProps = {
  column: Omit<CompanyColumn, 'cell'>
  sorting: CompanySorting
  onSort: (sorting: CompanySorting) => void
  className?: string
}

function HeaderCell({ column: { header, sort, isText, title, means }, sorting, onSort, className }: HeaderCellProps) {
  const sortedOrder = sorting.isDescending ? 'descending' : 'ascending'
  const order = sort && (sorting.field === sort ? sortedOrder : 'none')
  return (
    <th
      scope="col"
      title={title}
      aria-sort={order}
      className={classNames(
        'border-b border-line bg-surface-muted px-2.5 py-2 font-medium whitespace-nowrap text-ink-muted touch:py-0',
        isText ? 'text-left' : 'text-right',
        className,
      )}
    >
      {order === undefined ? (
        header
      ) : (
        <SortButton order={order} onSort={() => onSort(getNextCompanySorting(sorting, sort!))}>
          {header}
        </SortButton>
      )}
      {means && (
        <ExplainButton subject={header} className="-my-1 -mr-1.5 ml-0.5 size-6! touch:size-11!">
          {means}
        </ExplainButton>
      )}
    </th>
  )
}

export function CompaniesCards({ rows, search, selection, isBusy }: CompaniesCardsProps) {
  const { visibleRows, nextCount, showMore } = useShowMore(rows)
  return (
    <>
      <ul
        aria-label="บริษัท"
        aria-busy={isBusy}
        className={classNames('flex flex-col gap-3 transition-opacity', isBusy && 'opacity-50')}
      >
        {visibleRows.map((company) => (
          <li
            key={company.id}
            className={classNames(
              'rounded-card border bg-surface p-3.5',
              selection.has(company.id) ? 'border-accent bg-accent-soft' : 'border-line',
            )}
          >
            <CompanyName company={company} search={search} selection={selection} className="text-md font-semibold" />
            <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-1.5 tabular-nums">
              {COMPANY_FIGURE_COLUMNS.map((column) => (
                <Fact key={column.header} name={column.header} means={column.means}>
                  <Figure column={column} company={company} search={search} />
                </Fact>
              ))}
            </dl>
          </li>
        ))}
      </ul>
      <ShowMoreButton count={nextCount} onClick={showMore} />
    </>
  )
}

type CompanyNameProps = {
  company: CompanyRow
  search: CompanySearch
  selection: CompaniesSelection
  className: string
}

function CompanyName({ company, search, selection, className }: CompanyNameProps) {
  const { id, name, tax_id: taxId, is_sme: isSme } = company
  return (
    <div className="flex items-start gap-2.5">
      <Checkbox
        ariaLabel={`เลือก ${name} เพื่อเปรียบเทียบ`}
        checked={selection.has(id)}
        disabled={selection.isFull && !selection.has(id)}
        onChange={() => selection.toggle(company)}
        className={`${BARE_CHECKBOX_CLASSES} touch:-my-2.5 print:hidden`}
      />
      <div className="min-w-0">
        <CompanyLink ref={nameElement(`company ${id}`)} company={company} search={search} className={className}>
          {truncateName(name)}
        </CompanyLink>
        <p className="text-xs text-ink-faint tabular-nums">
          {taxId ?? 'ไม่ทราบเลขประจำตัวผู้เสียภาษี'}
          {isSme !== null && (isSme ? ' · SME' : ' · ไม่ใช่ SME')}
        </p>
      </div>
    </div>
  )
}

type FigureProps = { column: CompanyColumn; company: CompanyRow; search: CompanySearch }

function Figure({ column: { rows, cell }, company, search }: FigureProps) {
  if (rows === undefined) return cell(company)
  return (
    <CompanyLink company={company} search={search} rows={rows} title="ดูโครงการของตัวเลขนี้">
      {cell(company)}
    </CompanyLink>
  )
}
