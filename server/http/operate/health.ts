import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline } from '#server/platform/engine/deadline.ts'
import { readReplication, replicationText } from '#server/platform/engine/postgres/replication.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'

/** A probe asks at most this often, so that probing cannot load the database (R48). */
const CACHED_MS = 1000
/** Longest that `/readyz` waits for the database's word: an answer must come within two seconds (R48). */
const PATIENCE_MS = 1000

/** The same with replicas, which can answer without the primary: load balancers end a probe after a second, and the probe only asks whether there is a primary. */
const PATIENCE_WITH_REPLICAS_MS = 400

/** The list of standbys is cached for one second, because it changes that fast while a primary is replaced. */
const REPLICATION_CACHED_MS = 1_000
/** A new primary has its first standby within a few seconds, and a write that waits for it is better than one that is refused. */
const ALONE_MS = 5_000
const WRITE_RETRY_SECONDS = 2
const ALONE = 'ตอนนี้ดูข้อมูลได้อย่างเดียว ยังบันทึกไม่ได้ เพราะไม่มีเครื่องสำรองที่จะเก็บไว้ด้วย ลองใหม่ในอีกสักครู่'

export type ReplicationWatch = {
  /** Whether acknowledged changes stand on a second machine (`replicationText`), as of the last look. It is asked beside the answers; only the first answer waits for it. */
  text(): Promise<string | undefined>
  /** The primary waits for a standby at each commit, and has had none for five seconds: asked at this moment, and where nobody can say, false. */
  isAlone(): Promise<boolean>
}

export function createReplicationWatch(db: Db, clock: () => number = () => performance.now()): ReplicationWatch {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<string | undefined> = Promise.resolve(undefined)
  let aloneSince: number | undefined

  async function ask(): Promise<string | undefined> {
    // It serves everybody, whoever happened to begin it.
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
 * Refuses requests that may change something while no commit would be confirmed: otherwise they would hold a connection for seventeen seconds and be refused all the same. Register it
 * before the routes that write.
 */
export function refuseChangesAlone(api: RouteApp, replication: ReplicationWatch): void {
  api.addHook('onRequest', async ({ method }) => {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || !(await replication.isAlone())) return
    throw new ProblemError('unavailable', { text: ALONE, retryAfterSeconds: WRITE_RETRY_SECONDS })
  })
}

/** Whether the database answers, remembered for a second. `hasStandIn`: whether questions would be answered without it. */
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
