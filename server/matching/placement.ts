import { takesPart } from '#contract/matching/keyword-term.ts'
import { evaluateProject, type Verdict } from './evaluate.ts'
import { findCandidates } from './find-candidates.ts'
import { coverOf, unionOf } from './keyword-cover.ts'
import type { RecentProjects } from './recent-projects.ts'
import { type CompiledRules, compileRules, isActive, type OrganisationRules, type RuleKeyword } from './rules.ts'
import type { TimeSlice } from './time-slice.ts'

/** Placement of a recent project (last 30 days) under some rules. */
export const OUT = 0
export const IN = 1
export const EXCLUDED = 2

/** `places` is in the order of the recent projects. */
export type Placement = { readonly rules: OrganisationRules; readonly places: Uint8Array<ArrayBuffer> }

export const isExclusion = ({ list }: Pick<RuleKeyword, 'list'>) => list === 'exclude' || list === 'ai_exclude'

function actingKeywords(rules: OrganisationRules): Map<string, RuleKeyword> {
  return new Map(
    rules.keywords
      .filter((keyword) => isActive(rules, keyword))
      .map((keyword) => [JSON.stringify([keyword.list, keyword.word, keyword.terms ?? null]), keyword]),
  )
}

const inclusions = new WeakMap<OrganisationRules, CompiledRules>()

export function compiledInclusions(rules: OrganisationRules): CompiledRules {
  let compiled = inclusions.get(rules)
  if (!compiled) {
    compiled = compileRules([onlyInclusions(rules)])
    inclusions.set(rules, compiled)
  }
  return compiled
}

type Difference = {
  readonly addedInclusions: readonly RuleKeyword[]
  readonly removedInclusions: readonly RuleKeyword[]
  readonly exclusions: readonly RuleKeyword[]
  readonly rescues: ReadonlySet<string>
  readonly documented: ReadonlySet<string>
}

function differenceOf(before: OrganisationRules, after: OrganisationRules): Difference {
  const [old, now] = [actingKeywords(before), actingKeywords(after)]
  const removed = [...old].filter(([key]) => !now.has(key)).map(([, keyword]) => keyword)
  const added = [...now].filter(([key]) => !old.has(key)).map(([, keyword]) => keyword)
  const isInclusion = (keyword: RuleKeyword) => !isExclusion(keyword)
  const [then, present] = [new Set(before.rescued), new Set(after.rescued)]
  return {
    addedInclusions: added.filter(isInclusion),
    removedInclusions: removed.filter(isInclusion),
    exclusions: [...removed, ...added].filter(isExclusion),
    rescues: new Set([
      ...before.rescued.filter((id) => !present.has(id)),
      ...after.rescued.filter((id) => !then.has(id)),
    ]),
    documented: documentedApart(before, after),
  }
}

function documentedApart(before: OrganisationRules, after: OrganisationRules): ReadonlySet<string> {
  const acting = (rules: OrganisationRules) => {
    const active = rules.keywords.filter((keyword) => isActive(rules, keyword))
    // The key includes the list, because the same entry under another list is a different match.
    const listOf = new Map(active.map(({ id, list }) => [id, list]))
    const places = (rules.documented ?? []).filter(([, keyword]) => listOf.has(keyword))
    return new Map(places.map(([project, keyword]) => [`${project} ${keyword} ${listOf.get(keyword)}`, project]))
  }
  const [old, now] = [acting(before), acting(after)]
  const only = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
    [...one].flatMap(([key, project]) => (other.has(key) ? [] : project))
  return new Set([...only(old, now), ...only(now, old)])
}

/** Key of budget, window and areas; any change requires a full evaluation. */
function gateKey({ config, areas }: OrganisationRules): string {
  const { search_by_ai: _ai, search_by_name: _name, search_by_deptsub: _deptsub, ...gate } = config
  return JSON.stringify([gate, areas])
}

type Options = {
  /** Placement under other rules of the organisation; only projects affected by the difference are evaluated. */
  readonly from?: Placement | undefined
  readonly watched?: readonly RuleKeyword[]
  /**
   * Called for each project that a watched entry matches within the organisation's limits, newest first, with the
   * exclusion that hides it. Of projects already in the report only the newest `MOST_IN` are reported.
   */
  readonly onFound?: (place: number, ids: readonly number[], guilty: string | undefined) => void
}

const MOST_IN = { each: 1_000, all: 10_000 } as const

