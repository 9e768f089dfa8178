import type { ReportSearch } from '#contract/report/report-params.ts'
import { titleRanker } from '#server/matching/meaning/rank-titles.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { slicesOf } from '#server/platform/engine/in-batches.ts'
import type { TabScope } from '#server/report/filter-sql.ts'
import type { DeepHits, DeepResults, DeepScore } from './deep-hits.ts'
import { type DeepNeedles, deepNeedles, expandDeep } from './deep-terms.ts'
import { type Candidate, loadDeepCandidates, loadMatchState, type MatchState } from './queries-deep.ts'

/** Titles are ranked at 50 µs each: what stands behind twenty pages keeps the order of its terms. */
const RANKED = 1_000
/** Names matched, and titles ranked, before others get their turn: 5 ms. */
const MATCHED_A_TURN = 250
const RANKED_A_TURN = 100
/** The page, its facets and the next page ask for the same hits, and a shared address is opened by colleagues: finding them anew takes 0.2 s. */
const KEPT_MS = 30 * 60_000
/** Rows come and go all the time while rules are being matched anew. */
const KEPT_WHILE_MATCHING_MS = 60_000
/** Hits kept in all, about 40 MB. */
const KEPT_HITS = 200_000

type Kept = { readonly hits: Promise<DeepHits>; readonly until: number; size: number }
const keptOf = new WeakMap<Db, Map<string, Kept>>()

/** The organisation's matches, of both tabs, whose name may be a hit: in letters, without the rule of whole words. */
export type FindCandidates = (needles: DeepNeedles) => Promise<readonly Candidate[]>

/** The scope with what the values of `ai_deep_search__in` of these searches find: conditions and orders are written from it. */
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

/** Drops what is too old, and the oldest of what is too much. */
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

/** Every match whose name holds the terms, the closest first. The letters are looked for first; whole words and ranks are done here. */
async function findHits(find: FindCandidates, sentence: string): Promise<DeepHits> {
  const { terms } = await expandDeep(sentence)
  return rankDeep(sentence, await find(deepNeedles(terms)))
}

/** Of these projects those whose name holds the terms, the closest first. */
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
  // Never before one that was ranked.
  for (const { id, similarity, terms } of found.slice(RANKED))
    hits.set(id, { score: Math.min(lowest, rounded(similarity)), phrases: terms })
  return hits
}

/** Equally close to two places: then the newer stands first. */
const rounded = (score: number) => Math.round(score * 100) / 100
