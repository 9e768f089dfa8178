import type { KeywordImpactProject } from '#contract/matching/keyword-impact.ts'
import { PROVINCES } from '#contract/thai/province.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import {
  type CompiledMatchRules,
  compileMatchRules,
  type OrganisationMatchRules,
  type ProjectToMatch,
} from './compile-match-rules.ts'
import { evaluateProjectMatch } from './evaluate-project.ts'
import type { StoredMatchReason } from './match-summary.ts'
import type { RecentProjects } from './recent-projects.ts'

const ALL_PROVINCES = { all: PROVINCES.map(({ th }) => th) }

/**
 * Returns a function that lists the keywords and departments that match a project. It ignores the budget, province and
 * date limits, and whether a keyword is approved or its kind of matching switched on.
 */
export function createMatchReasonFinder(
  rules: OrganisationMatchRules,
): (project: ProjectToMatch) => readonly StoredMatchReason[] {
  const compiled: CompiledMatchRules = compileMatchRules([
    {
      ...rules,
      config: { search_by_name: true, search_by_ai: true, search_by_deptsub: true },
      areas: ALL_PROVINCES,
      keywords: rules.keywords.map((keyword) => ({ ...keyword, approved: true })),
    },
  ])
  return (project) => {
    const [verdict] = evaluateProjectMatch(compiled, project)
    return verdict?.kind === 'match' ? verdict.reasons : []
  }
}

const foundBy = (rules: readonly CompiledMatchRules[], project: ProjectToMatch): StoredMatchReason[] =>
  rules
    .flatMap((compiled) => evaluateProjectMatch(compiled, project))
    .flatMap((verdict) => (verdict.kind === 'match' ? verdict.reasons : []))

export function presentKeywordImpactProject(
  project: ProjectToMatch,
  name: string,
  reasons: readonly StoredMatchReason[],
): KeywordImpactProject {
  const inDocuments = reasons.every(({ page }) => page !== undefined)
  return {
    ...(inDocuments && reasons.length > 0 ? { page: reasons[0]!.page! } : {}),
    project_id: project.project_id,
    name,
    dept_name: project.dept_name,
    dept_sub_name: project.dept_sub_name,
    budget: satangToBaht(project.budget_satang),
    movement_date: project.movement_on,
    words: [...new Set(reasons.flatMap(({ terms }) => terms))],
  }
}

export function presentKeywordImpactProjects(
  { projects }: RecentProjects,
  names: ReadonlyMap<string, string>,
): (indexes: readonly number[], rules: readonly CompiledMatchRules[]) => KeywordImpactProject[] {
  return (indexes, rules) =>
    indexes.map((index) => {
      const project = projects[index]!
      return presentKeywordImpactProject(
        project,
        names.get(project.project_id) ?? project.name_spaced,
        foundBy(rules, project),
      )
    })
}
