import sql from 'sql-template-tag'
import type { KeywordTerm } from '#contract/matching/keyword-term.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type StoredKeywordTerm = Omit<KeywordTerm, 'samples'>

export async function storeKeywordTerms(tx: Db, keywordId: number, terms: readonly StoredKeywordTerm[]): Promise<void> {
  const records = terms.map((term, position) => ({ ...term, term_key: toNormalisedSearchText(term.term), position }))
  await tx.execute(sql`delete from keyword_terms where keyword_id = ${keywordId}::int`)
  await tx.execute(sql`
    insert into keyword_terms (keyword_id, term_key, term, source, state, similarity, facet, title_count, position, taught)
    select ${keywordId}::int, r.term_key, r.term, r.source, r.state, r.similarity, r.facet, r.title_count, r.position, r.taught
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as r (term_key text, term text, source text, state text, similarity real, facet smallint, title_count int, position smallint, taught boolean)`)
}

export async function findKeywordTerms(
  db: Db,
  keywordIds: readonly number[],
): Promise<Map<number, StoredKeywordTerm[]>> {
  const rows = await db.query<StoredKeywordTerm & { keyword_id: number; taught: boolean | null }>(sql`
    select keyword_id, term, source, state, round(similarity::numeric, 2)::float8 as similarity, facet, title_count, taught
    from keyword_terms where keyword_id = any (${[...keywordIds]}::int[]) order by keyword_id, position`)
  const termsByKeyword = new Map<number, StoredKeywordTerm[]>()
  for (const { keyword_id, taught, ...term } of rows) {
    const keywordTerms = termsByKeyword.get(keyword_id) ?? []
    keywordTerms.push(taught === true ? { ...term, taught } : term)
    termsByKeyword.set(keyword_id, keywordTerms)
  }
  return termsByKeyword
}
