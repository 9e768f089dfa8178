import sql, { join, type Sql } from 'sql-template-tag'
import { phraseOf } from '#contract/document/document-words.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'

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
