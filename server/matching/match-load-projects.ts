import type { Db } from '#server/platform/engine/db.ts'
import {
  createPageReader,
  createSliceReader,
  mapInTimeSlices,
  processInBatches,
} from '#server/platform/engine/process-in-batches.ts'
import { type CompiledMatchRules, compileMatchRules, type OrganisationMatchRules } from './compile-match-rules.ts'
import { createMatchTextsBuilder } from './create-match-texts-builder.ts'
import { evaluateProjectMatch, type ProjectVerdict } from './evaluate-project.ts'
import { dedupeMatchesByReasons, type MatchReasonIdCache, upsertProjectMatches } from './queries/write-matches.ts'
import {
  acquireMatchingLock,
  countNewProjectMatches,
  countProjectsToMatch,
  deleteObsoleteVerdicts,
  type ExclusionVerdict,
  findPreviouslyMatchedProjects,
  loadOrganisationMatchRules,
  loadOrganisationMatchRulesForDataLoad,
  loadProjectsToMatch,
  loadProjectsToMatchById,
  type MatchVerdict,
  type StoredProjectToMatch,
  saveNewestDatesOutsideReportWindow,
  upsertMatchExclusions,
} from './queries.ts'

/**
 * Projects per batch: enough to hide the latency of a round trip, yet only about 20 ms of work that blocks the event
 * loop.
 */
export const PROJECTS_PER_MATCH_BATCH = 1_000

export type MatchOptions = {
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
  readonly only?: readonly string[] | undefined
  readonly streamed?: StreamedLoad | undefined
}
type StreamedLoad = {
  readonly matching: DataLoadMatcher
  readonly rewritten: ReadonlySet<string>
}
export type DataLoadMatchCounts = { readonly matched: number; readonly excluded: number }

export const isMatchVerdict = (verdict: ProjectVerdict): verdict is MatchVerdict => verdict.kind === 'match'
export const isExclusionVerdict = (verdict: ProjectVerdict): verdict is ExclusionVerdict => verdict.kind === 'excluded'

export function trackNewestDateOutsideReportWindow(
  newest: Map<number, string>,
  verdicts: readonly ProjectVerdict[],
): void {
  for (const verdict of verdicts) {
    if (verdict.kind !== 'outside_window' || verdict.date === null) continue
    const newestDate = newest.get(verdict.organisation_id)
    if (newestDate === undefined || verdict.date > newestDate) newest.set(verdict.organisation_id, verdict.date)
  }
}

const NO_MATCHES: DataLoadMatchCounts = { matched: 0, excluded: 0 }

type PreparedBatch = {
  readonly projects: readonly StoredProjectToMatch[]
  readonly verdicts: readonly ProjectVerdict[]
  readonly matches: readonly MatchVerdict[]
  readonly distinctMatches: readonly MatchVerdict[]
  readonly exclusions: readonly ExclusionVerdict[]
}

function byOrganisation(matches: readonly MatchVerdict[]): MatchVerdict[] {
  const groups = Map.groupBy(matches, (match) => match.organisation_id)
  return [...groups].sort(([a], [b]) => a - b).flatMap(([, group]) => group)
}

class Matcher {
  readonly #tx: Db
  readonly #loadId: number
  readonly #rules: CompiledMatchRules
  readonly #areValuesStored: boolean
  readonly #textsOf = createMatchTextsBuilder()
  readonly #reasonIds: MatchReasonIdCache = new Map()
  matched = 0
  excluded = 0

  constructor(tx: Db, loadId: number, rules: CompiledMatchRules, areValuesStored = false) {
    this.#areValuesStored = areValuesStored
    this.#tx = tx
    this.#loadId = loadId
    this.#rules = rules
  }

