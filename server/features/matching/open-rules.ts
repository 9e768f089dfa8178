import { PROVINCES } from '#contract/project/province.ts'
import type { MatchReason } from './evaluate.ts'
import { evaluateProject } from './evaluate.ts'
import { type CompiledRules, compileRules, type MatchProject, type OrganisationRules } from './rules.ts'

const EVERYWHERE = { all: PROVINCES.map(({ th }) => th) }

/** Entries of some rules that find a project, whatever its budget, province and dates. Every entry given is asked. */
export function createFinder(rules: OrganisationRules): (project: MatchProject) => readonly MatchReason[] {
  const compiled: CompiledRules = compileRules([
    {
      ...rules,
      config: { search_by_name: true, search_by_ai: true, search_by_deptsub: true },
      areas: EVERYWHERE,
      is_sample_only: false,
      keywords: rules.keywords.map((keyword) => ({ ...keyword, approved: true })),
    },
  ])
  return (project) => {
    const [verdict] = evaluateProject(compiled, project)
    return verdict?.kind === 'match' ? verdict.reasons : []
  }
}
