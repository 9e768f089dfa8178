import { formatDepartmentName, formatWinnerNames } from '#contract/catalogue/format-department-name.ts'
import { normaliseSearchTextLines } from '#server/platform/text/to-line-search-forms.ts'
import type { ProjectMatchSearchTexts } from './queries/write-matches.ts'
import type { StoredProjectToMatch } from './queries.ts'

export function createMatchTextsBuilder(): (project: StoredProjectToMatch) => ProjectMatchSearchTexts {
  const forms = new Map<string, { compact: string; spaced: string }>()
  const formsOf = (text: string) => {
    let textForms = forms.get(text)
    if (!textForms) {
      const copy = copyString(text)
      textForms = normaliseSearchTextLines(copy)
      // A full load has 30,000 units and 200,000 winners. At the limit the cache is cleared instead of growing further.
      if (forms.size > 100_000) forms.clear()
      forms.set(copy, textForms)
    }
    return textForms
  }
  return (project) => {
    const department = formsOf(formatDepartmentName(project))
    const winner = project.winner_name === null ? null : formsOf(formatWinnerNames(project))
    return {
      project_id: project.project_id,
      dept_search: department.compact,
      dept_spaced: department.spaced,
      winner_search: winner?.compact ?? null,
      winner_spaced: winner?.spaced ?? null,
    }
  }
}

/** Copies the string, because a slice would retain the whole file buffer that it was cut from. */
const copyString = (text: string): string => Buffer.from(text).toString()
