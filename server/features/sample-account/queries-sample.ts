import sql, { bulk } from 'sql-template-tag'
import type { KeywordList } from '#contract/account/organisation.ts'
import { keywordKey } from '#contract/keyword/keyword.ts'
import type { Db } from '#server/engine/db.ts'

/** `group`: name of the topic that the word belongs to. */
export type SampleKeyword = { list: KeywordList; word: string; group: string | null; approved: boolean }

/** Stores the words and groups of an organisation that has none yet; answers the words of the AI lists with their ids. */
export async function insertKeywords(
  db: Db,
  organisationId: number,
  keywords: readonly SampleKeyword[],
): Promise<{ id: number; word: string }[]> {
  if (keywords.length === 0) return []
  const names = [...new Set(keywords.flatMap(({ group }) => group ?? []))]
  const groups = new Map<string, number>()
  if (names.length > 0) {
    const rows = await db.query<{ id: number; name: string }>(sql`
      insert into keyword_groups (organisation_id, name) values ${bulk(names.map((name) => [organisationId, name]))} returning id, name`)
    for (const { id, name } of rows) groups.set(name, id)
  }
  const rows = keywords.map(({ list, word, group, approved }) => [
    organisationId,
    list,
    word,
    keywordKey(word),
    group === null ? null : groups.get(group)!,
    approved,
  ])
  const stored = await db.query<{ id: number; word: string; list: KeywordList }>(
    sql`insert into keywords (organisation_id, list, word, word_key, group_id, approved) values ${bulk(rows)} returning id, word, list`,
  )
  return stored.filter(({ list }) => list === 'ai_include' || list === 'ai_exclude')
}
