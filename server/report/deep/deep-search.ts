import type { ReportSearch } from '#contract/report/report-params.ts'
import { titleRanker } from '#server/matching/meaning/rank-titles.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { slicesOf } from '#server/platform/engine/in-batches.ts'
import type { TabScope } from '#server/report/filter-sql.ts'
import type { DeepHits, DeepResults, DeepScore } from './deep-hits.ts'
import { type Candidate, loadDeepCandidates, loadMatchState, type MatchState } from './deep-search-queries.ts'
import { type DeepNeedles, deepNeedles, expandDeep } from './deep-terms.ts'

/** Ranking a title takes 50 µs: hits after twenty pages stay in term order. */
const RANKED = 1_000
/** About 5 ms of work between yields to the event loop. */
const MATCHED_A_TURN = 250
const RANKED_A_TURN = 100
/** Page, facets and next page need the same hits, and colleagues open shared links; recomputing takes 0.2 s. */
const KEPT_MS = 30 * 60_000
/** Shorter while rules are being rematched, because matches change constantly. */
const KEPT_WHILE_MATCHING_MS = 60_000
/** Total cached hits, about 40 MB. */
const KEPT_HITS = 200_000

type Kept = { readonly hits: Promise<DeepHits>; readonly until: number; size: number }
const keptOf = new WeakMap<Db, Map<string, Kept>>()

/** Matches of both tabs whose name may be a hit: substring test without word boundaries. */
export type FindCandidates = (needles: DeepNeedles) => Promise<readonly Candidate[]>

/** Adds the hits of all `ai_deep_search__in` values to the scope, from which conditions and orders are built. */
export async function withDeepSearch(
  db: Db,
  searches: readonly ReportSearch[],
  scope: TabScope,
  find: FindCandidates = (needles) => loadDeepCandidates(db, scope.organisationId, needles),
): Promise<TabScope> {
  const sentences = new Set(searches.flatMap((search) => search.ai_deep_search__in ?? []))
  if (sentences.size === 0) return scope
  const state = await loadMatchState(db, scope.organisationId)
  const results = new Map<string, DeepHits>()
  for (const sentence of sentences)
    results.set(sentence, await hitsOf(db, { organisationId: scope.organisationId, state, find }, sentence))
  return { ...scope, deep: results satisfies DeepResults }
}

type Asked = { readonly organisationId: number; readonly state: MatchState; readonly find: FindCandidates }

function hitsOf(
  db: Db,
  { organisationId, state: { version, isMatching }, find }: Asked,
  sentence: string,
): Promise<DeepHits> {
  const kept = keptOf.get(db) ?? new Map<string, Kept>()
  keptOf.set(db, kept)
  const key = JSON.stringify([organisationId, version, isMatching, sentence])
  const now = performance.now()
  const known = kept.get(key)
  if (known && known.until > now) return known.hits
  const hits = findHits(find, sentence)
  const entry: Kept = { hits, until: now + (isMatching ? KEPT_WHILE_MATCHING_MS : KEPT_MS), size: 0 }
  kept.delete(key)
  kept.set(key, entry)
  hits.then(
    ({ size }) => {
      entry.size = size
      forget(kept, now)
    },
    () => {
      if (kept.get(key) === entry) kept.delete(key)
    },
  )
  return hits
}

function forget(kept: Map<string, Kept>, now: number): void {
  let total = [...kept.values()].reduce((sum, { size }) => sum + size, 0)
  for (const [key, { size, until }] of kept) {
    if (until > now && total <= KEPT_HITS && kept.size <= KEPT_HITS / 1_000) return
    kept.delete(key)
    total -= size
  }
}

type Found = {
  readonly id: string
  readonly name: string
  readonly similarity: number
  readonly terms: readonly string[]
}

/** All matching names, best first. Preselects by substring; word boundaries and ranking are applied here. */
async function findHits(find: FindCandidates, sentence: string): Promise<DeepHits> {
  const { terms } = await expandDeep(sentence)
  return rankDeep(sentence, await find(deepNeedles(terms)))
}

export async function rankDeep(sentence: string, candidates: readonly Candidate[]): Promise<DeepHits> {
  const { match } = await expandDeep(sentence)
  const found: Found[] = []
  for (const [i, { project_id: id, name_search: name }] of candidates.entries()) {
    if (i % MATCHED_A_TURN === MATCHED_A_TURN - 1) await yieldToEventLoop()
    const hit = match(name)
    if (hit) found.push({ id, name, ...hit })
  }
  found.sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? 1 : -1))
  return scored(sentence, found)
}

async function scored(sentence: string, found: readonly Found[]): Promise<DeepHits> {
  const hits = new Map<string, DeepScore>()
  let lowest = 1
  const rank = await titleRanker(sentence, yieldToEventLoop)
  for (const slice of slicesOf(found.slice(0, RANKED), RANKED_A_TURN)) {
    for (const { id, name, terms } of slice) {
      const score = rounded(rank(name).score)
      lowest = Math.min(lowest, score)
      hits.set(id, { score, phrases: terms })
    }
    await yieldToEventLoop()
  }
  // Unranked hits never sort before ranked ones.
  for (const { id, similarity, terms } of found.slice(RANKED))
    hits.set(id, { score: Math.min(lowest, rounded(similarity)), phrases: terms })
  return hits
}

/** Two decimals: ties are sorted newest first. */
const rounded = (score: number) => Math.round(score * 100) / 100
