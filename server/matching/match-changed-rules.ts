import type { RematchScope } from '#server/matching/match-requests.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import {
  type CompiledMatchRules,
  compileMatchRules,
  type OrganisationMatchRules,
  toMatchLimits,
} from './compile-match-rules.ts'
import { createMatchTextsBuilder } from './create-match-texts-builder.ts'
import { evaluateProjectMatch, type ProjectVerdict } from './evaluate-project.ts'
import {
  type DataLoadMatchCounts,
  isExclusionVerdict,
  isMatchVerdict,
  trackNewestDateOutsideReportWindow,
} from './match-load-projects.ts'
import {
  findDocumentMatchCandidates,
  findMatchCandidatesById,
  findNewestMatchCandidates,
  findNewMatchCandidates,
  findProjectsByMovementDay,
  findStoredMatchCandidates,
  loadDepartmentIdFinder,
  loadNewestDateOutsideReportWindow,
  loadRulesVersion,
  loadStoredMatchReasons,
  type MatchCandidate,
} from './queries/changes.ts'
import { removeUnusedMatchReasons, upsertProjectMatches } from './queries/write-matches.ts'
import {
  acquireMatchingLock,
  deleteObsoleteVerdicts,
  loadOrganisationMatchRules,
  loadProjectsToMatchById,
  loadPublishedDataLoadIds,
  type MatchVerdict,
  type StoredProjectToMatch,
  saveNewestDatesOutsideReportWindow,
  upsertMatchExclusions,
} from './queries.ts'
import { type RematchOptions, rematchOrganisation } from './rematch-organisation.ts'
import { createRuleChangeMatchers, type PartialRematchScope, type RuleChangeMatchers } from './rule-change-matchers.ts'

/**
 * Projects in the first slice. The report opens with the newest projects, so a small first slice updates them at once;
 * later slices hold the matching lock for about half a second.
 */
const FIRST_SLICE_SIZE = 200
const SLICE_SIZE = 2_000
/** Number of newest projects that are searched first if the full search is slow: five days of e-GP, 0.2 s. */
const QUICK_SEARCH_PROJECTS = 20_000
/** The transaction has no idle timeout, because it may wait for the lock behind a load, however long the load takes. */
const NO_IDLE_TIMEOUT = { idleTimeoutMs: 0 }

/**
 * Matches the projects that a rule change may affect, newest first, and returns the number of rows written. Each slice
 * is one transaction under the matching lock with current rules and projects, so it never writes stale results and may
 * be repeated or aborted anywhere. No-op for a deleted organisation.
 */
export async function rematchProjectsAfterRuleChange(
  db: Db,
  organisationId: number,
  scope: RematchScope,
  options: RematchOptions = {},
): Promise<DataLoadMatchCounts> {
  const [organisation] = await db.transaction(async (tx) => {
    // A load in progress may still use the old rules; wait for it so that its projects are included.
    await acquireMatchingLock(tx)
    return await loadOrganisationMatchRules(tx, organisationId)
  }, NO_IDLE_TIMEOUT)
  if (!organisation) return { matched: 0, excluded: 0 }
  const finders = 'all' in scope ? 'everything' : await buildFinders(db, organisation, scope)
  if (finders === 'everything') return await rematchOrganisation(db, organisationId, options)
  const run = new ChangeRun(db, organisationId, options)
  const { arrivals } = finders
  if (arrivals && !arrivals.condition) {
    // Scanning all names takes seconds, so update the top of the report first.
    await run.match(
      await findNewestMatchCandidates(db, toMatchLimits(organisation), {
        finder: arrivals,
        limit: QUICK_SEARCH_PROJECTS,
      }),
    )
  }
  const candidates = await findCandidates(db, organisation, { ...scope, finders }, options.signal)
  await run.match(candidates.filter(({ inside }) => inside))
  await run.updateNewestOutside(candidates.filter(({ inside }) => !inside))
  await run.removeUnusedReasons()
  return run.written
}

async function buildFinders(db: Db, organisation: OrganisationMatchRules, scope: PartialRematchScope) {
  const departments = (scope.units ?? []).length > 0 ? await loadDepartmentIdFinder(db) : () => new Set<number>()
  return createRuleChangeMatchers(organisation, scope, departments)
}

async function findCandidates(
  db: Db,
  organisation: OrganisationMatchRules,
  { finders, expressions = [], projects = [] }: PartialRematchScope & { readonly finders: RuleChangeMatchers },
  signal: AbortSignal | undefined,
): Promise<readonly MatchCandidate[]> {
  const candidates = new Map<string, MatchCandidate>()
  // Existing rows last: they are checked regardless of the window and override earlier results.
  const searches = [
    finders.arrivals ? () => findNewMatchCandidates(db, toMatchLimits(organisation), finders.arrivals!) : () => [],
    () => findStoredMatchCandidates(db, organisation.id, finders.touched),
    () => findDocumentMatchCandidates(db, organisation.id, expressions),
    () => findMatchCandidatesById(db, projects),
  ]
  for (const search of searches) {
    signal?.throwIfAborted()
    for (const candidate of await search()) candidates.set(candidate.project_id, candidate)
  }
  const followed = new Set(organisation.followed)
  return [...candidates.values()]
    .map((candidate) => (followed.has(candidate.project_id) ? { ...candidate, inside: true } : candidate))
    .sort(newestFirst)
}

const newestFirst = (a: MatchCandidate, b: MatchCandidate): number => {
  const [dateA, dateB] = [a.movement_on ?? '', b.movement_on ?? '']
  return dateA === dateB ? 0 : dateA < dateB ? 1 : -1
}

