import { takesPart } from '#contract/matching/keyword-term.ts'
import { evaluateProject, type Verdict } from './evaluate.ts'
import { findCandidates } from './find-candidates.ts'
import { coverOf, unionOf } from './keyword-cover.ts'
import type { RecentProjects } from './recent-projects.ts'
import { type CompiledRules, compileRules, isActive, type OrganisationRules, type RuleKeyword } from './rules.ts'
import type { TimeSlice } from './time-slice.ts'

/** The place of one recent project (last 30 days) under some rules. */
export const OUT = 0
export const IN = 1
export const EXCLUDED = 2

/** An organisation's rules and the place of each recent project under them, in the order of the projects. */
export type Placement = { readonly rules: OrganisationRules; readonly places: Uint8Array<ArrayBuffer> }

export const isExclusion = ({ list }: Pick<RuleKeyword, 'list'>) => list === 'exclude' || list === 'ai_exclude'

/** The active entries, keyed by everything that decides what they find. */
function actingKeywords(rules: OrganisationRules): Map<string, RuleKeyword> {
  return new Map(
    rules.keywords
      .filter((keyword) => isActive(rules, keyword))
      .map((keyword) => [JSON.stringify([keyword.list, keyword.word, keyword.terms ?? null]), keyword]),
  )
}

const inclusions = new WeakMap<OrganisationRules, CompiledRules>()

/** The compiled inclusions of some rules, cached as long as the rules object lives. */
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
  /** Exclusions that were added or removed. */
  readonly exclusions: readonly RuleKeyword[]
  /** Projects whose rescue was added or removed. */
  readonly rescues: ReadonlySet<string>
  /** Projects that an acting word finds in a document under one of them alone. */
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
    // A document is looked into for some lists: what one entry finds under another list is another find.
    const listOf = new Map(active.map(({ id, list }) => [id, list]))
    const places = (rules.documented ?? []).filter(([, keyword]) => listOf.has(keyword))
    return new Map(places.map(([project, keyword]) => [`${project} ${keyword} ${listOf.get(keyword)}`, project]))
  }
  const [old, now] = [acting(before), acting(after)]
  const only = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
    [...one].flatMap(([key, project]) => (other.has(key) ? [] : project))
  return new Set([...only(old, now), ...only(now, old)])
}

/** Budget, window and areas. When one of them changes, every project is evaluated again. */
function gateKey({ config, areas }: OrganisationRules): string {
  const { search_by_ai: _ai, search_by_name: _name, search_by_deptsub: _deptsub, ...gate } = config
  return JSON.stringify([gate, areas])
}

type Options = {
  /** A placement under other rules of the organisation. Then only the projects that the difference can touch are evaluated. */
  readonly from?: Placement | undefined
  /** Added entries whose finds are reported to `onFound`. */
  readonly watched?: readonly RuleKeyword[]
  /**
   * Called for each project that a watched entry finds within the organisation's limits, newest first, with the exclusion that keeps it out. Of the
   * projects that are already in the report only the newest `MOST_IN` are reported.
   */
  readonly onFound?: (place: number, ids: readonly number[], guilty: string | undefined) => void
}

/** Most projects of the report that are tested against watched entries: for each entry, and in all. */
const MOST_IN = { each: 1_000, all: 10_000 } as const

/** Evaluates the place of every recent project under the rules. */
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
  // A project that was in or excluded is found by an inclusion. While that inclusion stays, only exclusions and rescues can change its place.
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

  // Only an added inclusion brings in a project that was out: the old ones do not find it, or its limits keep it out.
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
/** Organisation ids that tell the two verdicts of one project apart. */
const ARRIVING = 1
const WATCHED = 2

const placeOf = (verdict: Verdict | undefined) =>
  verdict?.kind === 'match' ? IN : verdict?.kind === 'excluded' ? EXCLUDED : OUT

/** The same rules without exclusions. The reasons then say which inclusions find a project. */
export function onlyInclusions(rules: OrganisationRules): OrganisationRules {
  return { ...rules, keywords: rules.keywords.filter((keyword) => !isExclusion(keyword)) }
}

/** The exclusions turned into inclusions. The reasons then say which exclusions find a project. */
export function exclusionsAsInclusions(rules: OrganisationRules): OrganisationRules {
  const keywords = rules.keywords.flatMap((keyword): RuleKeyword[] => {
    if (keyword.list === 'exclude') return [{ ...keyword, list: 'include', approved: true }]
    if (keyword.list !== 'ai_exclude') return []
    // A term that is inactive in an exclusion must stay inactive here.
    const terms = keyword.terms?.map((term) =>
      takesPart('ai_exclude', term) ? term : { ...term, state: 'rejected' as const },
    )
    return [{ ...keyword, list: 'ai_include', approved: true, terms: terms ?? null }]
  })
  return { ...rules, config: { ...rules.config, search_by_name: true, search_by_ai: true }, documented: [], keywords }
}
