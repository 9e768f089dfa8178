import type { ReportSearch } from '#contract/report/report-params.ts'

/** How close a project is to what was asked, and the terms that stand in its name. */
export type DeepScore = { readonly score: number; readonly phrases: readonly string[] }
/** What one value of `ai_deep_search__in` finds among an organisation's matches, by project id. */
export type DeepHits = ReadonlyMap<string, DeepScore>

/** What each value finds; made by `withDeepSearch` before any condition is written. */
export type DeepResults = ReadonlyMap<string, DeepHits>

/** What a search finds by meaning: of several values any one, and the better score; undefined when it does not search so. */
export function deepHitsOf(search: ReportSearch, results: DeepResults | undefined): DeepHits | undefined {
  const sentences = search.ai_deep_search__in
  if (sentences === undefined) return undefined
  const found = sentences.map((sentence) => {
    const hits = results?.get(sentence)
    if (!hits) throw new Error('a search by meaning was not resolved')
    return hits
  })
  if (found.length === 1) return found[0]!
  const best = new Map<string, DeepScore>()
  for (const hits of found) {
    for (const [id, hit] of hits) if (hit.score > (best.get(id)?.score ?? -1)) best.set(id, hit)
  }
  return best
}
