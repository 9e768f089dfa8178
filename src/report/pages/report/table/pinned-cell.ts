import { classNames } from '#src/lib/class-names.ts'
import { type DrawnColumns, startVariable } from './column-layout.ts'

export function pinnedStart(columns: DrawnColumns, id: string): { insetInlineStart: string } | undefined {
  return columns.stuck.includes(id) ? { insetInlineStart: `var(${startVariable(id)})` } : undefined
}

const EDGE = 'group-data-scrolled/region:border-r group-data-scrolled/region:border-r-line-strong'

/** Classes of a pinned cell; the last one shows an edge once columns scroll under it. */
export function pinnedClasses({ stuck }: DrawnColumns, id: string): string | false {
  const at = stuck.indexOf(id)
  return at !== -1 && classNames('sticky z-10', at === stuck.length - 1 && EDGE)
}

export function leadClasses({ stuck }: DrawnColumns): string {
  return classNames('sticky start-0 z-10', stuck.length === 0 && EDGE)
}
