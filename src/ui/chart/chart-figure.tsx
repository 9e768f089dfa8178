import { ChartColumn, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { DataTable } from '../data-table.tsx'

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
          <DataTable
            caption={table.caption}
            columns={table.columns.map((head, index) => ({
              head,
              isNumeric: table.numeric?.includes(index) ?? false,
              cell: ({ cells }: ChartTable['rows'][number]) => cells[index],
            }))}
            rows={table.rows}
            getKey={({ key }) => key}
            frame="max-h-96 overflow-auto"
          />
        ) : (
          children
        )}
      </div>
    </Card>
  )
}
