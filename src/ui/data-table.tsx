import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type ComponentProps, Fragment, type ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Fact } from './fact.tsx'
import { ExplainButton } from './overlay/explain-button.tsx'

export type DataTableColumn<Row> = {
  readonly head: string
  /** Shown in the table instead of `head`. */
  readonly headContent?: ReactNode
  /** True for a column whose cells need no visible head, such as one of links. */
  readonly isHeadHidden?: boolean
  readonly title?: string
  /** Explanation of the head, which a button next to it opens. */
  readonly means?: string
  readonly cell: (row: Row, index: number) => ReactNode
  readonly isNumeric?: boolean
  readonly sorting?: Sorting | undefined
  readonly className?: string
}

type Sorting = { readonly order: 'ascending' | 'descending' | 'none'; readonly onSort: () => void }

type DataTableProps<Row> = {
  caption: string
  columns: readonly DataTableColumn<NoInfer<Row>>[]
  rows: readonly Row[]
  /** Sections with a heading each, drawn instead of `rows`. */
  groups?: readonly { readonly name: string; readonly heading: ReactNode; readonly rows: readonly Row[] }[] | undefined
  getKey: (row: Row, index: number) => string | number
  nameColumn?: number
  /** Classes of the scroll container of a wide or long table; without them it gets none. */
  frame?: string
  className?: string
  getRowClassName?: (row: Row, index: number) => string
  isBusy?: boolean
  /** Number of all rows and of those on earlier pages, for a table that shows one page. */
  page?: { readonly total: number; readonly offset: number }
}

export function DataTable<Row>({
  caption,
  columns,
  rows,
  groups,
  getKey,
  nameColumn = 0,
  frame,
  className,
  getRowClassName,
  isBusy = false,
  page,
}: DataTableProps<Row>) {
  const cellClasses = (column: DataTableColumn<Row>, classes: string) =>
    classNames(
      'border-b border-line px-2 py-1.5',
      classes,
      column.isNumeric ? 'text-right tabular-nums whitespace-nowrap' : 'text-left',
      column.className,
    )
  const renderRow = (row: Row, rowIndex: number) => (
    <tr
      key={getKey(row, rowIndex)}
      aria-rowindex={page && page.offset + rowIndex + 2}
      className={classNames('break-inside-avoid', getRowClassName?.(row, rowIndex))}
    >
      {columns.map((column, index) => {
        const Cell = index === nameColumn ? 'th' : 'td'
        return (
          <Cell
            key={column.head}
            scope={index === nameColumn ? 'row' : undefined}
            className={cellClasses(column, 'align-top font-normal')}
          >
            {column.cell(row, rowIndex)}
          </Cell>
        )
      })}
    </tr>
  )
  const table = (
    <table
      aria-rowcount={page && page.total + 1}
      aria-busy={isBusy || undefined}
      className={classNames(
        'isolate w-full border-separate border-spacing-0 text-table transition-opacity',
        isBusy && 'opacity-50',
        className,
      )}
    >
      <caption className="sr-only">{caption}</caption>
      {/* Above pinned columns and positioned cells, which would otherwise scroll over it. */}
      <thead className="sticky top-0 z-20 bg-surface text-xs text-ink-muted">
        <tr aria-rowindex={page && 1} className="bg-inherit">
          {columns.map((column) => (
            <th
              key={column.head}
              scope="col"
              title={column.title}
              aria-sort={column.sorting?.order}
              className={cellClasses(column, 'font-medium')}
            >
              <Head column={column} />
            </th>
          ))}
        </tr>
      </thead>
      {groups ? (
        groups.map((group) => (
          <tbody key={group.name}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={columns.length}
                className="border-b border-line bg-surface-muted px-2 py-1.5 text-left font-normal"
              >
                {group.heading}
              </th>
            </tr>
            {group.rows.map(renderRow)}
          </tbody>
        ))
      ) : (
        <tbody>{rows.map(renderRow)}</tbody>
      )}
    </table>
  )
  if (frame === undefined) return table
  return (
    <section aria-label={caption} tabIndex={0} className={classNames('scroll-edges print:bg-none', frame)}>
      {table}
    </section>
  )
}

function Head<Row>({ column }: { column: DataTableColumn<Row> }) {
  const { head, headContent = head, isHeadHidden, means, sorting } = column
  if (isHeadHidden) return <span className="sr-only">{head}</span>
  return (
    <>
      {sorting ? <SortButton {...sorting}>{headContent}</SortButton> : headContent}
      {means && (
        <ExplainButton subject={head} className="-my-1 -mr-1.5 ml-0.5 size-6! touch:size-11!">
          {means}
        </ExplainButton>
      )}
    </>
  )
}

/** Returns how an ordering such as `-value` sorts a column. */
export function getColumnOrder(ordering: string, field: string): Sorting['order'] {
  if (ordering === field) return 'ascending'
  return ordering === `-${field}` ? 'descending' : 'none'
}

const SORT_ICONS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown } as const

export function SortButton({ order, onSort, children, className, ...rest }: Sorting & ComponentProps<'button'>) {
  const Icon = SORT_ICONS[order]
  return (
    <button
      {...rest}
      type="button"
      onClick={onSort}
      className={classNames(
        '-mx-1 inline-flex min-h-6 max-w-full items-center gap-1 rounded-control px-1 whitespace-nowrap hover:text-ink touch:min-h-11',
        className,
      )}
    >
      {children}
      <Icon aria-hidden className={classNames('size-3.5 shrink-0', order === 'none' ? 'text-ink-faint' : 'text-ink')} />
    </button>
  )
}

type DataListProps<Row> = Pick<DataTableProps<Row>, 'caption' | 'columns' | 'rows' | 'getKey' | 'className'>

/** Lists the rows of a `DataTable` for phones: the first column is the heading, cells with a hidden head come last. */
export function DataList<Row>({ caption, columns: [name, ...columns], rows, getKey, className }: DataListProps<Row>) {
  const facts = columns.filter(({ isHeadHidden }) => !isHeadHidden)
  const withoutHead = columns.filter(({ isHeadHidden }) => isHeadHidden)
  return (
    <ul aria-label={caption} className={classNames('divide-y divide-line', className)}>
      {rows.map((row, rowIndex) => (
        <li key={getKey(row, rowIndex)} className="py-3 tabular-nums">
          {name?.cell(row, rowIndex)}
          <dl className="mt-1 grid grid-cols-2 gap-x-4 gap-y-1 text-sm">
            {facts.map(({ head, means, cell }) => (
              <Fact key={head} name={head} means={means}>
                {cell(row, rowIndex)}
              </Fact>
            ))}
          </dl>
          {withoutHead.map(({ head, cell }) => (
            <Fragment key={head}>{cell(row, rowIndex)}</Fragment>
          ))}
        </li>
      ))}
    </ul>
  )
}
