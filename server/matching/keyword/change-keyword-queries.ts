import sql from 'sql-template-tag'
import type { KeywordListCode } from '#contract/account/organisation.ts'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { KeywordGroup } from './queries.ts'

/** Purges words deleted more than a day ago; until then a deletion can be undone. */
export async function pruneDeletedKeywords(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    delete from deleted_keywords where deleted_at < ${now.toISOString()}::timestamptz - interval '1 day'`)
}

export type NewKeywordRow = {
  readonly list: KeywordListCode
  readonly word: string
  readonly group_id: number | null
  readonly approved: boolean
}

export async function insertKeywords(
  tx: Db,
  about: { organisationId: number; userId: number; at: Date },
  rows: readonly NewKeywordRow[],
): Promise<number[]> {
  const records = rows.map((row, place) => ({ ...row, word_key: toKeywordKey(row.word), place }))
  const stored = await tx.query<{ id: number; list: string; word_key: string }>(sql`
    insert into keywords (organisation_id, list, word, word_key, group_id, approved, created_at, created_by)
    select ${about.organisationId}::int, r.list, r.word, r.word_key, r.group_id, r.approved, ${about.at.toISOString()}::timestamptz, ${about.userId}::int
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as r (list text, word text, word_key text, group_id int, approved boolean, place int)
    order by r.place
    returning id, list, word_key`)
  const ids = new Map(stored.map(({ id, list, word_key }) => [`${list} ${word_key}`, id]))
  return records.map(({ list, word_key }) => ids.get(`${list} ${word_key}`)!)
}

/** Without `in_documents`, the stored value stays as it is. */
export type ChangedKeywordRow = NewKeywordRow & { readonly id: number; readonly in_documents?: boolean }

/** Updates word, group and approval. Keys are first set to temporary values, so that two words can be swapped. */
export async function updateKeywords(
  tx: Db,
  organisationId: number,
  rows: readonly ChangedKeywordRow[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    update keywords set word_key = ' ' || id
    where organisation_id = ${organisationId}::int and id = any (${rows.map(({ id }) => id)}::int[])`)
  const records = rows.map(({ id, word, group_id, approved, in_documents }) => ({
    in_documents,
    id,
    word,
    word_key: toKeywordKey(word),
    group_id,
    approved,
  }))
  await tx.execute(sql`
    update keywords k set word = r.word, word_key = r.word_key, group_id = r.group_id, approved = r.approved,
      in_documents = coalesce(r.in_documents, k.in_documents)
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r (id int, word text, word_key text, group_id int, approved boolean, in_documents boolean)
    where k.id = r.id and k.organisation_id = ${organisationId}::int`)
}

export async function softDeleteKeywords(
  tx: Db,
  about: { organisationId: number; userId: number; at: Date },
  ids: readonly number[],
): Promise<void> {
  const condition = sql`k.organisation_id = ${about.organisationId}::int and k.id = any (${[...ids]}::int[])`
  await tx.execute(sql`
    insert into deleted_keywords (id, organisation_id, keyword, terms, answers, deleted_at, deleted_by)
    select k.id, k.organisation_id, to_jsonb(k) || jsonb_build_object('group_name', g.name),
      (select coalesce(jsonb_agg(to_jsonb(t) order by t.position), '[]') from keyword_terms t where t.keyword_id = k.id),
      (select jsonb_agg(to_jsonb(a)) from lesson_answers a where a.keyword_id = k.id),
      ${about.at.toISOString()}::timestamptz, ${about.userId}::int
    from keywords k left join keyword_groups g on g.id = k.group_id
    where ${condition}
    on conflict (id) do update set keyword = excluded.keyword, terms = excluded.terms, answers = excluded.answers, deleted_at = excluded.deleted_at, deleted_by = excluded.deleted_by`)
  await tx.execute(sql`delete from keywords k where ${condition}`)
}

export type DeletedKeyword = {
  readonly id: number
  readonly list: KeywordListCode
  readonly word: string
  readonly approved: boolean
  readonly groupId: number | null
  readonly groupName: string | null
}

