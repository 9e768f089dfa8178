import sql, { join, type Sql } from 'sql-template-tag'
import { phraseOf } from '#contract/documents/document-words.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'

/** Similarity to the query, and the matched terms in the name. */
export type DeepScore = { readonly score: number; readonly phrases: readonly string[] }
/** Hits of one `ai_deep_search__in` value among an organisation's matches, by project id. */
export type DeepHits = ReadonlyMap<string, DeepScore>

/** Hits per value; filled by `withDeepSearch` before conditions are built. */
export type DeepResults = ReadonlyMap<string, DeepHits>

/**
 * Hits of a semantic search: the union over several values with the better score, cut off at `ai_deep_from`. Undefined
 * if the search has no semantic terms. Cached hits serve every threshold.
 */
export function deepHitsOf(
  { ai_deep_search__in: sentences, ai_deep_from: from = 0 }: ReportSearch,
  results: DeepResults | undefined,
): DeepHits | undefined {
  if (sentences === undefined) return undefined
  const found = sentences.map((sentence) => {
    const hits = results?.get(sentence)
    if (!hits) throw new Error('a search by meaning was not resolved')
    return hits
  })
  if (found.length === 1 && from === 0) return found[0]!
  const best = new Map<string, DeepScore>()
  for (const hits of found) {
    for (const [id, hit] of hits) {
      if (percentOf(hit) >= from && hit.score > (best.get(id)?.score ?? -1)) best.set(id, hit)
    }
  }
  return best
}

const numbers = new WeakMap<DeepHits, number>()
let lastNumber = 0

/** Changes whenever the hits were recomputed. */
export function deepVersion(
  { ai_deep_search__in: sentences = [] }: ReportSearch,
  results: DeepResults | undefined,
): string {
  const numberOf = (hits: DeepHits) => {
    const number = numbers.get(hits) ?? ++lastNumber
    numbers.set(hits, number)
    return number
  }
  return sentences.map((sentence) => numberOf(results!.get(sentence)!)).join()
}

/** Percent, as displayed; scores have two decimals. */
const percentOf = ({ score }: DeepScore) => Math.round(score * 100)

/**
 * Rows to filter, as `m`. For a semantic search only its hits, with `deep_score` for ordering, so that its condition
 * can be dropped. A join selects 25,000 of 200,000 rows with scores in a third of the time of lookups.
 */
export function matchesOf(search: ReportSearch, { deep }: { readonly deep?: DeepResults }): Sql {
  const hits = deepHitsOf(search, deep)
  if (!hits) return sql`report_matches m`
  const scores = [...hits.values()].map(({ score }) => score)
  return sql`(
    select m.*, d.score as deep_score
    from unnest(${[...hits.keys()]}::text[], ${scores}::real[]) d (id, score) join report_matches m on m.project_id = d.id
  ) m`
}

/** Projects by searched document phrase; filled by `findDocumentHolders` before conditions are built. */
export type DocumentHolders = {
  readonly version: string
  readonly projects: ReadonlyMap<string, readonly string[]>
}

/** Throws if the phrase was not resolved, instead of silently matching no project. */
export function projectsHolding(holders: DocumentHolders | undefined, phrase: string): readonly string[] {
  const found = holders?.projects.get(phrase)
  if (!found) throw new Error('a search in documents was not resolved')
  return found
}

export function inDocumentsSql(node: SearchNode, holders: DocumentHolders | undefined): Sql {
  if (node.kind === 'term') return sql`m.project_id = any (${[...projectsHolding(holders, phraseOf(node))]}::text[])`
  if (node.kind === 'not') {
    const drop = sql`not ${inDocumentsSql(node.drop, holders)}`
    return node.keep === null ? drop : sql`(${inDocumentsSql(node.keep, holders)} and ${drop})`
  }
  const parts = node.parts.map((part) => inDocumentsSql(part, holders))
  return sql`(${join(parts, node.kind === 'and' ? ' and ' : ' or ')})`
}
