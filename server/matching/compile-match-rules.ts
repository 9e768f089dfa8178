import { KEYWORD_LIST_CODES, type KeywordListCode } from '#contract/account/organisation.ts'
import { isActiveKeyword } from '#contract/matching/active-keyword.ts'
import { isKeywordTermActive, type KeywordTerm } from '#contract/matching/keyword-term.ts'
import { findProvinceByName, PROVINCES } from '#contract/thai/province.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { isWholeWord, requiresWordBoundaries } from '#server/matching/meaning/word-borders.ts'
import {
  compileKeywordMatcher,
  type KeywordMatch,
  type KeywordMatcher,
  type MultiTermKeyword,
  type PlainTerm,
} from '#server/platform/text/keyword-matcher.ts'
import { MatchSummaryPool } from './match-summary.ts'

export type MatchRuleTerm = Pick<KeywordTerm, 'term' | 'source' | 'state' | 'facet'>
/**
 * A watch-list entry. Only entries of AI lists have `terms`; if `terms` is null or absent, no terms are stored and the
 * word matches literally.
 */
export type MatchRuleKeyword = {
  readonly id: number
  readonly list: string
  readonly word: string
  readonly approved: boolean
  readonly terms?: readonly MatchRuleTerm[] | null
}

export type OrganisationMatchRules = {
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
  readonly areas: Readonly<Record<string, readonly string[]>>
  readonly keywords: readonly MatchRuleKeyword[]
  /** Projects included despite an exclusion word (N1). */
  readonly rescued: readonly string[]
  /** Projects that a user starred or labelled or that are on the board; the report window does not apply to them. */
  readonly followed?: readonly string[]
  /** Pages of projects' public documents that contain a word of the list `include` (decision 0120). */
  readonly documented?: readonly DocumentOccurrence[]
}

export type DocumentOccurrence = readonly [projectId: string, keywordId: number, page: number]

