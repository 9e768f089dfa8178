import sql from 'sql-template-tag'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type EndedSession, revokeSessions, sessionIdleTimeoutSql } from './queries.ts'

/** Parallel tabs may exchange the same token within a few seconds; a later reuse means a stolen copy (R10). */
const REUSE_GRACE_SECONDS = 10

type Exchange =
  | (EndedSession & { readonly kind: 'exchanged'; readonly childHash: string })
  | (EndedSession & { readonly kind: 'reused' })
  | { readonly kind: 'unknown' }

type StoredToken = EndedSession & { isUsed: boolean; isRecent: boolean; isOperator: boolean; childHash: string | null }

/**
 * Exchanges a refresh token for its child with the row locked, so that of parallel calls one creates the child and the
 * others return it. A token exchanged longer ago ends the whole session. Call in a separate transaction, so that the
 * revocation is committed.
 */
export async function exchangeRefreshToken(
  tx: Db,
  { hash, childHash, at }: { hash: string; childHash: string; at: Date },
): Promise<Exchange> {
  const now = at.toISOString()
  // Lock separately: a single statement that waits for the lock misses a child created meanwhile.
  await tx.query(sql`select from refresh_tokens where hash = ${hash} for update`)
  const [token] = await tx.query<StoredToken>(sql`
    select s.id as "sessionId", u.id as "userId", u.organisation_id as "organisationId", t.used_at is not null as "isUsed",
           coalesce(t.used_at > ${now}::timestamptz - make_interval(secs => ${REUSE_GRACE_SECONDS}::int), false) as "isRecent",
           u.role = ${OPERATOR_ROLE} as "isOperator",
           (select c.hash from refresh_tokens c where c.parent_hash = t.hash) as "childHash"
    from refresh_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
      join organisations o on o.id = u.organisation_id
    where t.hash = ${hash} and s.revoked_at is null and s.expires_at > ${now}::timestamptz
      and s.last_seen_at > ${now}::timestamptz - ${sessionIdleTimeoutSql} and not u.is_disabled and not o.is_disabled`)
  if (!token) return { kind: 'unknown' }
  const { isUsed, isRecent, isOperator, ...session } = token
  if (isUsed && isRecent && token.childHash !== null) {
    return { ...session, kind: 'exchanged', childHash: token.childHash }
  }
  if (isUsed) {
    await revokeSessions(tx, { refreshHash: null, sessionId: token.sessionId }, at)
    return { ...session, kind: 'reused' }
  }
  await tx.execute(sql`update refresh_tokens set used_at = ${now}::timestamptz where hash = ${hash}`)
  await tx.execute(sql`
    insert into refresh_tokens (hash, session_id, parent_hash, created_at)
    values (${childHash}, ${token.sessionId}, ${hash}, ${now}::timestamptz)`)
  // Tabs refresh automatically, which is not user activity; operators' sessions are extended only by real requests.
  if (!isOperator)
    await tx.execute(sql`update sessions set last_seen_at = ${now}::timestamptz where id = ${token.sessionId}`)
  return { ...session, kind: 'exchanged', childHash }
}
