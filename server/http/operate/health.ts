import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** A probe asks at most this often, so that probing cannot load the database (R48). */
const CACHED_MS = 1000
/** Longest that `/readyz` waits for the database's word: an answer must come within two seconds (R48). */
const PATIENCE_MS = 1000

/** Whether the database answers, remembered for a second. */
export function createReadiness(db: Db): () => Promise<boolean> {
  let asked = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(false)
  return () => {
    const at = performance.now()
    if (at - asked > CACHED_MS) {
      asked = at
      answer = isAnswering(db)
    }
    return answer
  }
}

async function isAnswering(db: Db): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const gaveUp = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS)
  })
  const answered = db.query(sql`select 1`, { timeoutMs: PATIENCE_MS }).then(
    () => true,
    () => false,
  )
  const isUp = await Promise.race([answered, gaveUp])
  clearTimeout(timer)
  return isUp
}