/** Project fields used by the rules. Money in satang, dates ISO, provinces DOPA codes. */
export type ProjectToMatch = {
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

/**
 * A watch-list entry that matches a project; `words` are highlighted in the project's name. All projects that match
 * through the same words share one object.
 */
export type KeywordHit = KeywordMatch<CompiledMatchRuleKeyword>

/** The limits of D8 that do not concern words: budget, provinces and the report window. */
export type MatchLimits = {
  readonly minSatang: number
  readonly maxSatang: number
  /** Undefined allows every province and also projects without a province. */
  readonly provinces: ReadonlySet<number> | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

/** `owner` is the index of the organisation in `organisationIds`. */
export type CompiledMatchRuleKeyword = {
  readonly id: number
  readonly list: KeywordListCode
  readonly owner: number
  readonly word: string
}

export type CompiledMatchRules = {
  readonly organisationIds: readonly number[]
  readonly gates: readonly MatchLimits[]
  readonly rescued: readonly ReadonlySet<string>[]
  readonly followed: readonly ReadonlySet<string>[]
  readonly names: KeywordMatcher<CompiledMatchRuleKeyword>
  readonly units: ReadonlyMap<string, readonly KeywordHit[]>
  readonly documents: ReadonlyMap<string, readonly DocumentKeywordHit[]>
  readonly summaries: MatchSummaryPool
}

export type DocumentKeywordHit = { readonly entry: CompiledMatchRuleKeyword; readonly page: number }

export const toPackageProvinces = (areas: OrganisationMatchRules['areas']): ReadonlySet<number> =>
  new Set(Object.values(areas).flatMap((names) => names.flatMap((name) => findProvinceByName(name)?.code ?? [])))

export function toMatchLimits({ config, areas }: OrganisationMatchRules): MatchLimits {
  const satang = (baht: string | undefined) => (Number.parseInt(baht ?? '0', 10) || 0) * 100
  const max = satang(config.max_project_budget)
  const provinces = toPackageProvinces(areas)
  return {
    minSatang: satang(config.min_project_budget),
    maxSatang: max > 0 ? max : Number.POSITIVE_INFINITY,
    provinces: provinces.size === PROVINCES.length ? undefined : provinces,
    from: config.start_date_report ?? config.report_start_date ?? undefined,
    to: config.end_date_report ?? undefined,
  }
}

export const isKeywordListCode = (list: string): list is KeywordListCode =>
  (KEYWORD_LIST_CODES as readonly string[]).includes(list)

export function getMatchingTerms(
  list: 'ai_include' | 'ai_exclude',
  { word, terms }: Pick<MatchRuleKeyword, 'word' | 'terms'>,
): Pick<MultiTermKeyword<unknown>, 'standalone' | 'sides'> {
  const stored: readonly MatchRuleTerm[] = terms ?? [{ term: word, source: 'literal', state: 'auto', facet: 0 }]
  const ofFacet = (facet: number): PlainTerm[] =>
    stored.flatMap((term) =>
      term.facet === facet && isKeywordTermActive(list, term)
        ? [{ text: term.term, wholeWord: requiresWordBoundaries(toNormalisedSearchText(term.term)) }]
        : [],
    )
  // A side (facet) whose terms were all rejected still counts, so only standalone terms can match.
  const facets = new Set(stored.flatMap(({ facet }) => (facet > 0 ? [facet] : [])))
  return { standalone: ofFacet(0), sides: [...facets].map(ofFacet) }
}

export function compileMatchRules(organisations: readonly OrganisationMatchRules[]): CompiledMatchRules {
  const byName: { id: CompiledMatchRuleKeyword; expression: string }[] = []
  const byTerms: MultiTermKeyword<CompiledMatchRuleKeyword>[] = []
  const units = new Map<string, KeywordHit[]>()
  const documents = new Map<string, DocumentKeywordHit[]>()
  for (const [owner, organisation] of organisations.entries()) {
    for (const keyword of organisation.keywords) {
      const { id, list, word } = keyword
      if (!isKeywordListCode(list) || !isActiveKeyword(organisation, keyword)) continue
      const entry = { id, list, owner, word }
      if (list === 'include' || list === 'exclude') byName.push({ id: entry, expression: word })
      else if (list !== 'deptsub_include') byTerms.push({ id: entry, ...getMatchingTerms(list, keyword) })
      else {
        const unit = toNormalisedSearchText(word)
        const hit = { id: entry, words: [] }
        const hits = units.get(unit)
        if (hits) hits.push(hit)
        else units.set(unit, [hit])
      }
    }
    addDocuments(documents, organisation, owner)
  }
  return {
    organisationIds: organisations.map(({ id }) => id),
    gates: organisations.map(toMatchLimits),
    rescued: organisations.map(({ rescued }) => new Set(rescued)),
    followed: organisations.map(({ followed = [] }) => new Set(followed)),
    names: compileKeywordMatcher(byName, { keywords: byTerms, isWholeWord }),
    units,
    documents,
    summaries: new MatchSummaryPool(),
  }
}

function addDocuments(
  documents: Map<string, DocumentKeywordHit[]>,
  organisation: OrganisationMatchRules,
  owner: number,
): void {
  const { documented = [] } = organisation
  if (documented.length === 0) return
  const acting = new Map(
    organisation.keywords.flatMap((keyword) =>
      keyword.list === 'include' && isActiveKeyword(organisation, keyword) ? [[keyword.id, keyword]] : [],
    ),
  )
  for (const [projectId, id, page] of documented) {
    const keyword = acting.get(id)
    if (!keyword) continue
    const hit = { entry: { id, list: 'include', owner, word: keyword.word }, page } as const
    const hits = documents.get(projectId)
    if (hits) hits.push(hit)
    else documents.set(projectId, [hit])
  }
}

/** Returns the first D8 limit that excludes a project, or undefined. */
export function findExceededMatchLimit(
  gate: MatchLimits,
  project: ProjectToMatch,
): 'budget' | 'province' | 'window' | undefined {
  const { budget_satang: budget, movement_on: date } = project
  // A project without a budget passes, because most drafts have none yet.
  if (budget !== null && (budget < gate.minSatang || budget > gate.maxSatang)) return 'budget'
  if (gate.provinces) {
    // A project without a province passes only if the organisation may see all 77.
    const province = project.project_province ?? project.dept_province
    if (province === null || !gate.provinces.has(province)) return 'province'
  }
  if (gate.from === undefined && gate.to === undefined) return undefined
  // The window is a limit of the subscription, so a project without a date is always outside.
  const isInside =
    date !== null && (gate.from === undefined || date >= gate.from) && (gate.to === undefined || date <= gate.to)
  return isInside ? undefined : 'window'
}
