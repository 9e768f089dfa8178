import type { ReportSearch } from '#contract/report/report-params.ts'
import { getActiveFilters } from '#server/report/filter/report-filters.ts'
import { PROJECT_MARK_KINDS, type ProjectMarkKind } from './mark-cache.ts'

/** `asked` selects only the kinds of marks that the searches use, `all` selects every kind. */
export type ProjectMarkKindSelection = 'all' | 'asked'
export const getRequestedProjectMarkKinds = (
  searches: readonly ReportSearch[],
  marks: ProjectMarkKindSelection,
): ReadonlySet<ProjectMarkKind> => new Set(marks === 'all' ? PROJECT_MARK_KINDS : searches.flatMap(markKindsOf))

// Every report needs the hidden projects, because it leaves them out.
const markKindsOf = (search: ReportSearch): ProjectMarkKind[] => [
  'hidden',
  ...getActiveFilters(search).flatMap(({ filter }) => filter.markKind ?? []),
]
