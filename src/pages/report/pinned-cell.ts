import type { ReportColumnField } from '#contract/report-columns.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { DrawnColumns } from './column-layout.ts'

/** Where a pinned cell sticks; undefined for the others. */
export function pinnedStart(columns: DrawnColumns, id: string): { insetInlineStart: number } | undefined {
  const offset = columns.offsetOf(id as ReportColumnField)
  return offset === undefined ? undefined : { insetInlineStart: offset }
}

/** Classes of a pinned cell at a stacking height; the last one gets an edge once columns slide under it. */
export function pinnedClasses(columns: DrawnColumns, id: string, height: 'z-10' | 'z-30'): string | false {
  const field = id as ReportColumnField
  const offset = columns.offsetOf(field)
  if (offset === undefined) return false
  const isLast = offset + columns.widthOf(field) === columns.pinnedWidth
  return classNames(
    'sticky',
    height,
    isLast && 'group-data-scrolled/region:border-r group-data-scrolled/region:border-r-line-strong',
  )
}
