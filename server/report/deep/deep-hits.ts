import sql, { join, type Sql } from 'sql-template-tag'
import { phraseOf } from '#contract/documents/document-words.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'

/** How close a project is to what was asked, and the terms that stand in its name. */
export type DeepScore = { readonly score: number; readonly phrases: readonly string[] }
/** What one value of `ai_deep_search__in` finds among an organisation's matches, by project id. */
export type DeepHits = ReadonlyMap<string, DeepScore>

/** What each value finds; made by `withDeepSearch` before any condition is written. */
export type DeepResults = ReadonlyMap<string, DeepHits>

/**
 * What a search finds by meaning: of several values any one, and the better score; with `ai_deep_from` only what is so close. Undefined when it does not
 * search so. The hits are found once for every threshold.
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

/** Differs when what a search finds by meaning was found anew. */
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

/** As people read and choose it; scores have two places. */
const percentOf = ({ score }: DeepScore) => Math.round(score * 100)

/**
 * The rows that filters filter, as `m`: of a search by meaning only what it finds, with `deep_score` to order by, and then without
 * that condition. A join finds 25,000 of 200,000 rows with their scores in a third of the time of looking each up.
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
