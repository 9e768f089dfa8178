import { createContext, useContext } from 'react'
import { type Label, type LabelAssignments, labelsOfProject } from '#contract/account/label.ts'
import type { User } from '#contract/account/user.ts'
import { passagesQuestion } from '#contract/documents/document-words.ts'
import type { ProjectLook } from '#contract/report/project-look.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { TeamLabels } from '#contract/report/team-label.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { highlightWords } from '#contract/search/search-highlight.ts'
import { projectHref } from '#src/lib/project-address.ts'
import type { ShownLabel } from '#src/ui/project/label-chip.tsx'

/**
 * What the rows of a report show besides their own data: the words searched for, today, the user's labels and the team's. The stars are apart
 * (`StarsContext`): one star more is the matter of one row, and all that reads these would be drawn again.
 */
export type RowMarks = {
  readonly nameWords: readonly string[]
  readonly deptWords: readonly string[]
  readonly winnerWords: readonly string[]
  /** The question to a project's documents that shows why it was found in them; undefined when the search did not look there. */
  readonly inDocuments?: string | undefined
  /** Today in Bangkok, ISO. */
  readonly today: string
  /** The report shows what the user has hidden. */
  readonly showsHidden: boolean
  /** The user's labels of a project, then those of the team. */
  readonly labelsOf: (projectId: string) => readonly ShownLabel[]
  /** Colleagues who looked at a project; undefined where nobody says it. */
  readonly looksOf?: ((projectId: string) => readonly ProjectLook[]) | undefined
  /** Address of a project's page, which then knows the list that it was opened from. */
  readonly hrefOf: (projectId: string) => string
}

const NO_LABELS: readonly ShownLabel[] = []

function wordsOf(expression: string | undefined): readonly string[] {
  const parsed = expression === undefined ? undefined : parseSearchExpression(expression)
  return parsed?.ok ? highlightWords(parsed.node) : []
}

type LabelsOfUser = Pick<User, 'project_labels' | 'project_label_assignments'>

/** Which labels a project carries. Own properties only, for a project id is data (R32). */
function labelsFrom<L extends Label>(labels: readonly L[], assignments: LabelAssignments) {
  const byId = new Map(labels.map((label) => [label.id, label]))
  return (projectId: string) => labelsOfProject(assignments, projectId).flatMap((id) => byId.get(id) ?? [])
}

/** Marks for the rows that a search found. `team`: undefined until its labels have come. */
export function rowMarks(search: ReportSearch, user: LabelsOfUser, today: string, team?: TeamLabels): RowMarks {
  const anywhere = wordsOf(search.project_search__in)
  const own = labelsFrom(user.project_labels, user.project_label_assignments)
  const shared =
    team &&
    labelsFrom(
      team.labels.map((label): ShownLabel => ({ ...label, isTeam: true })),
      team.assignments,
    )
  return {
    nameWords: [...anywhere, ...wordsOf(search.project_name__in)],
    deptWords: [...anywhere, ...wordsOf(search.project_dept_sub__in)],
    winnerWords: [...anywhere, ...wordsOf(search.project_winner_name__in)],
    inDocuments: search.document_text__in && passagesQuestion(search.document_text__in),
    today,
    showsHidden: search.project_hidden === true,
    labelsOf: (projectId) => (shared ? [...own(projectId), ...shared(projectId)] : own(projectId)),
    hrefOf: (projectId) => projectHref(projectId, { from: search }),
  }
}

type NameMarks = { readonly words: readonly string[]; readonly watched: readonly string[] }

/**
 * What is told apart in a project's name: words of the present search and terms that a search by meaning found are marked, words of the
 * watch lists are underlined.
 */
export function nameMarks(row: Pick<ReportRow, 'matched_words' | 'deep'>, nameWords: readonly string[]): NameMarks {
  return { words: [...nameWords, ...(row.deep?.phrases ?? [])], watched: row.matched_words }
}

export const RowMarksContext = createContext<RowMarks>({
  nameWords: [],
  deptWords: [],
  winnerWords: [],
  today: '1970-01-01',
  showsHidden: false,
  labelsOf: () => NO_LABELS,
  hrefOf: projectHref,
})

export function useRowMarks(): RowMarks {
  return useContext(RowMarksContext)
}

/** Ids of the projects that the user has starred. For lists, which give each row its own star. */
export const StarsContext = createContext<ReadonlySet<string>>(new Set())

export function useStars(): ReadonlySet<string> {
  return useContext(StarsContext)
}
