import type { Sql } from 'sql-template-tag'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { printAndHang } from './worker-process.ts'

type Writes = { left: number; readonly marker: RegExp }

/**
 * Wraps a database for a process that will be killed: after the `after`-th write that matches `marker`, inside a
 * transaction or not, it prints `under way` and hangs. The statement's rows stay visible to its transaction alone until
 * that ends or is killed.
 */
export function hangAtWrite<D extends Db>(db: D, after: number, marker = /^\s*(?:with|insert|update|delete)\b/): D {
  return hanging(db, { left: after, marker })
}

/** Opens a PostgreSQL database that hangs like `hangAtWrite`. */
export async function openHangingPostgres(url: string, after: number, marker?: RegExp): Promise<OpenDb> {
  return hangAtWrite(createDb(await openPostgres(url)), after, marker)
}

function hanging<D extends Db>(db: D, writes: Writes): D {
  const then = async <T>(statement: Sql, result: Promise<T>): Promise<T> => {
    const value = await result
    if (!writes.marker.test(statement.text)) return value
    writes.left -= 1
    if (writes.left > 0) return value
    return await printAndHang('under way')
  }
  return {
    ...db,
    query: (statement: Sql, options) => then(statement, db.query(statement, options)),
    execute: (statement: Sql, options) => then(statement, db.execute(statement, options)),
    transaction: (work, options) => db.transaction((tx) => work(hanging(tx, writes)), options),
  } as D
}
