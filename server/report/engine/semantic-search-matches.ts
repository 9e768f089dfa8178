import type { ReportSearch } from '#contract/report/report-params.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { decodeProjectKey } from '#server/platform/text/project-key.ts'
import type { SemanticSearchCandidateFinder } from '#server/report/deep/run-deep-search.ts'
import {
  getSemanticSearchHits,
  type SemanticSearchHits,
  type SemanticSearchResults,
} from '#server/report/deep/semantic-search-hits.ts'
import { findProjectRow } from './cached-matches.ts'
import { findRowPosition, type ReportTabMatches } from './match-set.ts'
import type { CachedProjects } from './project-cache.ts'
import type { ProjectColumns } from './project-columns.ts'

const NAMES_PER_SLICE = 5_000

/**
 * Returns the same as `loadSemanticSearchCandidates`, computed from the names of a tab. The database takes 30 ms for 2,000
 * matches.
 */
export const createSemanticSearchCandidateFinder =
  ({ columns, words }: CachedProjects, { rows }: ReportTabMatches): SemanticSearchCandidateFinder =>
  async ({ standalone, sides }) => {
    const hasStandalone = await words.findLetters(standalone, rows)
    const together = sides.length === 0 ? undefined : new Uint8Array(rows.length).fill(1)
    for (const side of sides)
      for (const [at, contains] of (await words.findLetters(side, rows)).entries()) together![at]! &= contains
    const candidates: { project_id: string; name_search: string }[] = []
    for (let at = 0; at < rows.length; at += 1) {
      if (hasStandalone[at] === 0 && !together?.[at]) continue
      const row = rows[at]!
      candidates.push({ project_id: decodeProjectKey(columns.keys[row]!), name_search: columns.titles.textOf(row) })
      if (candidates.length % NAMES_PER_SLICE === 0) await yieldToEventLoop()
    }
    return candidates
  }

export type SemanticSearchMatches = {
  readonly hits: SemanticSearchHits
  readonly positions: Int32Array
  readonly scores: ReadonlyMap<number, number>
}

/** Returns undefined if the search has no semantic terms. `results` must cover all its terms. */
export function findSemanticSearchMatches(
  search: ReportSearch,
  results: SemanticSearchResults | undefined,
  { columns, tab }: { readonly columns: ProjectColumns; readonly tab: ReportTabMatches },
): SemanticSearchMatches | undefined {
  const hits = getSemanticSearchHits(search, results)
  if (!hits) return undefined
  const positions = new Int32Array(hits.size)
  const scores = new Map<number, number>()
  let size = 0
  for (const [id, { score }] of hits) {
    const row = findProjectRow(columns, id)
    const position = row === undefined ? -1 : findRowPosition(tab, row)
    if (position === -1) continue
    positions[size++] = position
    scores.set(row!, score)
  }
  return { hits, positions: positions.slice(0, size).sort(), scores }
}