class ChangeRun {
  readonly written = { matched: 0, excluded: 0 }
  readonly #db: Db
  readonly #organisationId: number
  readonly #options: RematchOptions
  readonly #textsOf = createMatchTextsBuilder()
  #rules: { readonly version: number; readonly compiled: CompiledMatchRules } | undefined

  constructor(db: Db, organisationId: number, options: RematchOptions) {
    this.#db = db
    this.#organisationId = organisationId
    this.#options = options
  }

  async match(candidates: readonly MatchCandidate[]): Promise<void> {
    const total = candidates.length
    this.#options.onProgress?.({ done: 0, total })
    for (let done = 0; done < total; ) {
      const slice = candidates.slice(done, done + (done === 0 ? FIRST_SLICE_SIZE : SLICE_SIZE))
      await this.#inTurn(async (tx, rules) =>
        this.#matchSlice(
          tx,
          rules,
          slice.map(({ project_id }) => project_id),
        ),
      )
      done += slice.length
      this.#options.onProgress?.({ done, total })
    }
  }

  /**
   * Updates `newest_outside_window` (D8), the hint shown with an empty report. `outside`: candidates excluded only by
   * the window, newest first; the first one that the rules confirm is the newest. Also checks the project of the stored
   * date, because the change may have removed that project.
   */
  async updateNewestOutside(outside: readonly MatchCandidate[]): Promise<void> {
    const stored = await loadNewestDateOutsideReportWindow(this.#db, this.#organisationId)
    const isLater = ({ movement_on }: MatchCandidate) => stored === null || (movement_on ?? '') > stored
    const later = outside.filter(isLater).map(({ project_id }) => project_id)
    for (const slice of splitIntoSlices(later, SLICE_SIZE)) if (await this.#saveNewest(slice)) return
    if (stored === null || (await this.#saveNewest(await findProjectsByMovementDay(this.#db, stored)))) return
    await this.#inTurn((tx) =>
      saveNewestDatesOutsideReportWindow(tx, new Map(), { organisationId: this.#organisationId }),
    )
  }

  async removeUnusedReasons(): Promise<void> {
    await this.#inTurn((tx) => removeUnusedMatchReasons(tx, this.#organisationId))
  }

  async #saveNewest(projectIds: readonly string[]): Promise<boolean> {
    const newest = new Map<number, string>()
    await this.#inTurn(async (tx, rules) => {
      const projects = await loadProjectsToMatchById(tx, projectIds)
      trackNewestDateOutsideReportWindow(
        newest,
        projects.flatMap((project) => evaluateProjectMatch(rules, project)),
      )
      await saveNewestDatesOutsideReportWindow(tx, newest)
    })
    return newest.size > 0
  }

  async #inTurn(work: (tx: Db, rules: CompiledMatchRules) => Promise<void>): Promise<void> {
    const { signal, confirm } = this.#options
    signal?.throwIfAborted()
    await this.#db.transaction(async (tx) => {
      await acquireMatchingLock(tx)
      await confirm?.(tx)
      const rules = await this.#currentRules(tx)
      if (rules) await work(tx, rules)
    }, NO_IDLE_TIMEOUT)
  }

  async #currentRules(tx: Db): Promise<CompiledMatchRules | undefined> {
    // Read the version before the rules, so that the next slice reloads the rules if they change in between.
    const version = await loadRulesVersion(tx, this.#organisationId)
    if (version === undefined) return undefined
    if (this.#rules?.version !== version)
      this.#rules = { version, compiled: compileMatchRules(await loadOrganisationMatchRules(tx, this.#organisationId)) }
    return this.#rules.compiled
  }

  async #matchSlice(tx: Db, rules: CompiledMatchRules, projectIds: readonly string[]): Promise<void> {
    const organisationId = this.#organisationId
    const projects = await loadProjectsToMatchById(tx, projectIds)
    const verdicts = projects.flatMap((project) => evaluateProjectMatch(rules, project))
    const matches = verdicts.filter(isMatchVerdict)
    const exclusions = verdicts.filter(isExclusionVerdict)
    await deleteObsoleteVerdicts(tx, 'project_matches', projectIds, matches, organisationId)
    await deleteObsoleteVerdicts(tx, 'match_exclusions', projectIds, exclusions, organisationId)
    const stored = await loadStoredMatchReasons(tx, organisationId, projectIds)
    // Rows with equal reasons need no update, because loads already maintain the columns that the report filters by.
    const changedMatches = matches.filter((match) => !hasSameReasons(match, stored.get(match.project_id)))
    const [latest] = await loadPublishedDataLoadIds(tx)
    const byId = new Map<string, StoredProjectToMatch>(projects.map((project) => [project.project_id, project]))
    if (latest !== undefined)
      await upsertProjectMatches(tx, latest, changedMatches, (id) => this.#textsOf(byId.get(id)!), {
        hasRow: ({ project_id }) => stored.has(project_id),
      })
    await upsertMatchExclusions(tx, exclusions)
    await saveNewestDatesOutsideReportWindow(tx, newestOf(verdicts))
    this.written.matched += changedMatches.length
    this.written.excluded += exclusions.length
  }
}

function newestOf(verdicts: readonly ProjectVerdict[]): Map<number, string> {
  const newest = new Map<number, string>()
  trackNewestDateOutsideReportWindow(newest, verdicts)
  return newest
}

type MatchReasons = Pick<MatchVerdict, 'matched_by' | 'matched_words' | 'reasons'>
function hasSameReasons(match: MatchReasons, stored: MatchReasons | undefined): boolean {
  if (!stored) return false
  const text = (row: MatchReasons) =>
    JSON.stringify([
      row.matched_by,
      row.matched_words,
      row.reasons.map(({ keyword, terms, page }) => [keyword, terms, page]),
    ])
  return text(match) === text(stored)
}