export async function findDeletedKeywords(
  tx: Db,
  organisationId: number,
  ids: readonly number[],
): Promise<DeletedKeyword[]> {
  return tx.query<DeletedKeyword>(sql`
    select id, keyword->>'list' as list, keyword->>'word' as word, (keyword->>'approved')::boolean as approved,
      (keyword->>'group_id')::int as "groupId", keyword->>'group_name' as "groupName"
    from deleted_keywords where organisation_id = ${organisationId}::int and id = any (${[...ids]}::int[]) order by id`)
}

export async function restoreDeletedKeywords(
  tx: Db,
  organisationId: number,
  words: readonly { id: number; group_id: number | null }[],
): Promise<void> {
  const chosen = sql`jsonb_to_recordset(${JSON.stringify(words)}::jsonb) as r (id int, group_id int)
    join deleted_keywords d on d.id = r.id and d.organisation_id = ${organisationId}::int`
  // A deleted author becomes null. Words that the previous version deleted lack in_documents.
  await tx.execute(sql`
    insert into keywords overriding system value
    select (jsonb_populate_record(null::keywords, '{"in_documents": false}' || d.keyword || jsonb_build_object('group_id', r.group_id,
      'created_by', (select u.id from users u where u.id = (d.keyword->>'created_by')::int)))).*
    from ${chosen}`)
  await tx.execute(sql`
    insert into keyword_terms select t.* from ${chosen}
    cross join lateral jsonb_populate_recordset(null::keyword_terms, d.terms) t`)
  await tx.execute(sql`
    insert into lesson_answers (organisation_id, keyword_id, project_id, is_wanted, answered_by, answered_at)
    select a.organisation_id, a.keyword_id, a.project_id, a.is_wanted, (select u.id from users u where u.id = a.answered_by), a.answered_at
    from ${chosen} cross join lateral jsonb_populate_recordset(null::lesson_answers, d.answers) a`)
}

export async function purgeDeletedKeywords(
  tx: Db,
  organisationId: number,
  ids: readonly number[],
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    delete from deleted_keywords
    where (organisation_id = ${organisationId}::int and id = any (${[...ids]}::int[]))
      or deleted_at < ${at.toISOString()}::timestamptz - interval '1 day'`)
}

export async function insertKeywordGroups(
  tx: Db,
  organisationId: number,
  groups: readonly { name: string; id?: number }[],
): Promise<KeywordGroup[]> {
  const created: KeywordGroup[] = []
  for (const { name, id } of groups) {
    const rows = await tx.query<KeywordGroup>(
      id === undefined
        ? sql`insert into keyword_groups (organisation_id, name) values (${organisationId}::int, ${name}) returning id, name`
        : sql`insert into keyword_groups (id, organisation_id, name) overriding system value values (${id}::int, ${organisationId}::int, ${name}) returning id, name`,
    )
    created.push(...rows)
  }
  return created
}

/** Renames groups. Names are first set to temporary values, so that two groups can be swapped. */
export async function renameKeywordGroups(
  tx: Db,
  organisationId: number,
  groups: readonly KeywordGroup[],
): Promise<void> {
  const ids = groups.map(({ id }) => id)
  await tx.execute(sql`
    update keyword_groups set name = ' ' || id where organisation_id = ${organisationId}::int and id = any (${ids}::int[])`)
  await tx.execute(sql`
    update keyword_groups g set name = r.name
    from unnest(${ids}::int[], ${groups.map(({ name }) => name)}::text[]) r (id, name)
    where g.id = r.id and g.organisation_id = ${organisationId}::int`)
}

export async function removeEmptyKeywordGroups(tx: Db, organisationId: number): Promise<void> {
  await tx.execute(sql`
    delete from keyword_groups g where g.organisation_id = ${organisationId}::int
      and not exists (select from keywords k where k.group_id = g.id and k.organisation_id = g.organisation_id)`)
}

export async function updateOrganisationKeywordLists(
  tx: Db,
  organisationId: number,
  switches: Readonly<Record<string, boolean>>,
  completes: boolean,
): Promise<void> {
  await tx.execute(sql`
    update organisations set customer_config = customer_config || ${JSON.stringify(switches)}::jsonb,
      is_watchlist_completed = is_watchlist_completed or ${completes}::boolean
    where id = ${organisationId}::int`)
}
