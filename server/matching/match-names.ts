import { PROVINCES } from '#contract/thai/province.ts'
import { normaliseThai, searchForm } from '#contract/thai/thai-text.ts'
import { evaluateProject } from './evaluate.ts'
import { compileRules, type MatchProject, type OrganisationRules } from './rules.ts'

const EVERYWHERE = { all: PROVINCES.map(({ th }) => th) }
const EXCLUDING: ReadonlySet<string> = new Set(['exclude', 'ai_exclude'])

/** Result for a name that is not a project: matching entries, their words, and the exclusion that hides it. */
export type NameFinding = {
  readonly keywords: readonly number[]
  readonly words: readonly string[]
  readonly excludedBy: string | null
}

/**
 * Matches names without a project's province, date or budget against an organisation's lists: words, terms and
 * departments only, with its switches and approvals.
 */
export function createNameFinder(
  rules: OrganisationRules,
): (named: { readonly description: string; readonly unit: string }) => NameFinding | undefined {
  const { search_by_name = false, search_by_ai = false, search_by_deptsub = false } = rules.config
  const open = {
    ...rules,
    config: { search_by_name, search_by_ai, search_by_deptsub },
    areas: EVERYWHERE,
    rescued: [],
    is_sample_only: false,
  }
  const including = compileRules([{ ...open, keywords: open.keywords.filter(({ list }) => !EXCLUDING.has(list)) }])
  const all = compileRules([open])
  const entries = new Map(rules.keywords.map((keyword) => [keyword.id, keyword]))
  return ({ description, unit }) => {
    const project: MatchProject = {
      project_id: '',
      name_search: searchForm(description),
      name_spaced: normaliseThai(description),
      dept_name: unit,
      dept_sub_name: '',
      dept_province: null,
      project_province: null,
      budget_satang: null,
      movement_on: null,
    }
    const [found] = evaluateProject(including, project)
    if (found?.kind !== 'match') return undefined
    const [verdict] = evaluateProject(all, project)
    // Departments match in the unit's name, where no word is highlighted.
    const units = found.reasons.flatMap(({ keyword }) => {
      const entry = entries.get(keyword)
      return entry?.list === 'deptsub_include' ? [entry.word] : []
    })
    return {
      keywords: [...new Set(found.reasons.map(({ keyword }) => keyword))],
      words: [...new Set([...found.matched_words, ...units])],
      excludedBy: verdict?.kind === 'excluded' ? verdict.word : null,
    }
  }
}
