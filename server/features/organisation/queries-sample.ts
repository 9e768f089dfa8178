import sql, { bulk } from 'sql-template-tag'
import type { KeywordList } from '#contract/organisation.ts'
import type { Db } from '#server/db/db.ts'

export type NewKeyword = { list: KeywordList; word: string; groupId: number | null; approved: boolean }

export async function insertKeywords(db: Db, organisationId: number, keywords: readonly NewKeyword[]): Promise<void> {
  if (keywords.length === 0) return
  const rows = keywords.map(({ list, word, groupId, approved }) => [organisationId, list, word, groupId, approved])
  await db.execute(sql`insert into keywords (organisation_id, list, word, group_id, approved) values ${bulk(rows)}`)
}
