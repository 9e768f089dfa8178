import { setImmediate as nextTick } from 'node:timers/promises'
import type { Db } from '#server/platform/engine/db.ts'
import { type CompiledMatchRules, compileMatchRules } from './compile-match-rules.ts'
import { createMatchTextsBuilder } from './create-match-texts-builder.ts'
import { evaluateProjectMatch } from './evaluate-project.ts'
import {
  type DataLoadMatchCounts,
  isExclusionVerdict,
  isMatchVerdict,
  type MatchOptions,
  PROJECTS_PER_MATCH_BATCH,
  trackNewestDateOutsideReportWindow,
} from './match-load-projects.ts'
import {
  type ProjectMatchSearchTexts,
  removeUnusedMatchReasons,
  upsertProjectMatches,
} from './queries/write-matches.ts'
import {
  acquireMatchingLock,
  countProjectsToMatch,
  deleteMatchRowsExcept,
  type ExclusionVerdict,
  loadOrganisationMatchRules,
  loadProjectsToMatch,
  loadPublishedDataLoadIds,
  type MatchVerdict,
  saveNewestDatesOutsideReportWindow,
  upsertMatchExclusions,
} from './queries.ts'

export type RematchOptions = MatchOptions & {
  readonly signal?: AbortSignal | undefined
  readonly confirm?: ((tx: Db) => Promise<void>) | undefined
}

type MatchResult = {
  readonly matches: Map<string, MatchVerdict>
  readonly exclusions: Map<string, ExclusionVerdict>
  readonly texts: Map<string, ProjectMatchSearchTexts>
  readonly newest: Map<number, string>
}

/**
 * Rematches all projects for one organisation after its lists or limits changed. Reads in slices that do not block the
 * event loop or the database, then swaps the result in one transaction, so readers see either the old or the new
 * report. New rows get the load that created their project as first load, so a change of words makes nothing New (D3).
 * Throws if the organisation does not exist.
 */
export async function rematchOrganisation(
  db: Db,
  organisationId: number,
  options: RematchOptions = {},
): Promise<DataLoadMatchCounts> {
  const [organisation] = await loadOrganisationMatchRules(db, organisationId)
  if (!organisation) throw new Error(`no organisation ${organisationId}`)
  const rules = compileMatchRules([organisation])
  const loadsBefore = new Set(await loadPublishedDataLoadIds(db))
  const result: MatchResult = { matches: new Map(), exclusions: new Map(), texts: new Map(), newest: new Map() }
  const total = await countProjectsToMatch(db)
  await collectVerdicts(db, rules, result, undefined, (done) => {
    options.signal?.throwIfAborted()
    options.onProgress?.({ done, total })
  })
  return await db.transaction(
    async (tx) => {
      await acquireMatchingLock(tx)
      await options.confirm?.(tx)
      const published = await loadPublishedDataLoadIds(tx)
      const since = published.filter((load) => !loadsBefore.has(load))
      // Repeat for loads published while the slices were read; the lock now prevents further loads.
      for (const load of since) await collectVerdicts(tx, rules, result, load)
      return await replaceMatches(tx, organisationId, published[0], result)
    },
    { idleTimeoutMs: 0 },
  )
}

async function collectVerdicts(
  db: Db,
  rules: CompiledMatchRules,
  { matches, exclusions, texts, newest }: MatchResult,
  loadId: number | undefined,
  onProgress?: (done: number) => void,
): Promise<void> {
  const textsOf = createMatchTextsBuilder()
  let [done, after] = [0, '']
  for (;;) {
    const projects = await loadProjectsToMatch(db, { after, limit: PROJECTS_PER_MATCH_BATCH, loadId })
    if (projects.length === 0) return
    for (const { project_id } of projects) {
      matches.delete(project_id)
      exclusions.delete(project_id)
    }
    const verdicts = projects.flatMap((project) => evaluateProjectMatch(rules, project))
    const matched = verdicts.filter(isMatchVerdict)
    for (const verdict of matched) matches.set(verdict.project_id, verdict)
    for (const verdict of verdicts.filter(isExclusionVerdict)) exclusions.set(verdict.project_id, verdict)
    const matchedIds = new Set(matched.map((verdict) => verdict.project_id))
    for (const project of projects)
      if (matchedIds.has(project.project_id)) texts.set(project.project_id, textsOf(project))
    trackNewestDateOutsideReportWindow(newest, verdicts)
    done += projects.length
    after = projects.at(-1)!.project_id
    onProgress?.(done)
    await nextTick()
  }
}

async function replaceMatches(
  tx: Db,
  organisationId: number,
  latestLoad: number | undefined,
  result: MatchResult,
): Promise<DataLoadMatchCounts> {
  const matches = [...result.matches.values()]
  const exclusions = [...result.exclusions.values()]
  await deleteMatchRowsExcept(tx, 'project_matches', organisationId, [...result.matches.keys()])
  await deleteMatchRowsExcept(tx, 'match_exclusions', organisationId, [...result.exclusions.keys()])
  if (latestLoad !== undefined) {
    await upsertProjectMatches(tx, latestLoad, matches, (id) => result.texts.get(id)!)
    await upsertMatchExclusions(tx, exclusions)
  }
  await removeUnusedMatchReasons(tx, organisationId)
  await saveNewestDatesOutsideReportWindow(tx, result.newest, { organisationId })
  return { matched: matches.length, excluded: exclusions.length }
}
