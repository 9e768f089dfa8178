import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import { readReplication, replicationText } from '#server/engine/postgres/replication.ts'

/** A probe asks at most this often, so that probing cannot load the database (R48). */
const CACHED_MS = 1000
/** Longest that `/readyz` waits for the database's word: an answer must come within two seconds (R48). */
const PATIENCE_MS = 1000

/** The same where replicas would answer anyhow: balancers give a probe a second, and what it waits for is only whether there is a primary. */
const PATIENCE_WITH_REPLICAS_MS = 400

/** Standbys come and go by the minute, and a probe asks every second. */
const REPLICATION_CACHED_MS = 5000

/** Whether what is acknowledged stands on a second machine (`replicationText`), as it was when it was last asked: it is asked beside the answers, and none waits for it but the first. */
export function createReplicationWatch(db: Db): () => Promise<string | undefined> {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<string | undefined> = Promise.resolve(undefined)
  return () => {
    if (db.engine === 'pglite') return answer
    const at = performance.now()
    if (at - asked <= REPLICATION_CACHED_MS) return answer
    asked = at
    answer = readReplication(db).then(
      (found) => found && replicationText(found),
      () => undefined,
    )
    return answer
  }
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
