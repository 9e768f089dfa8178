import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { shortLinkCode } from '#contract/report/short-link.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'

/** How long a link works after it was last copied. */
export const SHORT_LINK_YEARS = 2

const isAlive = (now: Date) =>
  sql`copied_at > ${now.toISOString()}::timestamptz - make_interval(years => ${SHORT_LINK_YEARS}::int)`

/*
 * The table belongs to no tenant and names none, and tenants are kept out of it (migration 0018): only these two questions, each by the whole
 * content or the whole code, reach it, as its owner. Nobody can list what others have shared.
 */

/** The code of this address; the same address has the same code, and copying it again keeps it for another two years. */
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

/** The address behind a code; undefined when there is none or its two years are over. */
export async function findShortLink(db: Db, code: string, now: Date): Promise<string | undefined> {
  const [link] = await asOwner(() =>
    db.query<{ address: string }>(sql`select address from short_links where code = ${code} and ${isAlive(now)}`),
  )
  return link?.address
}

/** Clears away links that nobody copied for two years; answers how many. Once a day. */
export async function pruneShortLinks(db: Db, now: Date): Promise<number> {
  return await db.execute(sql`delete from short_links where not (${isAlive(now)})`)
}
