import type { Column } from '@tanstack/react-table'
import type { ReportRow } from '#contract/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { features } from './report-columns.tsx'

type ReportColumn = Column<typeof features, ReportRow>

/** Distance from the start edge at which a pinned cell sticks; undefined for the others. */
export function pinnedStart(column: ReportColumn): { insetInlineStart: number } | undefined {
  return column.getIsPinned() === 'start' ? { insetInlineStart: column.getStart('start') } : undefined
}

/** Classes of a pinned cell at a stacking height; the last one gets an edge once columns slide under it. */
export function pinnedClasses(column: ReportColumn, height: 'z-10' | 'z-30'): string {
  const isLast = column.getAfter('start') === 0
  return classNames(
    'sticky',
    height,
    isLast &&
      'group-data-scrolled/region:border-r group-data-scrolled/region:shadow-[8px_0_12px_-10px_rgb(15_23_42/0.25)]',
  )
}
