import { takesPart } from '#contract/keyword/keyword-term.ts'
import { evaluateProject, type Verdict } from './evaluate.ts'
import { findCandidates } from './find-candidates.ts'
import { coverOf, unionOf } from './keyword-cover.ts'
import type { RecentProjects } from './recent-projects.ts'
import { type CompiledRules, compileRules, isActive, type OrganisationRules, type RuleKeyword } from './rules.ts'
import type { TimeSlice } from './time-slice.ts'

/** Where a project of the last 30 days stands under some rules. */
export const OUT = 0
export const IN = 1
export const EXCLUDED = 2

/** An organisation's rules, and where they put each of the recent projects, in the order of those. */
export type Placement = { readonly rules: OrganisationRules; readonly places: Uint8Array<ArrayBuffer> }

export const isExclusion = ({ list }: Pick<RuleKeyword, 'list'>) => list === 'exclude' || list === 'ai_exclude'

/** The entries that act, by all that decides what they find. */
function actingKeywords(rules: OrganisationRules): Map<string, RuleKeyword> {
  return new Map(
    rules.keywords
      .filter((keyword) => isActive(rules, keyword))
      .map((keyword) => [JSON.stringify([keyword.list, keyword.word, keyword.terms ?? null]), keyword]),
  )
}

const inclusions = new WeakMap<OrganisationRules, CompiledRules>()

/** The inclusions of some rules, prepared once as long as the rules are kept. */
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
  /** Exclusions that came or went. */
  readonly exclusions: readonly RuleKeyword[]
  /** Projects that were rescued, or are no longer. */
  readonly rescues: ReadonlySet<string>
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
  }
}

/** Budget, window and areas: where they change, every project is asked again. */
function gateKey({ config, areas }: OrganisationRules): string {
  const { search_by_ai: _ai, search_by_name: _name, search_by_deptsub: _deptsub, ...gate } = config
  return JSON.stringify([gate, areas])
}

type Options = {
  /** A placement under other rules of the organisation: only what the difference can touch is asked again. */
  readonly from?: Placement | undefined
  /** Entries that come in, which `onFound` hears of. */
  readonly watched?: readonly RuleKeyword[]
  /**
   * Hears of each project that watched entries find within the organisation's limits, newest first, and of the exclusion that keeps it out. Of those
   * that are in the report already only the newest `MOST_IN`.
   */
  readonly onFound?: (place: number, ids: readonly number[], guilty: string | undefined) => void
}

/** Projects of the report that are asked whether watched entries find them: so many for each entry, and in all. */
const MOST_IN = { each: 1_000, all: 10_000 } as const

/** Where the rules put every recent project, by the engine itself. */
export async function placementUnder(
  recent: RecentProjects,
  rules: OrganisationRules,
  timeSlice: TimeSlice,
  { from, watched = [], onFound = () => {} }: Options = {},
): Promise<Placement> {
  const { projects } = recent
  const known = from && gateKey(from.rules) === gateKey(rules) ? from : undefined
  const old = known?.places ?? new Uint8Array(projects.length)
  const difference = differenceOf(known?.rules ?? { ...rules, keywords: [], rescued: [] }, rules)
  const { addedInclusions, removedInclusions, exclusions, rescues } = difference
  const places = old.slice()

  const among = (place: number) => old[place] !== OUT
  // What was in or kept out has an inclusion that finds it. While that one stays, only exclusions and rescues can move it.
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

  // What was out comes in by an added inclusion alone: the others do not find it, or its limits keep it out.
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
  return { rules, places }
}
/** Numbers by which verdicts are told apart. */
const ARRIVING = 1
const WATCHED = 2

const placeOf = (verdict: Verdict | undefined) =>
  verdict?.kind === 'match' ? IN : verdict?.kind === 'excluded' ? EXCLUDED : OUT

/** The same rules without exclusions: which inclusions find a project is then told by its reasons. */
export function onlyInclusions(rules: OrganisationRules): OrganisationRules {
  return { ...rules, keywords: rules.keywords.filter((keyword) => !isExclusion(keyword)) }
}

/** The exclusions as if they were inclusions: which of them find a project is then told by its reasons. */
export function exclusionsAsInclusions(rules: OrganisationRules): OrganisationRules {
  const keywords = rules.keywords.flatMap((keyword): RuleKeyword[] => {
    if (keyword.list === 'exclude') return [{ ...keyword, list: 'include', approved: true }]
    if (keyword.list !== 'ai_exclude') return []
    // A term that does not take part in an exclusion must not take part here.
    const terms = keyword.terms?.map((term) =>
      takesPart('ai_exclude', term) ? term : { ...term, state: 'rejected' as const },
    )
    return [{ ...keyword, list: 'ai_include', approved: true, terms: terms ?? null }]
  })
  return { ...rules, config: { ...rules.config, search_by_name: true, search_by_ai: true }, keywords }
}
