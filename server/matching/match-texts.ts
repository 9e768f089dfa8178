import { departmentText, winnersText } from '#contract/catalogue/project-texts.ts'
import { formsOfLines } from '#server/platform/text/forms-of-lines.ts'
import type { MatchTexts } from './queries/write-matches.ts'
import type { StoredProject } from './queries.ts'

/** The searchable texts of a project that its match rows carry. Departments and winners repeat, so both are kept by text while one run lasts. */
export function createMatchTexts(): (project: StoredProject) => MatchTexts {
  const forms = new Map<string, { compact: string; spaced: string }>()
  const formsOf = (text: string) => {
    let known = forms.get(text)
    if (!known) {
      const own = ownCopy(text)
      known = formsOfLines(own)
      // A full load names 30,000 units and 200,000 winners; past that, start again rather than grow.
      if (forms.size > 100_000) forms.clear()
      forms.set(own, known)
    }
    return known
  }
  return (project) => {
    const department = formsOf(departmentText(project))
    const winner = project.winner_name === null ? null : formsOf(winnersText(project))
    return {
      project_id: project.project_id,
      dept_search: department.compact,
      dept_spaced: department.spaced,
      winner_search: winner?.compact ?? null,
      winner_spaced: winner?.spaced ?? null,
    }
  }
}

/** The same text in memory of its own: a piece of a file that is being read would keep hold of all that was read with it. */
const ownCopy = (text: string): string => Buffer.from(text).toString()
