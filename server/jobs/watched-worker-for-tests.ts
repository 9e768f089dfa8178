import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { createDb } from '#server/platform/engine/create-db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { runDue } from '../../test/jobs.ts'
import { readArguments, stderrLog } from '../../test/server/worker-process.ts'
import { exportJob } from './export-job.ts'
import { importBudget } from './intake/import-budget.ts'

// Does the work named by its second argument, and prints when it waits for a lock, or the number of stored parts of a
// file.

const { url, work } = readArguments('url', 'work')
const db = createDb(await openPostgres(url))
setInterval(async () => {
  const [row] = await db.query<{ n: number }>(sql`
    select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  if (row!.n > 0) console.log('waits')
  if (work !== 'export') return
  const [parts] = await db.query<{ n: number }>(sql`select count(*) as n from report_export_parts`)
  console.log('parts', parts!.n)
}, 10)
if (work === 'migrate') await migrateDatabase(db)
if (work === 'export') await runDue(exportJob, { db, parts: {}, log: stderrLog, now: () => new Date() })
if (work === 'budget') await importBudget(db, readArguments('url', 'work', 'file').file, { dataDir: '/nowhere' })
await sleep(200)
process.exit(0)
