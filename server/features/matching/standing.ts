import { takesPart } from '#contract/keyword-term.ts'
import { evaluateProject, type Verdict } from './evaluate.ts'
import { findCandidates } from './find-candidates.ts'
import { coverOf, unionOf } from './keyword-cover.ts'
import type { Pace } from './pace.ts'
import type { RecentProjects } from './recent-projects.ts'
import { compileRules, isActive, type OrganisationRules, type RuleKeyword } from './rules.ts'

/** Where a project of the last 30 days stands under some rules. */
export const OUT = 0
export const IN = 1
export const KEPT_OUT = 2

/** An organisation's rules, and where they put each of the recent projects, in the order of those. */
export type Standing = { readonly rules: OrganisationRules; readonly places: Uint8Array<ArrayBuffer> }

export const isExclusion = ({ list }: Pick<RuleKeyword, 'list'>) => list === 'exclude' || list === 'ai_exclude'

/** The entries that act, by all that decides what they find. */
function actingKeywords(rules: OrganisationRules): Map<string, RuleKeyword> {
  return new Map(
    rules.keywords
      .filter((keyword) => isActive(rules, keyword))
      .map((keyword) => [JSON.stringify([keyword.list, keyword.word, keyword.terms ?? null]), keyword]),
  )
}

/** Entries that act under one of the rules and not under the other. */
function changedKeywords(before: OrganisationRules, after: OrganisationRules): RuleKeyword[] {
  const [old, now] = [actingKeywords(before), actingKeywords(after)]
  return [
    ...[...old].filter(([key]) => !now.has(key)).map(([, keyword]) => keyword),
    ...[...now].filter(([key]) => !old.has(key)).map(([, keyword]) => keyword),
  ]
}

/** Budget, window and areas: where they change, every project is asked again. */
function gateKey({ config, areas }: OrganisationRules): string {
  const { search_by_ai: _ai, search_by_name: _name, search_by_deptsub: _deptsub, ...gate } = config
  return JSON.stringify([gate, areas])
}

/** What the engine said of one project: under the rules, and under the `beside` ones. */
export type Asked = (place: number, verdict: Verdict | undefined, beside: Verdict | undefined) => void

type Options = {
  /** A standing under other rules of the organisation: only what the difference can touch is asked again. */
  readonly from?: Standing | undefined
  /** Rules that are asked of the same projects in passing. */
  readonly beside?: OrganisationRules
  /** Hears of each project that was asked, newest first. */
  readonly onAsked?: Asked
}

/** Where the rules put every recent project, by the engine itself. */
export async function standingUnder(
  recent: RecentProjects,
  rules: OrganisationRules,
  pace: Pace,
  { from, beside, onAsked = () => {} }: Options = {},
): Promise<Standing> {
  const { projects } = recent
  const known = from && gateKey(from.rules) === gateKey(rules) ? from : undefined
  const places = known ? known.places.slice() : new Uint8Array(projects.length)
  const touched = await touchedBy(recent, known?.rules ?? { ...rules, keywords: [], rescued: [] }, rules, places, pace)
  const compiled = compileRules(
    beside
      ? [
          { ...rules, id: OWN },
          { ...beside, id: BESIDE },
        ]
      : [{ ...rules, id: OWN }],
  )
  for (const place of touched) {
    const verdicts = evaluateProject(compiled, projects[place]!)
    const verdict = verdicts.find(({ organisation_id }) => organisation_id === OWN)
    places[place] = verdict?.kind === 'match' ? IN : verdict?.kind === 'excluded' ? KEPT_OUT : OUT
    onAsked(
      place,
      verdict,
      verdicts.find(({ organisation_id }) => organisation_id === BESIDE),
    )
    const rest = pace.rest()
    if (rest) await rest
  }
  return { rules, places }
}
/** Numbers by which the verdicts are told apart. */
const OWN = 1
const BESIDE = 2

/** Places of the projects whose standing may differ between two rules, in their order. */
async function touchedBy(
  { projects }: RecentProjects,
  before: OrganisationRules,
  after: OrganisationRules,
  places: Uint8Array,
  pace: Pace,
): Promise<number[]> {
  const changed = changedKeywords(before, after)
  const [exclusions, inclusions] = [changed.filter(isExclusion), changed.filter((keyword) => !isExclusion(keyword))]
  const touched = new Set<number>()
  const touch = (found: readonly number[]) => {
    for (const place of found) touched.add(place)
  }
  if (inclusions.length > 0) touch(await findCandidates(projects, unionOf(inclusions.map(coverOf)), pace))
  // An exclusion acts only on what an inclusion found.
  if (exclusions.length > 0)
    touch(await findCandidates(projects, unionOf(exclusions.map(coverOf)), pace, (place) => places[place] !== OUT))
  const [old, now] = [new Set(before.rescued), new Set(after.rescued)]
  const rescued = new Set([
    ...before.rescued.filter((id) => !now.has(id)),
    ...after.rescued.filter((id) => !old.has(id)),
  ])
  if (rescued.size > 0)
    for (const [place, project] of projects.entries()) if (rescued.has(project.project_id)) touched.add(place)
  return [...touched].sort((a, b) => a - b)
}

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
