import { classNames } from '#src/lib/class-names.ts'
import { getColumnStartCssVariable, type RenderedColumns } from './column-layout.ts'

export function getPinnedCellInsetStyle(
  columns: RenderedColumns,
  id: string,
): { insetInlineStart: string } | undefined {
  return columns.stuck.includes(id) ? { insetInlineStart: `var(${getColumnStartCssVariable(id)})` } : undefined
}

const EDGE = 'group-data-scrolled/region:border-r group-data-scrolled/region:border-r-line-strong'

export function getPinnedCellClasses({ stuck }: RenderedColumns, id: string): string | false {
  const at = stuck.indexOf(id)
  return at !== -1 && classNames('sticky z-10', at === stuck.length - 1 && EDGE)
}

export function getSelectionCellClasses({ stuck }: RenderedColumns): string {
  return classNames('sticky start-0 z-10', stuck.length === 0 && EDGE)
}
