import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { createShortLinkCode } from '#contract/report/short-link.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'

/** Lifetime of a short link, counted from the last time it was copied. */
const SHORT_LINK_LIFETIME_YEARS = 2

const isAlive = (now: Date) =>
  sql`copied_at > ${now.toISOString()}::timestamptz - make_interval(years => ${SHORT_LINK_LIFETIME_YEARS}::int)`

/*
 * The table has no tenant column, and tenants have no access (migration 0018). Only these functions read and write it,
 * as superuser, by full URL or full code, so no user can list what others shared.
 */

/** Returns the code of a URL. The same URL always has the same code; copying the link again extends it by two years. */
export async function storeShortLink(db: Db, address: string, now: Date): Promise<string> {
  const [link] = await runWithoutTenant(() =>
    db.query<{ code: string }>(sql`
      insert into short_links as l (code, address, address_hash, copied_at)
      values (${createShortLinkCode(randomBytes(16))}, ${address}, ${createHash('sha256').update(address).digest()}::bytea, ${now.toISOString()}::timestamptz)
      on conflict (address_hash) do update set copied_at = greatest(l.copied_at, excluded.copied_at)
      returning code`),
  )
  return link!.code
}

export async function findShortLink(db: Db, code: string, now: Date): Promise<string | undefined> {
  const [link] = await runWithoutTenant(() =>
    db.query<{ address: string }>(sql`select address from short_links where code = ${code} and ${isAlive(now)}`),
  )
  return link?.address
}

export async function pruneShortLinks(db: Db, now: Date): Promise<number> {
  return await db.execute(sql`delete from short_links where not (${isAlive(now)})`)
}