export async function placementUnder(
  recent: RecentProjects,
  rules: OrganisationRules,
  timeSlice: TimeSlice,
  { from, watched = [], onFound = () => {} }: Options = {},
): Promise<Placement> {
  const { projects } = recent
  const known = from && gateKey(from.rules) === gateKey(rules) ? from : undefined
  const old = known?.places ?? new Uint8Array(projects.length)
  const difference = differenceOf(known?.rules ?? { ...rules, keywords: [], rescued: [], documented: [] }, rules)
  const { addedInclusions, removedInclusions, exclusions, rescues, documented } = difference
  const places = old.slice()

  const among = (place: number) => old[place] !== OUT
  // These projects already match an inclusion that remains, so only exclusions and rescues can change their placement.
  if (exclusions.length > 0 || rescues.size > 0) {
    const compiled = compileRules([{ ...exclusionsAsInclusions(rules), rescued: [] }])
    const rescued = new Set(rules.rescued)
    const touched = await findCandidates(projects, unionOf(exclusions.map(coverOf)), timeSlice, among)
    if (rescues.size > 0)
      for (const [place, project] of projects.entries())
        if (among(place) && rescues.has(project.project_id)) touched.push(place)
    for (const place of touched) {
      const project = projects[place]!
      const isExcluded = !rescued.has(project.project_id) && evaluateProject(compiled, project)[0]?.kind === 'match'
      places[place] = isExcluded ? EXCLUDED : IN
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
  }
  if (removedInclusions.length > 0) {
    const compiled = compileRules([rules])
    for (const place of await findCandidates(projects, unionOf(removedInclusions.map(coverOf)), timeSlice, among)) {
      places[place] = placeOf(evaluateProject(compiled, projects[place]!)[0])
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
  }

  // Only an added inclusion can bring in a project: the existing ones do not match it, or the limits exclude it.
  if (addedInclusions.length > 0) {
    const arriving = { ...rules, keywords: [...addedInclusions, ...rules.keywords.filter(isExclusion)] }
    const compiled = compileRules([
      { ...arriving, id: ARRIVING },
      { ...rules, id: WATCHED, keywords: watched },
    ])
    const mostIn = Math.min(MOST_IN.all, MOST_IN.each * watched.length)
    let seenIn = 0
    for (const place of await findCandidates(projects, unionOf(addedInclusions.map(coverOf)), timeSlice)) {
      const wasIn = old[place] === IN
      if (wasIn && seenIn >= mostIn) continue
      if (wasIn) seenIn += 1
      const verdicts = evaluateProject(compiled, projects[place]!)
      const verdict = verdicts.find(({ organisation_id }) => organisation_id === ARRIVING)
      if (old[place] === OUT) places[place] = placeOf(verdict)
      const found = verdicts.find(({ organisation_id }) => organisation_id === WATCHED)
      if (found?.kind === 'match')
        onFound(
          place,
          found.reasons.map(({ keyword }) => keyword),
          verdict?.kind === 'excluded' ? verdict.word : undefined,
        )
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
  }
  if (documented.size > 0) {
    const compiled = compileRules([rules])
    for (const [place, project] of projects.entries())
      if (documented.has(project.project_id)) places[place] = placeOf(evaluateProject(compiled, project)[0])
  }
  return { rules, places }
}
/** Distinguish the two verdicts of one project. */
const ARRIVING = 1
const WATCHED = 2

const placeOf = (verdict: Verdict | undefined) =>
  verdict?.kind === 'match' ? IN : verdict?.kind === 'excluded' ? EXCLUDED : OUT

/** Returns the rules without exclusions, so reasons list the matching inclusions. */
export function onlyInclusions(rules: OrganisationRules): OrganisationRules {
  return { ...rules, keywords: rules.keywords.filter((keyword) => !isExclusion(keyword)) }
}

/** Returns the exclusions as inclusions, so reasons list the matching exclusions. */
export function exclusionsAsInclusions(rules: OrganisationRules): OrganisationRules {
  const keywords = rules.keywords.flatMap((keyword): RuleKeyword[] => {
    if (keyword.list === 'exclude') return [{ ...keyword, list: 'include', approved: true }]
    if (keyword.list !== 'ai_exclude') return []
    // Terms inactive in an exclusion must remain inactive.
    const terms = keyword.terms?.map((term) =>
      takesPart('ai_exclude', term) ? term : { ...term, state: 'rejected' as const },
    )
    return [{ ...keyword, list: 'ai_include', approved: true, terms: terms ?? null }]
  })
  return { ...rules, config: { ...rules.config, search_by_name: true, search_by_ai: true }, documented: [], keywords }
}
