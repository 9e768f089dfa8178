import { createContext, useContext } from 'react'
import { getProjectLabelIds, type Label, type LabelAssignments } from '#contract/account/label.ts'
import type { Qualifications } from '#contract/account/qualification.ts'
import type { User } from '#contract/account/user.ts'
import { buildPassageSearchQuery } from '#contract/documents/document-search-expression.ts'
import type { ColleagueProjectView } from '#contract/report/project-views.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { TeamLabels } from '#contract/report/team-label.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { getHighlightWords } from '#contract/search/search-highlight.ts'
import { getProjectHref } from '#src/lib/project-url.ts'
import type { DisplayedLabel } from '#src/ui/project/label-chip.tsx'

/**
 * Data that rows show besides their own: search terms, today, labels. Stars have a context of their own,
 * `StarredIdsContext`, because a star affects one row and would otherwise re-render all consumers.
 */
type ProjectRowDisplayData = {
  readonly nameWords: readonly string[]
  readonly deptWords: readonly string[]
  readonly winnerWords: readonly string[]
  /** Search expression that shows why a project's documents matched; undefined when they were not searched. */
  readonly inDocuments?: string | undefined
  readonly today: string
  readonly showsHidden: boolean
  readonly labelsOf: (projectId: string) => readonly DisplayedLabel[]
  readonly bidder?: Qualifications | undefined
  readonly getViews?: ((projectId: string) => readonly ColleagueProjectView[]) | undefined
  readonly hrefOf: (projectId: string) => string
}

const NO_LABELS: readonly DisplayedLabel[] = []

function highlightWordsOf(expression: string | undefined): readonly string[] {
  const parsed = expression === undefined ? undefined : parseSearchExpression(expression)
  return parsed?.ok ? getHighlightWords(parsed.node) : []
}

type UserLabels = Pick<User, 'project_labels' | 'project_label_assignments'>

/** Reads own properties only, because a project id is user-controlled data (R32). */
function labelLookup<L extends Label>(labels: readonly L[], assignments: LabelAssignments) {
  const byId = new Map(labels.map((label) => [label.id, label]))
  return (projectId: string) => getProjectLabelIds(assignments, projectId).flatMap((id) => byId.get(id) ?? [])
}

export function buildProjectRowDisplayData(
  search: ReportSearch,
  user: UserLabels,
  today: string,
  team?: TeamLabels,
): ProjectRowDisplayData {
  const anywhere = highlightWordsOf(search.project_search__in)
  const userLabels = labelLookup(user.project_labels, user.project_label_assignments)
  const shared =
    team &&
    labelLookup(
      team.labels.map((label): DisplayedLabel => ({ ...label, isTeam: true })),
      team.assignments,
    )
  return {
    nameWords: [...anywhere, ...highlightWordsOf(search.project_name__in)],
    deptWords: [...anywhere, ...highlightWordsOf(search.project_dept_sub__in)],
    winnerWords: [...anywhere, ...highlightWordsOf(search.project_winner_name__in)],
    inDocuments: search.document_text__in && buildPassageSearchQuery(search.document_text__in),
    today,
    showsHidden: search.project_hidden === true,
    labelsOf: (projectId) => (shared ? [...userLabels(projectId), ...shared(projectId)] : userLabels(projectId)),
    hrefOf: (projectId) => getProjectHref(projectId, { from: search }),
  }
}

type NameMarks = { readonly words: readonly string[]; readonly watched: readonly string[] }

export function getNameHighlights(
  row: Pick<ReportRow, 'matched_words' | 'deep'>,
  nameWords: readonly string[],
): NameMarks {
  return { words: [...nameWords, ...(row.deep?.phrases ?? [])], watched: row.matched_words }
}

export const ProjectRowDisplayContext = createContext<ProjectRowDisplayData>({
  nameWords: [],
  deptWords: [],
  winnerWords: [],
  today: '1970-01-01',
  showsHidden: false,
  labelsOf: () => NO_LABELS,
  hrefOf: getProjectHref,
})

export function useProjectRowDisplayData(): ProjectRowDisplayData {
  return useContext(ProjectRowDisplayContext)
}

export const StarredIdsContext = createContext<ReadonlySet<string>>(new Set())

export function useStarredIds(): ReadonlySet<string> {
  return useContext(StarredIdsContext)
}
