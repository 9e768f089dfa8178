import { isActiveKeyword } from '#contract/matching/active-keyword.ts'
import { isKeywordTermActive } from '#contract/matching/keyword-term.ts'
import {
  type CompiledMatchRules,
  compileMatchRules,
  type MatchRuleKeyword,
  type OrganisationMatchRules,
} from './compile-match-rules.ts'
import { evaluateProjectMatch, type ProjectVerdict } from './evaluate-project.ts'
import { findCandidateProjects } from './find-candidate-projects.ts'
import { computeKeywordPrefilter, mergeKeywordPrefilters } from './keyword-cover.ts'
import type { RecentProjects } from './recent-projects.ts'
import type { TimeSlicer } from './time-slicer.ts'

export const RULE_OUTCOME_NOT_MATCHED = 0
export const RULE_OUTCOME_MATCHED = 1
export const RULE_OUTCOME_EXCLUDED = 2

export type ProjectRuleOutcomes = { readonly rules: OrganisationMatchRules; readonly states: Uint8Array<ArrayBuffer> }

export const isExclusionKeyword = ({ list }: Pick<MatchRuleKeyword, 'list'>) =>
  list === 'exclude' || list === 'ai_exclude'

function activeKeywords(rules: OrganisationMatchRules): Map<string, MatchRuleKeyword> {
  return new Map(
    rules.keywords
      .filter((keyword) => isActiveKeyword(rules, keyword))
      .map((keyword) => [JSON.stringify([keyword.list, keyword.word, keyword.terms ?? null]), keyword]),
  )
}

const inclusions = new WeakMap<OrganisationMatchRules, CompiledMatchRules>()

export function compileInclusionRules(rules: OrganisationMatchRules): CompiledMatchRules {
  let compiled = inclusions.get(rules)
  if (!compiled) {
    compiled = compileMatchRules([removeExclusionKeywords(rules)])
    inclusions.set(rules, compiled)
  }
  return compiled
}

type Difference = {
  readonly addedInclusions: readonly MatchRuleKeyword[]
  readonly removedInclusions: readonly MatchRuleKeyword[]
  readonly exclusions: readonly MatchRuleKeyword[]
  readonly rescues: ReadonlySet<string>
  readonly documented: ReadonlySet<string>
}

function diffRules(before: OrganisationMatchRules, after: OrganisationMatchRules): Difference {
  const [old, now] = [activeKeywords(before), activeKeywords(after)]
  const removed = [...old].filter(([key]) => !now.has(key)).map(([, keyword]) => keyword)
  const added = [...now].filter(([key]) => !old.has(key)).map(([, keyword]) => keyword)
  const isInclusion = (keyword: MatchRuleKeyword) => !isExclusionKeyword(keyword)
  const [rescuedBefore, rescuedAfter] = [new Set(before.rescued), new Set(after.rescued)]
  return {
    addedInclusions: added.filter(isInclusion),
    removedInclusions: removed.filter(isInclusion),
    exclusions: [...removed, ...added].filter(isExclusionKeyword),
    rescues: new Set([
      ...before.rescued.filter((id) => !rescuedAfter.has(id)),
      ...after.rescued.filter((id) => !rescuedBefore.has(id)),
    ]),
    documented: documentedDifference(before, after),
  }
}

function documentedDifference(before: OrganisationMatchRules, after: OrganisationMatchRules): ReadonlySet<string> {
  const acting = (rules: OrganisationMatchRules) => {
    const active = rules.keywords.filter((keyword) => isActiveKeyword(rules, keyword))
    // The key includes the list, because the same entry under another list is a different match.
    const listOf = new Map(active.map(({ id, list }) => [id, list]))
    const occurrences = (rules.documented ?? []).filter(([, keyword]) => listOf.has(keyword))
    return new Map(occurrences.map(([project, keyword]) => [`${project} ${keyword} ${listOf.get(keyword)}`, project]))
  }
  const [old, now] = [acting(before), acting(after)]
  const onlyIn = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>) =>
    [...a].flatMap(([key, project]) => (b.has(key) ? [] : project))
  return new Set([...onlyIn(old, now), ...onlyIn(now, old)])
}

/** Returns a key of budget, window and areas. If the key changes, every project must be evaluated again. */
function gateKey({ config, areas }: OrganisationMatchRules): string {
  const { search_by_ai: _ai, search_by_name: _name, search_by_deptsub: _deptsub, ...gate } = config
  return JSON.stringify([gate, areas])
}

type PlacementOptions = {
  readonly from?: ProjectRuleOutcomes | undefined
  readonly watched?: readonly MatchRuleKeyword[]
  /**
   * Called for each project that a watched entry matches within the organisation's limits, newest first, with the
   * exclusion word that hides the project, if any. For projects already in the report, only the newest
   * `MAX_WATCHED_IN_REPORT` are passed.
   */
  readonly onMatch?: (index: number, ids: readonly number[], guilty: string | undefined) => void
}

const MAX_WATCHED_IN_REPORT = { each: 1_000, all: 10_000 } as const

