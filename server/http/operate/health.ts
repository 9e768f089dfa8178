import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline } from '#server/platform/engine/deadline.ts'
import { readReplication, replicationText } from '#server/platform/engine/postgres/replication.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'

/** Minimum interval between queries, so that probing cannot load the database (R48). */
const CACHED_MS = 1000
/** How long `/readyz` waits for the database: it must answer within two seconds (R48). */
const PATIENCE_MS = 1000

/**
 * With replicas the wait is shorter: load balancers end a probe after a second, and the probe only decides whether
 * there is a primary.
 */
const PATIENCE_WITH_REPLICAS_MS = 400

/** The standby list can change this fast while a primary is being replaced. */
const REPLICATION_CACHED_MS = 1_000
/**
 * A new primary gets its first standby within a few seconds; until then a write that waits is better than a refused
 * one.
 */
const ALONE_MS = 5_000
const WRITE_RETRY_SECONDS = 2
const ALONE = 'ตอนนี้ดูข้อมูลได้อย่างเดียว ยังบันทึกไม่ได้ เพราะไม่มีเครื่องสำรองที่จะเก็บไว้ด้วย ลองใหม่ในอีกสักครู่'

export type ReplicationWatch = {
  /**
   * Whether acknowledged changes are on a second machine (`replicationText`), as of the last check. Refreshed in the
   * background; only the first call waits.
   */
  text(): Promise<string | undefined>
  /**
   * True when the primary requires a standby for each commit and has had none for five seconds. Checked at call time;
   * false when the state is unknown.
   */
  isAlone(): Promise<boolean>
}

export function createReplicationWatch(db: Db, clock: () => number = () => performance.now()): ReplicationWatch {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<string | undefined> = Promise.resolve(undefined)
  let aloneSince: number | undefined

  async function ask(): Promise<string | undefined> {
    // The result is shared, so it must not depend on the request that triggered it.
    const found = await withoutDeadline(() => asOwner(() => readReplication(db))).catch(() => undefined)
    const isAlone = found?.isSynchronous === true && found.standbys === 0
    aloneSince = isAlone ? (aloneSince ?? clock()) : undefined
    return found && replicationText(found)
  }

  function look(): Promise<string | undefined> {
    if (db.engine === 'pglite') return answer
    const at = clock()
    if (at - asked <= REPLICATION_CACHED_MS) return answer
    asked = at
    answer = ask()
    return answer
  }

  return {
    text: look,
    async isAlone() {
      const looked = look()
      if (aloneSince === undefined) return false
      await looked
      return aloneSince !== undefined && clock() - aloneSince >= ALONE_MS
    },
  }
}

/**
 * Refuses requests that may write while no commit would be confirmed: otherwise each would occupy a connection for
 * seventeen seconds and fail anyway. Register before the routes that write.
 */
export function refuseChangesAlone(api: RouteApp, replication: ReplicationWatch): void {
  api.addHook('onRequest', async ({ method }) => {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || !(await replication.isAlone())) return
    throw new ProblemError('unavailable', { text: ALONE, retryAfterSeconds: WRITE_RETRY_SECONDS })
  })
}

/**
 * Returns a check whether the database answers, cached for a second. `hasStandIn`: whether replicas would answer reads
 * without it.
 */
export function createReadiness(db: Db, hasStandIn: () => boolean = () => false): () => Promise<boolean> {
  let asked = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(false)
  return () => {
    const at = performance.now()
    if (at - asked > CACHED_MS) {
      asked = at
      answer = isAnswering(db, hasStandIn() ? PATIENCE_WITH_REPLICAS_MS : PATIENCE_MS)
    }
    return answer
  }
}

async function isAnswering(db: Db, patienceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const gaveUp = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs)
  })
  const answered = db.query(sql`select 1`, { timeoutMs: PATIENCE_MS }).then(
    () => true,
    () => false,
  )
  const isUp = await Promise.race([answered, gaveUp])
  clearTimeout(timer)
  return isUp
}
