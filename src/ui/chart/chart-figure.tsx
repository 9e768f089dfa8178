import { ChartColumn, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'

export type ChartTable = {
  readonly caption: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
  readonly numeric?: readonly number[]
}

type ChartFigureProps = {
  title: string
  scope?: ReactNode
  empty?: string | undefined
  table: ChartTable
  actions?: ReactNode
  className?: string
  children: ReactNode
}

const asTables = new Set<string>()

export function ChartFigure({ title, scope, empty, table, actions, className, children }: ChartFigureProps) {
  const headingId = useId()
  const [isTable, setIsTable] = useState(() => asTables.has(title))
  const swap = () => {
    if (isTable) asTables.delete(title)
    else asTables.add(title)
    setIsTable(!isTable)
  }
  return (
    <Card as="section" aria-labelledby={headingId} className={classNames('min-w-0 p-4 lg:p-5', className)}>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-40">
          <h2 id={headingId} className="text-lg font-semibold">
            {title}
          </h2>
          {scope !== undefined && <div className="text-xs text-ink-muted">{scope}</div>}
        </div>
        <div className="flex items-center gap-1 print:hidden">
          {actions}
          {empty === undefined && (
            <Button
              size="sm"
              variant="quiet"
              icon={isTable ? ChartColumn : Table2}
              // The space makes the visible text a separate word of the accessible name, for voice control.
              aria-label={`แสดง${title}เป็น${isTable ? ' กราฟ' : 'ตาราง'}`}
              onClick={swap}
            >
              {isTable ? 'กราฟ' : 'ตาราง'}
            </Button>
          )}
        </div>
      </div>
      <div className="mt-3">
        {empty !== undefined ? (
          <p className="py-6 text-center text-ink-muted">{empty}</p>
        ) : isTable ? (
          <TableTwin {...table} />
        ) : (
          children
        )}
      </div>
    </Card>
  )
}

function TableTwin({ caption, columns, rows, numeric = [] }: ChartTable) {
  const cellClasses = (index: number) =>
    numeric.includes(index) ? 'text-right tabular-nums whitespace-nowrap' : 'text-left'
  return (
    <section aria-label={caption} tabIndex={0} className="max-h-96 overflow-auto">
      <table className="w-full border-collapse text-table">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-surface text-xs text-ink-muted">
          <tr>
            {columns.map((column, index) => (
              <th
                key={column}
                scope="col"
                className={classNames('border-b border-line px-2 py-1.5 font-medium', cellClasses(index))}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => {
                const Cell = index === 0 ? 'th' : 'td'
                return (
                  <Cell
                    key={columns[index]}
                    scope={index === 0 ? 'row' : undefined}
                    className={classNames('border-b border-line px-2 py-1.5 font-normal', cellClasses(index))}
                  >
                    {cell}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
