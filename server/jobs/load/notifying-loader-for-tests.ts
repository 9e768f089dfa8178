import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { readArguments } from '../../../test/server/worker-process.ts'
import { createClosingProjectsSource, TODAY } from './closing-projects-for-tests.ts'
import { runDataLoad, withDataLoadLease } from './run-load.ts'

// Runs the real load, prints its progress, and hangs before the commit of a transaction that wrote notifications.

const { dataDir, budgetSatang } = readArguments('dataDir', 'budgetSatang')
const db = await openDb({ dataDir })
const watchedDb: Db = {
  ...db,
  transaction: (work, options) =>
    db.transaction(async (tx) => {
      const result = await work(tx)
      const [row] = await tx.query<{ n: number }>(sql`select count(*) as n from notifications`)
      if (row!.n > 0) {
        console.log('notified', row!.n)
        await sleep(60_000)
      }
      return result
    }, options),
}
const source = createClosingProjectsSource(Number(budgetSatang))
await withDataLoadLease(watchedDb, (lease) =>
  runDataLoad(watchedDb, lease, source, {
    origin: 'list',
    fingerprint: 'second',
    today: TODAY,
    onProgress: ({ phase, done }) => console.log(phase, done),
  }),
)
