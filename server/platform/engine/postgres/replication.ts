import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type ReplicationStatus = {
  /**
   * True if commits wait for a standby: `synchronous_standby_names` is set, and `synchronous_commit` is neither off nor
   * local.
   */
  readonly isSynchronous: boolean
  /**
   * Number of synchronous standbys connected now; undefined if our database user may not see them (grant pg_monitor).
   */
  readonly standbys: number | undefined
}

export async function readReplicationStatus(db: Db): Promise<ReplicationStatus | undefined> {
  if (db.engine === 'pglite') return undefined
  const [row] = await db.query<{ names: string; waits: boolean; connected: number; seen: number; waited: number }>(
    sql`
    select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') not in ('off', 'local') as waits, count(*)::int as connected, count(sync_state)::int as seen,
      (count(*) filter (where sync_state in ('sync', 'quorum')))::int as waited
    from pg_stat_replication`,
    { timeoutMs: 1_000 },
  )
  const { names, waits, connected, seen, waited } = row!
  return { isSynchronous: waits && names.trim() !== '', standbys: seen < connected ? undefined : waited }
}

export function formatReplicationStatus({ isSynchronous, standbys }: ReplicationStatus): string {
  if (!isSynchronous) return 'ไม่มี'
  if (standbys === undefined) return 'ตั้งไว้ แต่นับเครื่องไม่ได้จนกว่าผู้ใช้ฐานข้อมูลจะได้สิทธิ์ pg_monitor'
  if (standbys === 0) return 'ตั้งไว้ แต่ยังไม่มีเครื่องสำรองต่ออยู่'
  return `${standbys} เครื่อง`
}
