import type { Db } from '#server/platform/engine/db.ts'
import { behind, inBatches, mapInTurns, slices } from '#server/platform/engine/in-batches.ts'
import { evaluateProject, type Verdict } from './evaluate.ts'
import { createMatchTexts } from './match-texts.ts'
import { type KnownWords, oneOfEach, upsertMatches } from './queries/write-matches.ts'
import {
  countBrought,
  countProjects,
  type ExcludedVerdict,
  everMatched,
  loadProjects,
  loadProjectsById,
  loadRules,
  loadRulesFor,
  lockMatching,
  type MatchVerdict,
  removeOthers,
  type StoredProject,
  saveNewestOutside,
  upsertExclusions,
} from './queries.ts'
import { type CompiledRules, compileRules, type OrganisationRules } from './rules.ts'

/** Projects in one round trip: large enough that the trip does not matter, small enough to leave the event loop free (about 20 ms of work). */
export const BATCH = 1_000

export type MatchOptions = {
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
  /** Ids of the projects to match; all that the load wrote when absent. */
  readonly only?: readonly string[] | undefined
  /** What was matched while the load was published. */
  readonly along?: Along | undefined
}
type Along = {
  readonly matching: MatchingAlong
  /** Projects that the load wrote although they were there before. */
  readonly rewritten: ReadonlySet<string>
}
/** Match rows written, and projects that exclusion words kept out, over all organisations. */
export type MatchedLoad = { readonly matched: number; readonly excluded: number }

export const isMatch = (verdict: Verdict): verdict is MatchVerdict => verdict.kind === 'match'
export const isExcluded = (verdict: Verdict): verdict is ExcludedVerdict => verdict.kind === 'excluded'

/** Keeps the newest date by organisation. */
export function recordNewestOutside(newest: Map<number, string>, verdicts: readonly Verdict[]): void {
  for (const verdict of verdicts) {
    if (verdict.kind !== 'outside_window' || verdict.date === null) continue
    const known = newest.get(verdict.organisation_id)
    if (known === undefined || verdict.date > known) newest.set(verdict.organisation_id, verdict.date)
  }
}

const NOTHING: MatchedLoad = { matched: 0, excluded: 0 }

type Prepared = {
  readonly projects: readonly StoredProject[]
  readonly verdicts: readonly Verdict[]
  readonly matches: readonly MatchVerdict[]
  /** What the matches say (`oneOfEach`). */
  readonly said: readonly MatchVerdict[]
  readonly exclusions: readonly ExcludedVerdict[]
}

/** An organisation's beside each other. */
function byOrganisation(matches: readonly MatchVerdict[]): MatchVerdict[] {
  const own = Map.groupBy(matches, (match) => match.organisation_id)
  return [...own].sort(([a], [b]) => a - b).flatMap(([, some]) => some)
}

/** Matches batches of projects of one load and counts what was written. */
class Matcher {
  readonly #tx: Db
  readonly #loadId: number
  readonly #rules: CompiledRules
  readonly #areValuesStored: boolean
  readonly #textsOf = createMatchTexts()
  readonly #known: KnownWords = new Map()
  matched = 0
  excluded = 0

  constructor(tx: Db, loadId: number, rules: CompiledRules, areValuesStored = false) {
    this.#areValuesStored = areValuesStored
    this.#tx = tx
    this.#loadId = loadId
    this.#rules = rules
  }