export async function computeProjectRuleOutcomes(
  recent: RecentProjects,
  rules: OrganisationMatchRules,
  timeSlice: TimeSlicer,
  { from, watched = [], onMatch = () => {} }: PlacementOptions = {},
): Promise<ProjectRuleOutcomes> {
  const { projects } = recent
  const base = from && gateKey(from.rules) === gateKey(rules) ? from : undefined
  const oldStates = base?.states ?? new Uint8Array(projects.length)
  const difference = diffRules(base?.rules ?? { ...rules, keywords: [], rescued: [], documented: [] }, rules)
  const { addedInclusions, removedInclusions, exclusions, rescues, documented } = difference
  const states = oldStates.slice()

  const among = (index: number) => oldStates[index] !== RULE_OUTCOME_NOT_MATCHED
  // Projects in `among` match a remaining inclusion, so only exclusions and rescues can move them.
  if (exclusions.length > 0 || rescues.size > 0) {
    const compiled = compileMatchRules([{ ...convertExclusionKeywordsToInclusions(rules), rescued: [] }])
    const rescued = new Set(rules.rescued)
    const touched = await findCandidateProjects(
      projects,
      mergeKeywordPrefilters(exclusions.map(computeKeywordPrefilter)),
      timeSlice,
      among,
    )
    if (rescues.size > 0)
      for (const [index, project] of projects.entries())
        if (among(index) && rescues.has(project.project_id)) touched.push(index)
    for (const index of touched) {
      const project = projects[index]!
      const isExcluded =
        !rescued.has(project.project_id) && evaluateProjectMatch(compiled, project)[0]?.kind === 'match'
      states[index] = isExcluded ? RULE_OUTCOME_EXCLUDED : RULE_OUTCOME_MATCHED
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
  }
  if (removedInclusions.length > 0) {
    const compiled = compileMatchRules([rules])
    for (const index of await findCandidateProjects(
      projects,
      mergeKeywordPrefilters(removedInclusions.map(computeKeywordPrefilter)),
      timeSlice,
      among,
    )) {
      states[index] = stateOf(evaluateProjectMatch(compiled, projects[index]!)[0])
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
  }

  // All other projects can enter the report only by an added inclusion.
  if (addedInclusions.length > 0) {
    const arriving = { ...rules, keywords: [...addedInclusions, ...rules.keywords.filter(isExclusionKeyword)] }
    const compiled = compileMatchRules([
      { ...arriving, id: ARRIVING_ID },
      { ...rules, id: WATCHED_ID, keywords: watched },
    ])
    const maxInReport = Math.min(MAX_WATCHED_IN_REPORT.all, MAX_WATCHED_IN_REPORT.each * watched.length)
    let seenIn = 0
    for (const index of await findCandidateProjects(
      projects,
      mergeKeywordPrefilters(addedInclusions.map(computeKeywordPrefilter)),
      timeSlice,
    )) {
      const wasIn = oldStates[index] === RULE_OUTCOME_MATCHED
      if (wasIn && seenIn >= maxInReport) continue
      if (wasIn) seenIn += 1
      const verdicts = evaluateProjectMatch(compiled, projects[index]!)
      const verdict = verdicts.find(({ organisation_id }) => organisation_id === ARRIVING_ID)
      if (oldStates[index] === RULE_OUTCOME_NOT_MATCHED) states[index] = stateOf(verdict)
      const watchedVerdict = verdicts.find(({ organisation_id }) => organisation_id === WATCHED_ID)
      if (watchedVerdict?.kind === 'match')
        onMatch(
          index,
          watchedVerdict.reasons.map(({ keyword }) => keyword),
          verdict?.kind === 'excluded' ? verdict.word : undefined,
        )
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
  }
  if (documented.size > 0) {
    const compiled = compileMatchRules([rules])
    for (const [index, project] of projects.entries())
      if (documented.has(project.project_id)) states[index] = stateOf(evaluateProjectMatch(compiled, project)[0])
  }
  return { rules, states }
}
const ARRIVING_ID = 1
const WATCHED_ID = 2

const stateOf = (verdict: ProjectVerdict | undefined) =>
  verdict?.kind === 'match'
    ? RULE_OUTCOME_MATCHED
    : verdict?.kind === 'excluded'
      ? RULE_OUTCOME_EXCLUDED
      : RULE_OUTCOME_NOT_MATCHED

export function removeExclusionKeywords(rules: OrganisationMatchRules): OrganisationMatchRules {
  return { ...rules, keywords: rules.keywords.filter((keyword) => !isExclusionKeyword(keyword)) }
}

export function convertExclusionKeywordsToInclusions(rules: OrganisationMatchRules): OrganisationMatchRules {
  const keywords = rules.keywords.flatMap((keyword): MatchRuleKeyword[] => {
    if (keyword.list === 'exclude') return [{ ...keyword, list: 'include', approved: true }]
    if (keyword.list !== 'ai_exclude') return []
    // Terms that are inactive in the exclusion must not become active in the inclusion, so mark them as rejected.
    const terms = keyword.terms?.map((term) =>
      isKeywordTermActive('ai_exclude', term) ? term : { ...term, state: 'rejected' as const },
    )
    return [{ ...keyword, list: 'ai_include', approved: true, terms: terms ?? null }]
  })
  return { ...rules, config: { ...rules.config, search_by_name: true, search_by_ai: true }, documented: [], keywords }
}
