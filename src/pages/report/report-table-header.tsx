import { FlexRender, type Header, type HeaderGroup } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReportRow } from '#contract/report.ts'
import type { ReportColumnField } from '#contract/report-columns.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { DrawnColumns } from './column-layout.ts'
import { pinnedClasses, pinnedStart } from './pinned-cell.ts'
import type { features } from './report-columns.tsx'

type ReportHeader = Header<typeof features, ReportRow>

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

type HeaderRowProps = { group: HeaderGroup<typeof features, ReportRow>; drawn: DrawnColumns }

export function HeaderRow({ group, drawn }: HeaderRowProps) {
  return (
    <tr aria-rowindex={1}>
      {group.headers.map((header) => (
        <HeaderCell key={header.id} header={header} drawn={drawn} />
      ))}
    </tr>
  )
}

function HeaderCell({ header, drawn }: { header: ReportHeader; drawn: DrawnColumns }) {
  const { column } = header
  const sorted = column.getIsSorted()
  const alignEnd = column.columnDef.meta?.alignEnd
  return (
    <th
      scope="col"
      aria-colindex={drawn.placeOf(column.id as ReportColumnField)}
      aria-sort={sorted ? ARIA_SORT[sorted] : undefined}
      style={pinnedStart(drawn, column.id)}
      className={classNames(
        'sticky top-0 border-b border-line bg-surface-muted px-3 py-2 font-medium whitespace-nowrap text-ink-muted',
        alignEnd ? 'text-right' : 'text-left',
        pinnedClasses(drawn, column.id, 'z-30') || 'z-20',
      )}
    >
      {column.getCanSort() ? <SortButton header={header} /> : <FlexRender header={header} />}
    </th>
  )
}

function SortButton({ header }: { header: ReportHeader }) {
  const { column } = header
  const sorted = column.getIsSorted()
  const Icon = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown
  return (
    <button
      type="button"
      onClick={column.getToggleSortingHandler()}
      className={classNames(
        '-mx-1 inline-flex min-h-6 items-center gap-1 rounded-control px-1 whitespace-nowrap hover:text-ink touch:min-h-11',
        sorted && 'font-semibold text-accent-ink',
      )}
    >
      <FlexRender header={header} />
      <Icon aria-hidden className={classNames('size-3.5 shrink-0', !sorted && 'text-ink-faint')} />
    </button>
  )
}
