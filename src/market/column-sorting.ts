import { getColumnOrder } from '#src/ui/data-table.tsx'

/** Returns the sort props of a column. Figures start descending, names ascending; a second click reverses. */
export function getColumnSorting(ordering: string, field: string, onOrder: (ordering: string) => void) {
  const [first, reversed] = field === 'name' ? [field, `-${field}`] : [`-${field}`, field]
  return { order: getColumnOrder(ordering, field), onSort: () => onOrder(ordering === first ? reversed : first) }
}