  async prepare(projects: readonly StoredProjectToMatch[]): Promise<PreparedBatch> {
    const verdicts = (await mapInTimeSlices(projects, (project) => evaluateProjectMatch(this.#rules, project))).flat()
    const matches = byOrganisation(verdicts.filter(isMatchVerdict))
    return {
      projects,
      verdicts,
      matches,
      distinctMatches: dedupeMatchesByReasons(matches),
      exclusions: verdicts.filter(isExclusionVerdict),
    }
  }

  async write({ projects, matches, distinctMatches, exclusions }: PreparedBatch): Promise<void> {
    const ids = (isNew: boolean) =>
      projects.filter((project) => project.is_new === isNew).map((project) => project.project_id)
    const newIds = ids(true)
    // A new project can already have matches if the same load is matched twice.
    const alreadyMatched = await findPreviouslyMatchedProjects(this.#tx, newIds)
    const unmatched = new Set(newIds.filter((id) => !alreadyMatched.has(id)))
    await deleteObsoleteVerdicts(this.#tx, 'project_matches', [...ids(false), ...alreadyMatched], matches)
    await deleteObsoleteVerdicts(this.#tx, 'match_exclusions', ids(false), exclusions)
    const byId = new Map(projects.map((project) => [project.project_id, project]))
    await upsertProjectMatches(this.#tx, this.#loadId, matches, (id) => this.#textsOf(byId.get(id)!), {
      shouldRewriteFilters: true,
      areValuesStored: this.#areValuesStored,
      wordIds: this.#reasonIds,
      distinctMatches,
      hasRow: ({ project_id }) => !unmatched.has(project_id),
    })
    await upsertMatchExclusions(this.#tx, exclusions)
    this.matched += matches.length
    this.excluded += exclusions.length
  }
}

export type DataLoadMatcher = {
  prepare(projects: readonly StoredProjectToMatch[]): Promise<() => Promise<void>>
  readonly counts: DataLoadMatchCounts
  /** By organisation, the newest movement of a project that only the window excludes. */
  readonly newestOutside: ReadonlyMap<number, { readonly date: string; readonly projectId: string }>
}

/**
 * Starts matching in the transaction that publishes a load, before its first project is written. Store project values
 * first (`internProjectFieldValues`). Holds the matching lock until the transaction ends, so list changes wait.
 */
export async function startDataLoadMatcher(tx: Db, loadId: number): Promise<DataLoadMatcher> {
  await acquireMatchingLock(tx)
  const matcher = new Matcher(tx, loadId, compileMatchRules(await loadOrganisationMatchRules(tx)), true)
  const newestOutside = new Map<number, { date: string; projectId: string }>()
  return {
    async prepare(projects) {
      const prepared = await matcher.prepare(projects)
      return async () => {
        await matcher.write(prepared)
        for (const verdict of prepared.verdicts) {
          if (verdict.kind !== 'outside_window' || verdict.date === null) continue
          const { organisation_id, date, project_id: projectId } = verdict
          const current = newestOutside.get(organisation_id)
          if (current === undefined || date > current.date) newestOutside.set(organisation_id, { date, projectId })
        }
      }
    },
    get counts() {
      return { matched: matcher.matched, excluded: matcher.excluded }
    },
    newestOutside,
  }
}

/**
 * Matches the projects of a load against every organisation (D8) in the publishing transaction, so that projects and
 * matches become visible together. Removes rows that no longer match, and rewrites the filter columns of each match
 * even if only an untracked field changed. The change status (D3) is derived, not stored: a row is New if `first_load`
 * is the latest published load and there is no winner yet, and Updated if it existed before and `changed_load` is the
 * latest. In the very first load every project without an award is New, so a seed should publish a full load as of
 * yesterday and then one of today.
 */
export async function matchDataLoadProjects(
  tx: Db,
  loadId: number,
  options: MatchOptions = {},
): Promise<DataLoadMatchCounts> {
  await acquireMatchingLock(tx)
  const rules = await loadOrganisationMatchRulesForDataLoad(tx, loadId)
  const matcher = new Matcher(tx, loadId, compileMatchRules(rules))
  const newest = new Map<number, string>()
  const { streamed } = options
  const only = streamed ? remainingProjects(streamed, rules) : options.only
  const streamedCounts = streamed && only ? streamed.matching.counts : NO_MATCHES
  const rematchedCounts =
    only && streamedCounts.matched + streamedCounts.excluded > 0
      ? await countNewProjectMatches(tx, loadId, only)
      : NO_MATCHES
  const total = only?.length ?? (await countProjectsToMatch(tx, loadId))
  let done = 0
  await processInBatches({
    read: readProjectBatches(tx, loadId, only),
    prepare: (projects: readonly StoredProjectToMatch[]) =>
      matcher.prepare(streamed ? projects.map((project) => ({ ...project, is_new: false })) : projects),
    async write(prepared) {
      await matcher.write(prepared)
      trackNewestDateOutsideReportWindow(newest, prepared.verdicts)
      done += prepared.projects.length
      options.onProgress?.({ done, total })
    },
  })
  if (streamed && only)
    for (const [organisation, { date }] of streamed.matching.newestOutside)
      if (date > (newest.get(organisation) ?? '')) newest.set(organisation, date)
  await saveNewestDatesOutsideReportWindow(tx, newest)
  return {
    matched: streamedCounts.matched - rematchedCounts.matched + matcher.matched,
    excluded: streamedCounts.excluded - rematchedCounts.excluded + matcher.excluded,
  }
}

/**
 * Returns the projects still to be matched: those written again and those with document matches. Returns undefined
 * (match the whole load) if one of them is an organisation's newest project outside its window, because the second
 * newest is not stored.
 */
function remainingProjects(
  { matching, rewritten }: StreamedLoad,
  rules: readonly OrganisationMatchRules[],
): readonly string[] | undefined {
  const remaining = new Set(rewritten)
  for (const { documented } of rules) for (const [projectId] of documented ?? []) remaining.add(projectId)
  for (const { projectId } of matching.newestOutside.values()) if (remaining.has(projectId)) return undefined
  return [...remaining].sort()
}

function readProjectBatches(tx: Db, loadId: number, only: readonly string[] | undefined) {
  if (only === undefined)
    return createPageReader(PROJECTS_PER_MATCH_BATCH, (last?: StoredProjectToMatch) =>
      loadProjectsToMatch(tx, { after: last?.project_id ?? '', limit: PROJECTS_PER_MATCH_BATCH, loadId }),
    )
  return createSliceReader(only, PROJECTS_PER_MATCH_BATCH, (ids) => loadProjectsToMatchById(tx, ids))
}
