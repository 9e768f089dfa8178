import { PROVINCES } from '#contract/thai/province.ts'
import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { compileMatchRules, type OrganisationMatchRules, type ProjectToMatch } from './compile-match-rules.ts'
import { evaluateProjectMatch } from './evaluate-project.ts'

const ALL_PROVINCES = { all: PROVINCES.map(({ th }) => th) }
const EXCLUSION_LISTS: ReadonlySet<string> = new Set(['exclude', 'ai_exclude'])

export type ProjectNameMatch = {
  readonly keywords: readonly number[]
  readonly words: readonly string[]
  readonly excludedBy: string | null
}

/**
 * Matches names that have no province, date or budget against an organisation's lists: words, terms and departments
 * only, with the organisation's switches and approvals.
 */
export function createNameMatcher(
  rules: OrganisationMatchRules,
): (item: { readonly description: string; readonly unit: string }) => ProjectNameMatch | undefined {
  const { search_by_name = false, search_by_ai = false, search_by_deptsub = false } = rules.config
  const openRules = {
    ...rules,
    config: { search_by_name, search_by_ai, search_by_deptsub },
    areas: ALL_PROVINCES,
    rescued: [],
  }
  const including = compileMatchRules([
    { ...openRules, keywords: openRules.keywords.filter(({ list }) => !EXCLUSION_LISTS.has(list)) },
  ])
  const allRules = compileMatchRules([openRules])
  const entries = new Map(rules.keywords.map((keyword) => [keyword.id, keyword]))
  return ({ description, unit }) => {
    const project: ProjectToMatch = {
      project_id: '',
      name_search: toNormalisedSearchText(description),
      name_spaced: normaliseThai(description),
      dept_name: unit,
      dept_sub_name: '',
      dept_province: null,
      project_province: null,
      budget_satang: null,
      movement_on: null,
    }
    const [inclusion] = evaluateProjectMatch(including, project)
    if (inclusion?.kind !== 'match') return undefined
    const [verdict] = evaluateProjectMatch(allRules, project)
    // Collect the departments separately: they match in the unit's name, where no word is highlighted.
    const units = inclusion.reasons.flatMap(({ keyword }) => {
      const entry = entries.get(keyword)
      return entry?.list === 'deptsub_include' ? [entry.word] : []
    })
    return {
      keywords: [...new Set(inclusion.reasons.map(({ keyword }) => keyword))],
      words: [...new Set([...inclusion.matched_words, ...units])],
      excludedBy: verdict?.kind === 'excluded' ? verdict.word : null,
    }
  }
}
