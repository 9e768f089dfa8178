import type { ReportSearch } from '#contract/report/report-params.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { type DeepHits, type DeepResults, deepHitsOf, deepVersion } from '#server/report/deep/deep-hits.ts'
import type { FindCandidates } from '#server/report/deep/deep-search.ts'
import { rowOf } from './held-matches.ts'
import type { HeldProjects } from './held-projects.ts'
import { type MatchTab, placeOfRow } from './match-set.ts'
import type { ProjectColumns } from './project-columns.ts'
import { projectIdOf } from './project-key.ts'

/** Names decoded between yields to the event loop. */
const NAMES_A_TURN = 5_000

/**
 * Same result as `loadDeepCandidates`, computed from the names of a tab. The database takes 30 ms for 2,000 matches.
 */
export const candidatesIn =
  ({ columns, words }: HeldProjects, { rows }: MatchTab): FindCandidates =>
  async ({ alone, sides }) => {
    const found = await words.findLetters(alone, rows)
    const together = sides.length === 0 ? undefined : new Uint8Array(rows.length).fill(1)
    for (const side of sides)
      for (const [at, holds] of (await words.findLetters(side, rows)).entries()) together![at]! &= holds
    const candidates: { project_id: string; name_search: string }[] = []
    for (let at = 0; at < rows.length; at += 1) {
      if (found[at] === 0 && !together?.[at]) continue
      const row = rows[at]!
      candidates.push({ project_id: projectIdOf(columns.keys[row]!), name_search: columns.titles.textOf(row) })
      if (candidates.length % NAMES_A_TURN === 0) await yieldToEventLoop()
    }
    return candidates
  }

export type Meant = {
  readonly hits: DeepHits
  /** Ascending. */
  readonly places: Int32Array
  readonly scores: ReadonlyMap<number, number>
  readonly version: string
}

type Placed = Pick<Meant, 'places' | 'scores'>
/** Placing 25,000 hits takes 10 ms, and the next page needs the same ones. */
const placed = new WeakMap<DeepHits, WeakMap<MatchTab, Placed>>()

/** Undefined if the search has no semantic terms. `results` must cover all its terms. */
export function meantIn(
  search: ReportSearch,
  results: DeepResults | undefined,
  { columns, tab }: { readonly columns: ProjectColumns; readonly tab: MatchTab },
): Meant | undefined {
  const hits = deepHitsOf(search, results)
  if (!hits) return undefined
  const known = placed.get(hits) ?? new WeakMap<MatchTab, Placed>()
  placed.set(hits, known)
  const own = known.get(tab) ?? placesOf(hits, columns, tab)
  known.set(tab, own)
  return { hits, ...own, version: deepVersion(search, results) }
}

function placesOf(hits: DeepHits, columns: ProjectColumns, tab: MatchTab): Placed {
  const places = new Int32Array(hits.size)
  const scores = new Map<number, number>()
  let size = 0
  for (const [id, { score }] of hits) {
    const row = rowOf(columns, id)
    const place = row === undefined ? -1 : placeOfRow(tab, row)
    if (place === -1) continue
    places[size++] = place
    scores.set(row!, score)
  }
  return { places: places.slice(0, size).sort(), scores }
}
