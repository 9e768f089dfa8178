import { departmentText, winnersText } from '#contract/catalogue/project-texts.ts'
import { formsOfLines } from '#server/platform/text/forms-of-lines.ts'
import type { MatchTexts } from './queries/write-matches.ts'
import type { StoredProject } from './queries.ts'

export function createMatchTextsReader(): (project: StoredProject) => MatchTexts {
  const forms = new Map<string, { compact: string; spaced: string }>()
  const formsOf = (text: string) => {
    let textForms = forms.get(text)
    if (!textForms) {
      const copy = copyString(text)
      textForms = formsOfLines(copy)
      // A full load has 30,000 units and 200,000 winners; beyond that, clear the cache instead of growing.
      if (forms.size > 100_000) forms.clear()
      forms.set(copy, textForms)
    }
    return textForms
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

/** Copies the string, because a slice would retain the whole file buffer that it was cut from. */
const copyString = (text: string): string => Buffer.from(text).toString()
