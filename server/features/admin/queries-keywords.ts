import sql from 'sql-template-tag'
import { keywordKey } from '#contract/keyword/keyword.ts'
import type { Db } from '#server/engine/db.ts'

export type BlacklistLine = { word: string; createdAt: string }

export async function listBlacklist(db: Db): Promise<BlacklistLine[]> {
  return await db.query<BlacklistLine>(
    sql`select word, created_at as "createdAt" from keyword_blacklist order by word_key`,
  )
}

/** Whether the word was not there yet. */
export async function addToBlacklist(db: Db, word: string): Promise<boolean> {
  const key = keywordKey(word)
  return (
    (await db.execute(
      sql`insert into keyword_blacklist (word_key, word) values (${key}, ${word}) on conflict do nothing`,
    )) > 0
  )
}

/** Whether the word was there. */
export async function removeFromBlacklist(db: Db, word: string): Promise<boolean> {
  return (await db.execute(sql`delete from keyword_blacklist where word_key = ${keywordKey(word)}`)) > 0
}

export type WaitingLine = {
  id: number
  organisation: string
  list: string
  word: string
  addedBy: string | null
  createdAt: string
}

/** Keywords that do not match until somebody approves them (D11), the oldest first. */
export async function listWaiting(db: Db): Promise<WaitingLine[]> {
  return await db.query<WaitingLine>(sql`
    select k.id, o.code as organisation, k.list, k.word, u.email as "addedBy", k.created_at as "createdAt"
    from keywords k join organisations o on o.id = k.organisation_id left join users u on u.id = k.created_by
    where not k.approved order by k.created_at, k.id`)
}

export type WaitingKeyword = { organisationId: number; organisation: string; list: string; word: string }

/** A waiting keyword, its organisation locked as every change of lists locks it; undefined when it waits no more. */
export async function lockWaiting(tx: Db, id: number): Promise<WaitingKeyword | undefined> {
  await tx.query(sql`
    select from organisations where id = (select organisation_id from keywords where id = ${id}::int) for no key update`)
  const rows = await tx.query<WaitingKeyword>(sql`
    select k.organisation_id as "organisationId", o.code as organisation, k.list, k.word
    from keywords k join organisations o on o.id = k.organisation_id where k.id = ${id}::int and not k.approved`)
  return rows[0]
}

export async function approveKeyword(tx: Db, id: number): Promise<void> {
  await tx.execute(sql`update keywords set approved = true where id = ${id}::int`)
}

export async function deleteKeyword(tx: Db, id: number): Promise<void> {
  await tx.execute(sql`delete from keywords where id = ${id}::int`)
}

/** The hours in which the lists are closed; undefined when there is no such organisation, else its id. */
export async function setWindow(db: Db, code: string, start: string, end: string): Promise<number | undefined> {
  const hours = JSON.stringify({ not_allow_start_time: start, not_allow_end_time: end })
  const rows = await db.query<{ id: number }>(sql`
    update organisations set customer_config = customer_config || ${hours}::jsonb where code = ${code} returning id`)
  return rows[0]?.id
}
