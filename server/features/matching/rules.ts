import { KEYWORD_LISTS, type KeywordList } from '#contract/organisation.ts'
import { PROVINCES, provinceNamed } from '#contract/province.ts'
import { searchForm } from '#contract/thai-text.ts'
import { compileKeywords, type KeywordMatcher } from '#server/text/word-trie.ts'

/** One organisation's rules as they are stored: `customer_config`, its areas and its watch lists. */
export type OrganisationRules = {
  readonly id: number
  readonly config: {
    readonly min_project_budget?: string
    readonly max_project_budget?: string
    readonly search_by_ai?: boolean
    readonly search_by_name?: boolean
    readonly search_by_deptsub?: boolean
    readonly report_start_date?: string | null
    readonly start_date_report?: string | null
    readonly end_date_report?: string | null
  }
  /** Region code → Thai province names. */
  readonly areas: Readonly<Record<string, readonly string[]>>
  readonly keywords: readonly { readonly list: string; readonly word: string; readonly approved: boolean }[]
}

/** What of a project the rules look at. Money in satang, dates ISO, provinces DOPA codes. */
export type MatchProject = {
  readonly project_id: string
  readonly name_search: string
  readonly name_spaced: string
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly dept_province: number | null
  readonly project_province: number | null
  readonly budget_satang: number | null
  readonly movement_on: string | null
}

/** Place of the AI lists: finds the `ai_include` and `ai_exclude` entries that a project's name means. */
export type MeaningMatcher = (project: MatchProject) => readonly KeywordHit[]
const nothingByMeaning: MeaningMatcher = () => []

/** A watch-list entry that found a project; `words` is what to highlight in its name. */
export type KeywordHit = {
  readonly owner: number
  readonly list: KeywordList
  readonly word: string
  readonly words: readonly string[]
}

/** The part of D8 that is not about words. */
type Gate = {
  readonly minSatang: number
  readonly maxSatang: number
  /** undefined: every province, the unknown one too. */
  readonly provinces: ReadonlySet<number> | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

type Owner = { readonly list: KeywordList; readonly owner: number; readonly word: string }

export type CompiledRules = {
  readonly organisationIds: readonly number[]
  readonly gates: readonly Gate[]
  readonly names: KeywordMatcher<Owner>
  readonly meaning: MeaningMatcher
  /** Search form of a unit's name → the organisations that watch it (D9: the exact unit). */
  readonly units: ReadonlyMap<string, readonly Owner[]>
}

function gateOf({ config, areas }: OrganisationRules): Gate {
  const satang = (baht: string | undefined) => (Number.parseInt(baht ?? '0', 10) || 0) * 100
  const max = satang(config.max_project_budget)
  const provinces = new Set(
    Object.values(areas).flatMap((names) => names.flatMap((name) => provinceNamed(name)?.code ?? [])),
  )
  return {
    minSatang: satang(config.min_project_budget),
    maxSatang: max > 0 ? max : Number.POSITIVE_INFINITY,
    provinces: provinces.size === PROVINCES.length ? undefined : provinces,
    from: config.start_date_report ?? config.report_start_date ?? undefined,
    to: config.end_date_report ?? undefined,
  }
}

const isList = (list: string): list is KeywordList => (KEYWORD_LISTS as readonly string[]).includes(list)

/**
 * Entries that take part (D8, D11): include lists only while their switch is on and only approved words; exclude lists always,
 * since an exclusion word works at once.
 */
function activeKeywords(organisation: OrganisationRules, owner: number): Owner[] {
  const { config } = organisation
  const on: { readonly [L in KeywordList]: boolean } = {
    include: config.search_by_name === true,
    ai_include: config.search_by_ai === true,
    deptsub_include: config.search_by_deptsub === true,
    exclude: true,
    ai_exclude: true,
  }
  return organisation.keywords.flatMap(({ list, word, approved }) => {
    const takesPart = isList(list) && on[list] && (approved || list === 'exclude' || list === 'ai_exclude')
    return takesPart ? [{ list, owner, word }] : []
  })
}

/** Prepares the rules of any number of organisations for many projects: all their words in one trie. */
export function compileRules(organisations: readonly OrganisationRules[], meaning = nothingByMeaning): CompiledRules {
  const keywords = organisations.flatMap(activeKeywords)
  const byName = keywords.filter(({ list }) => list === 'include' || list === 'exclude')
  const units = new Map<string, Owner[]>()
  for (const keyword of keywords) {
    if (keyword.list !== 'deptsub_include') continue
    const unit = searchForm(keyword.word)
    units.set(unit, [...(units.get(unit) ?? []), keyword])
  }
  return {
    organisationIds: organisations.map(({ id }) => id),
    gates: organisations.map(gateOf),
    names: compileKeywords(byName.map((keyword) => ({ id: keyword, expression: keyword.word }))),
    meaning,
    units,
  }
}

/** Why the rest of D8 keeps a project out, or undefined when it lets it in. */
export function refusalOf(gate: Gate, project: MatchProject): 'budget' | 'province' | 'window' | undefined {
  const { budget_satang: budget, movement_on: date } = project
  // Missing budget passes: most drafts have none yet.
  if (budget !== null && (budget < gate.minSatang || budget > gate.maxSatang)) return 'budget'
  if (gate.provinces) {
    // An unknown province is let in only where the organisation may see all 77.
    const province = project.project_province ?? project.dept_province
    if (province === null || !gate.provinces.has(province)) return 'province'
  }
  if (gate.from === undefined && gate.to === undefined) return undefined
  // A window is what the package allows, so a project without any date is outside of every one.
  const inside =
    date !== null && (gate.from === undefined || date >= gate.from) && (gate.to === undefined || date <= gate.to)
  return inside ? undefined : 'window'
}
