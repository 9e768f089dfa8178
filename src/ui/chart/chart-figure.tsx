import { ChartColumn, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { DataTable } from '../data-table.tsx'
import { SectionCard } from '../section-card.tsx'

export type ChartTable = {
  readonly caption: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
  /** Indexes of the columns of numbers; by default all but the first. */
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

const titlesShownAsTable = new Set<string>()

export function ChartFigure({ title, scope, empty, table, actions, className, children }: ChartFigureProps) {
  const [isTable, setIsTable] = useState(() => titlesShownAsTable.has(title))
  const toggleTable = () => {
    if (isTable) titlesShownAsTable.delete(title)
    else titlesShownAsTable.add(title)
    setIsTable(!isTable)
  }
  return (
    <SectionCard
      title={title}
      scope={scope}
      className={className}
      actions={
        <>
          {actions}
          {empty === undefined && (
            <Button
              size="sm"
              variant="quiet"
              icon={isTable ? ChartColumn : Table2}
              // The space makes the visible text a separate word of the accessible name, for voice control.
              aria-label={`แสดง${title}เป็น${isTable ? ' กราฟ' : 'ตาราง'}`}
              onClick={toggleTable}
            >
              {isTable ? 'กราฟ' : 'ตาราง'}
            </Button>
          )}
        </>
      }
    >
      {empty !== undefined ? (
        <p className="py-6 text-center text-ink-muted">{empty}</p>
      ) : isTable ? (
        <DataTable
          caption={table.caption}
          columns={table.columns.map((head, index) => ({
            head,
            isNumeric: table.numeric?.includes(index) ?? index > 0,
            cell: ({ cells }: ChartTable['rows'][number]) => cells[index],
          }))}
          rows={table.rows}
          getKey={({ key }) => key}
          frame="max-h-96 overflow-auto"
        />
      ) : (
        children
      )}
    </SectionCard>
  )
}
