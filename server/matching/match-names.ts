import { PROVINCES } from '#contract/thai/province.ts'
import { normaliseThai, searchForm } from '#contract/thai/thai-text.ts'
import { evaluateProject } from './evaluate.ts'
import { compileRules, type MatchProject, type OrganisationRules } from './rules.ts'

const EVERYWHERE = { all: PROVINCES.map(({ th }) => th) }
const EXCLUDING: ReadonlySet<string> = new Set(['exclude', 'ai_exclude'])

/** What an organisation's lists say of a name that is no project's: the entries that find it, their words, and the exclusion that keeps it out. */
export type NameFinding = {
  readonly keywords: readonly number[]
  readonly words: readonly string[]
  readonly excludedBy: string | null
}

/**
 * Asks the lists of an organisation about names of things that have neither province nor date nor budget of a project: by its words, terms and
 * departments alone, with the switches and approvals that the report goes by.
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
    // A department stands in the unit's name, where no word is highlighted.
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
