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

/** Projects per round trip: enough to hide latency, yet only about 20 ms of work on the event loop. */
export const BATCH = 1_000

export type MatchOptions = {
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
  /** Project ids to match; absent: all that the load wrote. */
  readonly only?: readonly string[] | undefined
  readonly along?: Along | undefined
}
type Along = {
  readonly matching: MatchingAlong
  /** Existing projects that the load wrote again. */
  readonly rewritten: ReadonlySet<string>
}
/** Totals over all organisations: match rows written, and projects excluded by words. */
export type MatchedLoad = { readonly matched: number; readonly excluded: number }

export const isMatch = (verdict: Verdict): verdict is MatchVerdict => verdict.kind === 'match'
export const isExcluded = (verdict: Verdict): verdict is ExcludedVerdict => verdict.kind === 'excluded'

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
  readonly said: readonly MatchVerdict[]
  readonly exclusions: readonly ExcludedVerdict[]
}

function byOrganisation(matches: readonly MatchVerdict[]): MatchVerdict[] {
  const own = Map.groupBy(matches, (match) => match.organisation_id)
  return [...own].sort(([a], [b]) => a - b).flatMap(([, some]) => some)
}

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
    // A new project already has matches if its load is matched again.
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

/** Matches the new projects of a load while they are published; `matchLoad` completes it. */
export type MatchingAlong = {
  prepare(projects: readonly StoredProject[]): Promise<() => Promise<void>>
  readonly counts: MatchedLoad
  /** Newest movement per organisation excluded only by the window. */
  readonly outside: ReadonlyMap<number, { readonly date: string; readonly projectId: string }>
}

/**
 * Starts matching in the transaction that publishes a load, before its first project is written. Project values must
 * be stored first (`storeValues`). Holds the matching lock until the transaction ends, so list changes wait.
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
 * Matches the projects of a load against every organisation (D8), in the publishing transaction, so projects and
 * matches become visible together. Rows that no longer match are removed; filter columns are rewritten for each match,
 * even if only an untracked field changed.
 * Change status (D3) is derived, not stored: a row is New if `first_load` is the latest published load and there is no
 * winner yet, Updated if it existed before and `changed_load` is the latest. In the very first load everything not
 * awarded is New, so a seed should publish a full load as of yesterday and then one of today.
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
    // Some of these were matched before their last record, so they are no longer new.
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
 * Returns the projects still to be matched: those rewritten, and those with document matches. Undefined (match the
 * whole load) if one of them had set the newest movement outside a window, because the runner-up is not stored.
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