  async prepare(projects: readonly StoredProject[]): Promise<Prepared> {
    const verdicts = (await mapInTurns(projects, (project) => evaluateProject(this.#rules, project))).flat()
    const matches = byOrganisation(verdicts.filter(isMatch))
    return {
      projects,
      verdicts,
      matches,
      said: oneOfEach(matches),
      exclusions: verdicts.filter(isExcluded),
    }
  }

  async write({ projects, matches, said, exclusions }: Prepared): Promise<void> {
    const ids = (isNew: boolean) =>
      projects.filter((project) => project.is_new === isNew).map((project) => project.project_id)
    const fresh = ids(true)
    // One that is new has matches when its load is matched once more.
    const again = await everMatched(this.#tx, fresh)
    const unmatched = new Set(fresh.filter((id) => !again.has(id)))
    await removeOthers(this.#tx, 'project_matches', [...ids(false), ...again], matches)
    await removeOthers(this.#tx, 'match_exclusions', ids(false), exclusions)
    const byId = new Map(projects.map((project) => [project.project_id, project]))
    await upsertMatches(this.#tx, this.#loadId, matches, (id) => this.#textsOf(byId.get(id)!), {
      anew: true,
      areValuesStored: this.#areValuesStored,
      known: this.#known,
      said,
      hasRow: ({ project_id }) => !unmatched.has(project_id),
    })
    await upsertExclusions(this.#tx, exclusions)
    this.matched += matches.length
    this.excluded += exclusions.length
  }
}

/** The matching of a load's new projects while they are being published; `matchLoad` ends it. */
export type MatchingAlong = {
  prepare(projects: readonly StoredProject[]): Promise<() => Promise<void>>
  /** What was matched so far. */
  readonly counts: MatchedLoad
  /** The newest movement that only the window of an organisation kept out, and whose it is. */
  readonly outside: ReadonlyMap<number, { readonly date: string; readonly projectId: string }>
}

/**
 * Begins to match in the transaction that publishes a load, before its first project is written. The values of projects are stored before they are prepared (`storeValues`). No other
 * matching goes on until the transaction ends, so a change of a list waits while the load is published.
 */
export async function matchAlong(tx: Db, loadId: number): Promise<MatchingAlong> {
  await lockMatching(tx)
  const matcher = new Matcher(tx, loadId, compileRules(await loadRules(tx)), true)
  const outside = new Map<number, { date: string; projectId: string }>()
  return {
    async prepare(projects) {
      const prepared = await matcher.prepare(projects)
      return async () => {
        await matcher.write(prepared)
        for (const verdict of prepared.verdicts) {
          if (verdict.kind !== 'outside_window' || verdict.date === null) continue
          const { organisation_id, date, project_id: projectId } = verdict
          const known = outside.get(organisation_id)
          if (known === undefined || date > known.date) outside.set(organisation_id, { date, projectId })
        }
      }
    },
    get counts() {
      return { matched: matcher.matched, excluded: matcher.excluded }
    },
    outside,
  }
}

/**
 * Matches the projects that a load wrote against every organisation (D8), inside the transaction that publishes the load, so that
 * projects and matches become visible together. Rows that no longer match are removed; what the report filters by is written anew
 * for each project that matches, also when only an untracked field changed.
 *
 * Change status (D3) is never stored: a row whose `first_load` is the latest published load is New while no winner is known, one that
 * was known and whose `changed_load` is the latest is Updated. So in the very first load all that is not awarded is New. A seed that wants a report that looks alive publishes a full load as of
 * yesterday first, and then one load of today.
 */
export async function matchLoad(tx: Db, loadId: number, options: MatchOptions = {}): Promise<MatchedLoad> {
  await lockMatching(tx)
  const rules = await loadRulesFor(tx, loadId)
  const matcher = new Matcher(tx, loadId, compileRules(rules))
  const newest = new Map<number, string>()
  const { along } = options
  const only = along ? leftBy(along, rules) : options.only
  const first = along && only ? along.matching.counts : NOTHING
  const again = only && first.matched + first.excluded > 0 ? await countBrought(tx, loadId, only) : NOTHING
  const total = only?.length ?? (await countProjects(tx, loadId))
  let done = 0
  await inBatches({
    read: projectsOf(tx, loadId, only),
    // Of those that are left some were matched along as they were before their last record.
    prepare: (projects: readonly StoredProject[]) =>
      matcher.prepare(along ? projects.map((project) => ({ ...project, is_new: false })) : projects),
    async write(prepared) {
      await matcher.write(prepared)
      recordNewestOutside(newest, prepared.verdicts)
      done += prepared.projects.length
      options.onProgress?.({ done, total })
    },
  })
  if (along && only)
    for (const [organisation, { date }] of along.matching.outside)
      if (date > (newest.get(organisation) ?? '')) newest.set(organisation, date)
  await saveNewestOutside(tx, newest)
  return {
    matched: first.matched - again.matched + matcher.matched,
    excluded: first.excluded - again.excluded + matcher.excluded,
  }
}

/**
 * Which projects are still to be matched: those that were written again, and those of whose documents words are known. All of the load (undefined) when one of them had
 * said what the newest movement outside a window is: which comes after it is not kept.
 */
function leftBy({ matching, rewritten }: Along, rules: readonly OrganisationRules[]): readonly string[] | undefined {
  const left = new Set(rewritten)
  for (const { documented } of rules) for (const [projectId] of documented ?? []) left.add(projectId)
  for (const { projectId } of matching.outside.values()) if (left.has(projectId)) return undefined
  return [...left].sort()
}

function projectsOf(tx: Db, loadId: number, only: readonly string[] | undefined) {
  if (only === undefined)
    return behind(BATCH, (last?: StoredProject) =>
      loadProjects(tx, { after: last?.project_id ?? '', limit: BATCH, loadId }),
    )
  return slices(only, BATCH, (ids) => loadProjectsById(tx, ids))
}
