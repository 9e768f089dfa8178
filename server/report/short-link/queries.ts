import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { shortLinkCode } from '#contract/report/short-link.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'

/** Validity after the link was last copied. */
export const SHORT_LINK_YEARS = 2

const isAlive = (now: Date) =>
  sql`copied_at > ${now.toISOString()}::timestamptz - make_interval(years => ${SHORT_LINK_YEARS}::int)`

/*
 * The table has no tenant column, and tenants have no access (migration 0018): only these functions reach it as
 * superuser, by full address or full code. No user can list what others shared.
 */

/** Returns the code of an address. The same address has the same code; copying again extends it by two years. */
export async function storeShortLink(db: Db, address: string, now: Date): Promise<string> {
  const [link] = await asOwner(() =>
    db.query<{ code: string }>(sql`
      insert into short_links as l (code, address, address_hash, copied_at)
      values (${shortLinkCode(randomBytes(16))}, ${address}, ${createHash('sha256').update(address).digest()}::bytea, ${now.toISOString()}::timestamptz)
      on conflict (address_hash) do update set copied_at = greatest(l.copied_at, excluded.copied_at)
      returning code`),
  )
  return link!.code
}

/** Undefined for an unknown or expired code. */
export async function findShortLink(db: Db, code: string, now: Date): Promise<string | undefined> {
  const [link] = await asOwner(() =>
    db.query<{ address: string }>(sql`select address from short_links where code = ${code} and ${isAlive(now)}`),
  )
  return link?.address
}

/** Deletes expired links and returns their number. Runs once a day. */
export async function pruneShortLinks(db: Db, now: Date): Promise<number> {
  return await db.execute(sql`delete from short_links where not (${isAlive(now)})`)
}
