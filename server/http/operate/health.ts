import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline } from '#server/platform/engine/deadline.ts'
import { formatReplicationStatus, readReplicationStatus } from '#server/platform/engine/postgres/replication.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'

/** Minimum interval between queries, so that probing cannot load the database (R48). */
const CHECK_INTERVAL_MS = 1000
/** Maximum time that `/readyz` waits for the database, because it must answer within two seconds (R48). */
const MAX_WAIT_MS = 1000

/**
 * Maximum wait of `/readyz` when there are replicas. Shorter, because load balancers end a probe after a second, and
 * the probe only decides whether there is a primary.
 */
const MAX_WAIT_WITH_REPLICAS_MS = 400

const REPLICATION_CACHED_MS = 1_000
/** A new primary gets its first standby within a few seconds; until then let writes wait instead of refusing them. */
const STANDBY_GRACE_MS = 5_000
const WRITE_RETRY_SECONDS = 2
const READ_ONLY_TEXT = 'ตอนนี้ดูข้อมูลได้อย่างเดียว ยังบันทึกไม่ได้ เพราะไม่มีเครื่องสำรองที่จะเก็บไว้ด้วย ลองใหม่ในอีกสักครู่'

export type ReplicationWatcher = {
  /**
   * Returns a message about whether acknowledged changes are on a second machine (`formatReplicationStatus`), as of the last
   * check. Refreshed in the background; only the first call waits.
   */
  text(): Promise<string | undefined>
  /**
   * True when the primary requires a standby for each commit and has had none for five seconds. Evaluated when called;
   * false when the state is unknown.
   */
  isWithoutStandby(): Promise<boolean>
}

export function createReplicationWatcher(db: Db, clock: () => number = () => performance.now()): ReplicationWatcher {
  let checkedAt = Number.NEGATIVE_INFINITY
  let lastText: Promise<string | undefined> = Promise.resolve(undefined)
  let withoutStandbySince: number | undefined

  async function readText(): Promise<string | undefined> {
    // Several requests share this result, so the query must not depend on the one that triggered it.
    const status = await withoutDeadline(() => runWithoutTenant(() => readReplicationStatus(db))).catch(() => undefined)
    const hasNoStandby = status?.isSynchronous === true && status.standbys === 0
    withoutStandbySince = hasNoStandby ? (withoutStandbySince ?? clock()) : undefined
    return status && formatReplicationStatus(status)
  }

  function refresh(): Promise<string | undefined> {
    if (db.engine === 'pglite') return lastText
    const at = clock()
    if (at - checkedAt <= REPLICATION_CACHED_MS) return lastText
    checkedAt = at
    lastText = readText()
    return lastText
  }

  return {
    text: refresh,
    async isWithoutStandby() {
      const refreshed = refresh()
      if (withoutStandbySince === undefined) return false
      await refreshed
      return withoutStandbySince !== undefined && clock() - withoutStandbySince >= STANDBY_GRACE_MS
    },
  }
}

/**
 * Refuses requests that may write while no standby would confirm a commit: otherwise each would occupy a connection for
 * seventeen seconds and fail anyway. Register before the routes that write.
 */
export function refuseWritesWhenStandbyMissing(api: RouteApp, replication: ReplicationWatcher): void {
  api.addHook('onRequest', async ({ method }) => {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || !(await replication.isWithoutStandby())) return
    throw new ProblemError('unavailable', { text: READ_ONLY_TEXT, retryAfterSeconds: WRITE_RETRY_SECONDS })
  })
}

export function createReadinessCheck(db: Db, hasStandIn: () => boolean = () => false): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let lastCheck = Promise.resolve(false)
  return () => {
    const at = performance.now()
    if (at - checkedAt > CHECK_INTERVAL_MS) {
      checkedAt = at
      lastCheck = isAnswering(db, hasStandIn() ? MAX_WAIT_WITH_REPLICAS_MS : MAX_WAIT_MS)
    }
    return lastCheck
  }
}

async function isAnswering(db: Db, maxWaitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), maxWaitMs)
  })
  const ping = db.query(sql`select 1`, { timeoutMs: MAX_WAIT_MS }).then(
    () => true,
    () => false,
  )
  const isUp = await Promise.race([ping, timeout])
  clearTimeout(timer)
  return isUp
}
