import type { Db } from '#server/engine/db.ts'
import { behind, inBatches, mapInTurns } from '#server/engine/in-batches.ts'
import { evaluateProject, type Verdict } from './evaluate.ts'
import { createMatchTexts } from './match-texts.ts'
import { upsertMatches } from './queries/write-matches.ts'
import {
  countProjects,
  type ExcludedVerdict,
  loadProjects,
  loadRulesFor,
  lockMatching,
  type MatchVerdict,
  removeOthers,
  type StoredProject,
  saveNewestOutside,
  upsertExclusions,
} from './queries.ts'
import { compileRules } from './rules.ts'

/** Projects in one round trip: large enough that the trip does not matter, small enough to leave the event loop free (about 20 ms of work). */
export const BATCH = 1_000

export type MatchOptions = {
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
  /** Ids of the projects to match; all that the load wrote when absent. */
  readonly only?: readonly string[] | undefined
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
  const rules = compileRules(await loadRulesFor(tx, loadId))
  const textsOf = createMatchTexts()
  const newest = new Map<number, string>()
  const { only } = options
  const total = only?.length ?? (await countProjects(tx, loadId))
  let [done, matched, excluded] = [0, 0, 0]
  await inBatches({
    read: behind(BATCH, (last?: StoredProject) =>
      loadProjects(tx, { after: last?.project_id ?? '', limit: BATCH, loadId, only }),
    ),
    async prepare(projects: readonly StoredProject[]) {
      const verdicts = (await mapInTurns(projects, (project) => evaluateProject(rules, project))).flat()
      return { projects, verdicts, matches: verdicts.filter(isMatch), exclusions: verdicts.filter(isExcluded) }
    },
    async write({ projects, verdicts, matches, exclusions }) {
      const known = projects.filter((project) => !project.is_new).map((project) => project.project_id)
      await removeOthers(tx, 'project_matches', known, matches)
      await removeOthers(tx, 'match_exclusions', known, exclusions)
      const byId = new Map(projects.map((project) => [project.project_id, project]))
      await upsertMatches(tx, loadId, matches, (id) => textsOf(byId.get(id)!), { anew: true })
      await upsertExclusions(tx, exclusions)
      recordNewestOutside(newest, verdicts)
      matched += matches.length
      excluded += exclusions.length
      done += projects.length
      options.onProgress?.({ done, total })
    },
  })
  await saveNewestOutside(tx, newest)
  return { matched, excluded }
}
