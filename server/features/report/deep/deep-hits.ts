import sql, { join, type Sql } from 'sql-template-tag'
import { phraseOf } from '#contract/document/document-words.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'

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

/** Whose documents hold what the searches of a question look for; made by `findDocumentHolders` before any condition is written. */
export type DocumentHolders = {
  /** Differs when the documents differ. */
  readonly version: string
  /** Ids of the projects by phrase, as `phraseOf` gives it. */
  readonly projects: ReadonlyMap<string, readonly string[]>
}

/** Ids of the projects whose documents hold a phrase. Throws where the phrase was not looked for: no project would pass in silence. */
export function projectsHolding(holders: DocumentHolders | undefined, phrase: string): readonly string[] {
  const found = holders?.projects.get(phrase)
  if (!found) throw new Error('a search in documents was not resolved')
  return found
}

/** Whether the documents of match `m` hold what the expression asks for. */
export function inDocumentsSql(node: SearchNode, holders: DocumentHolders | undefined): Sql {
  if (node.kind === 'term') return sql`m.project_id = any (${[...projectsHolding(holders, phraseOf(node))]}::text[])`
  if (node.kind === 'not') {
    const drop = sql`not ${inDocumentsSql(node.drop, holders)}`
    return node.keep === null ? drop : sql`(${inDocumentsSql(node.keep, holders)} and ${drop})`
  }
  const parts = node.parts.map((part) => inDocumentsSql(part, holders))
  return sql`(${join(parts, node.kind === 'and' ? ' and ' : ' or ')})`
}
