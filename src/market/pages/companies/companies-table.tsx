import type { CompanyRow } from '#contract/market/company.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { useShowMore } from '#src/lib/use-show-more.ts'
import { getColumnSorting } from '#src/market/column-sorting.ts'
import { CompanyLink } from '#src/market/company-link.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { Fact } from '#src/ui/fact.tsx'
import { BARE_CHECKBOX_CLASSES, Checkbox } from '#src/ui/form/checkbox.tsx'
import { ShowMoreButton } from '#src/ui/show-more-button.tsx'
import { COMPANY_FIGURE_COLUMNS, type CompanyColumn } from './companies-columns.tsx'
import type { CompaniesSelection } from './use-companies-selection.ts'
import { useCompaniesUrlState } from './use-companies-url-state.ts'

type CompaniesCardsProps = {
  rows: readonly CompanyRow[]
  selection: CompaniesSelection
  isBusy: boolean
}

type CompaniesTableProps = CompaniesCardsProps & { total: number; offset: number; caption: string }

export function CompaniesTable({ rows, selection, total, offset, caption, isBusy }: CompaniesTableProps) {
  const { search, ordering, setOrdering } = useCompaniesUrlState()
  const sortingOf = (field: string) => getColumnSorting(ordering, field, setOrdering)
  return (
    <DataTable
      caption={caption}
      frame="relative isolate overflow-x-auto print:overflow-visible rounded-card border border-line bg-surface focus-visible:-outline-offset-2"
      className="min-w-[1250px] leading-[22px] tabular-nums"
      page={{ total, offset }}
      isBusy={isBusy}
      rows={rows}
      getKey={({ id }) => id}
      getRowClassName={({ id }) => (selection.has(id) ? 'bg-accent-soft' : 'bg-surface hover:bg-surface-muted')}
      columns={[
        {
          head: 'บริษัท',
          sorting: sortingOf('name'),
          className: 'sticky left-0 z-10 w-80 min-w-64 bg-inherit',
          cell: (company) => (
            <CompanyName company={company} search={search} selection={selection} className="font-medium" />
          ),
        },
        ...COMPANY_FIGURE_COLUMNS.map(({ sort, ...column }) => ({
          ...column,
          sorting: sort && sortingOf(sort),
          cell: (company: CompanyRow) => <Figure column={column} company={company} search={search} />,
        })),
      ]}
    />
  )
}

export function CompaniesCards({ rows, selection, isBusy }: CompaniesCardsProps) {
  const { search } = useCompaniesUrlState()
  const { visibleRows, nextCount, showMore } = useShowMore(rows)
  return (
    <>
      <ul aria-label="บริษัท" aria-busy={isBusy} className="flex flex-col gap-3 transition-opacity aria-busy:opacity-50">
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
                <Fact key={column.head} name={column.head} means={column.means}>
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
