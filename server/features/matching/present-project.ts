import type { ImpactProject } from '#contract/keyword/keyword-impact.ts'
import { evaluateProject } from './evaluate.ts'
import type { RecentProjects } from './recent-projects.ts'
import type { CompiledRules, MatchProject } from './rules.ts'

/** What of a project is to be highlighted: the words by which these rules find it. */
export function foundWords(rules: readonly CompiledRules[], project: MatchProject): string[] {
  const words = rules
    .flatMap((compiled) => evaluateProject(compiled, project))
    .flatMap((verdict) => (verdict.kind === 'match' ? verdict.matched_words : []))
  return [...new Set(words)]
}

/** A project as lists beside words show it. Money in the database is satang. */
export function presentProject(project: MatchProject, name: string, words: readonly string[]): ImpactProject {
  return {
    project_id: project.project_id,
    name,
    dept_name: project.dept_name,
    dept_sub_name: project.dept_sub_name,
    budget: project.budget_satang === null ? null : project.budget_satang / 100,
    movement_date: project.movement_on,
    words: [...words],
  }
}

/** Shows recent projects by their places. */
export function presentProjects(
  { projects }: RecentProjects,
  names: ReadonlyMap<string, string>,
): (places: readonly number[], rules: readonly CompiledRules[]) => ImpactProject[] {
  return (places, rules) =>
    places.map((place) => {
      const project = projects[place]!
      return presentProject(project, names.get(project.project_id) ?? project.name_spaced, foundWords(rules, project))
    })
}
